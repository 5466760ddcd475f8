import type { DowntimeColumns } from '../../views/schedule-data.js';
import { laneOf, type Scene } from './scene.js';
import { rowToY, timeToX } from './viewport.js';

/** Hatches downtimes in rows of machines. */
export function paintDowntimes(
  context: CanvasRenderingContext2D,
  scene: Scene,
  first: number,
  last: number,
): void {
  const { view, rows, port, colours, closed, broken } = scene;
  if (rows.kind !== 'machine') return;
  const { machine, from, to } = view.downtimes;
  const edges = (start: number, end: number) => {
    const left = Math.max(timeToX(port, start), port.gutter);
    return [left, Math.min(timeToX(port, end), port.width) - left] as const;
  };
  machine.forEach((k, i) => {
    const row = rows.rowAt(k);
    if (row < first || row > last) return;
    const y = rowToY(port, row);
    const planned = closed === null ? [] : overlaps(closed, k, from[i], to[i]);
    context.globalAlpha = 0.6;
    context.fillStyle = colours.line;
    for (const [start, end] of planned) {
      const [left, width] = edges(start, end);
      if (width > 0) context.fillRect(left, y, width, port.row);
    }
    context.globalAlpha = 1;
    const colour = closed === null ? colours.quiet : colours.bad;
    const inShifts = gapsBetween(planned, from[i], to[i]);
    const inBreaks = planned.flatMap(([start, end]) =>
      broken === null ? [] : overlaps(broken, k, start, end),
    );
    for (const [start, end] of [...inShifts, ...inBreaks]) {
      const [left, width] = edges(start, end);
      if (width > 0) hatch(context, left, y, width, port.row, colour, 1);
    }
  });
}

type Stretch = readonly [from: number, to: number];

/** The downtimes of a machine as far as they lie within a stretch of time, in their order. */
function overlaps(
  downtimes: DowntimeColumns,
  machine: number,
  from: number,
  to: number,
): Stretch[] {
  return downtimes.machine.flatMap((k, i) => {
    const [start, end] = [Math.max(downtimes.from[i], from), Math.min(downtimes.to[i], to)];
    return k === machine && start < end ? [[start, end] as const] : [];
  });
}

/** The parts of a stretch of time outside of others, which are in order. */
function gapsBetween(others: readonly Stretch[], from: number, to: number): Stretch[] {
  const edges = [from, ...others.flat(), to];
  return edges.flatMap((edge, i) =>
    i % 2 === 0 && edge < edges[i + 1] ? [[edge, edges[i + 1]] as const] : [],
  );
}

/** Violations of rules between times: they have a stretch in which they hold; all others are about a claim. */
const CONFLICTS = new Set(['release', 'deadline', 'downtime', 'job_precedence', 'machine_overlap']);

/**
 * Crosses out violations, and frames false claims with a mark in the corner: shapes that do not depend on seeing red.
 */
export function paintViolations(context: CanvasRenderingContext2D, scene: Scene): void {
  const { view, rows, port, colours } = scene;
  context.strokeStyle = colours.bad;
  context.fillStyle = colours.bad;
  for (const { code, stretch, operation, machine } of view.violations) {
    if (stretch === null) continue;
    const index = rows.kind === 'machine' ? machine : operation < 0 ? -1 : rows.jobOf[operation];
    if (index < 0 || index >= rows.count) continue;
    const row = rows.rowAt(index);
    const left = timeToX(port, stretch[0]);
    const right = Math.max(left + 4, timeToX(port, stretch[1]));
    if (right < port.gutter || left > port.width) continue;
    const { y, height } = laneOf(scene, row);
    const isConflict = CONFLICTS.has(code);
    if (isConflict) hatch(context, left, y, right - left, height, colours.bad, -1);
    else paintCorner(context, left, y, Math.min(8, height / 2));
    context.strokeStyle = colours.bad;
    context.lineWidth = isConflict ? 2 : 1;
    context.setLineDash(isConflict ? [] : [3, 2]);
    context.strokeRect(left + 0.5, y + 0.5, right - left - 1, height - 1);
    context.setLineDash([]);
  }
}

function paintCorner(context: CanvasRenderingContext2D, left: number, top: number, size: number) {
  context.beginPath();
  context.moveTo(left, top);
  context.lineTo(left + size, top);
  context.lineTo(left, top + size);
  context.fill();
}

/** Lines from corner to corner, in one direction (1) or the other (−1). */
function hatch(
  context: CanvasRenderingContext2D,
  left: number,
  top: number,
  width: number,
  height: number,
  colour: string,
  direction: 1 | -1,
): void {
  // Canvases are unbounded, but the visible part is not.
  const from = Math.max(left, -50);
  const to = Math.min(left + Math.max(width, 3), 10_000);
  if (to <= from) return;
  context.save();
  context.beginPath();
  context.rect(from, top, to - from, height);
  context.clip();
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.beginPath();
  for (let x = Math.floor((from - height) / 6) * 6; x < to + height; x += 6) {
    context.moveTo(x, top + (direction === 1 ? height : 0));
    context.lineTo(x + height, top + (direction === 1 ? 0 : height));
  }
  context.stroke();
  context.restore();
}
