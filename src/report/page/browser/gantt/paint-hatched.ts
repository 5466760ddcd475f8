import { laneOf, type Scene } from './scene.js';
import { rowToY, timeToX } from './viewport.js';

/** Hatches where machines are down, in rows that are machines. */
export function paintDowntimes(
  context: CanvasRenderingContext2D,
  scene: Scene,
  first: number,
  last: number,
): void {
  const { view, rows, port, colours } = scene;
  if (rows.kind !== 'machine') return;
  const { machine, from, to } = view.downtimes;
  machine.forEach((row, i) => {
    if (row < first || row > last) return;
    const left = timeToX(port, from[i]);
    const right = timeToX(port, to[i]);
    hatch(context, left, rowToY(port, row), right - left, port.row, colours.quiet, 1);
  });
}

/** Violations of rules between times: they have a stretch in which they hold; all others are about a claim. */
const CONFLICTS = new Set(['release', 'deadline', 'downtime', 'job_precedence', 'machine_overlap']);

/**
 * Crosses out where rules are broken, and frames what a false claim is about with a mark in its corner: shapes
 * that people see who see no red.
 */
export function paintViolations(context: CanvasRenderingContext2D, scene: Scene): void {
  const { view, rows, port, colours } = scene;
  context.strokeStyle = colours.bad;
  context.fillStyle = colours.bad;
  for (const { code, stretch, operation, machine } of view.violations) {
    if (stretch === null) continue;
    const row = rows.kind === 'machine' ? machine : operation < 0 ? -1 : rows.rowOf(operation);
    if (row < 0 || row >= rows.count) continue;
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
  // Canvases have no end, but the sight has.
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
