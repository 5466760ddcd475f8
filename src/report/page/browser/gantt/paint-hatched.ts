import type { ChartShade } from '../../../chart/chart.js';
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
  const { chart, port } = scene;
  const edges = (start: number, end: number) => {
    const left = Math.max(timeToX(port, start), port.gutter);
    return [left, Math.min(timeToX(port, end), port.width) - left] as const;
  };
  for (let row = first; row <= last; row++) {
    const y = rowToY(port, row);
    for (const shade of chart.rows[row].shades) {
      const { planned, unplanned } = partsOf(scene, chart.indexAt(row), shade);
      context.globalAlpha = 0.6;
      context.fillStyle = scene.colours.line;
      for (const [start, end] of planned) {
        const [left, width] = edges(start, end);
        if (width > 0) context.fillRect(left, y, width, port.row);
      }
      context.globalAlpha = 1;
      const colour = scene.closed === null ? scene.colours.quiet : scene.colours.bad;
      for (const [start, end] of unplanned) {
        const [left, width] = edges(start, end);
        if (width <= 0) continue;
        // Where bars keep the whole height of a row, hatching alone would be lost among them.
        if (scene.isOutlined) wash(context, left, y, width, port.row, colour);
        hatch(context, left, y, width, port.row, colour, 1);
      }
    }
  }
}

/** Tints a rectangle. */
function wash(
  context: CanvasRenderingContext2D,
  left: number,
  y: number,
  width: number,
  height: number,
  colour: string,
): void {
  context.globalAlpha = 0.16;
  context.fillStyle = colour;
  context.fillRect(left, y, width, height);
  context.globalAlpha = 1;
}

/** Paints setups in rows of machines: hatched, and lower than operations. */
export function paintSetups(
  context: CanvasRenderingContext2D,
  scene: Scene,
  first: number,
  last: number,
): void {
  const { chart, port, colours } = scene;
  for (let row = first; row <= last; row++) {
    const { y, height } = laneOf(scene, row);
    const [top, tall] = [y + height * 0.25, Math.max(1, height * 0.5)];
    for (const { from, until } of chart.rows[row].setups) {
      const left = Math.max(timeToX(port, from), port.gutter);
      const width = Math.min(timeToX(port, until), port.width) - left;
      if (width <= 0) continue;
      hatch(context, left, top, width, tall, colours.quiet, -1);
      context.strokeStyle = colours.quiet;
      context.strokeRect(left + 0.5, top + 0.5, Math.max(1, width - 1), tall - 1);
    }
  }
}

/** The planned and the other parts of a downtime; breakdowns within planned downtimes are in both. */
function partsOf({ closed, broken, chart }: Scene, machine: number, { from, until }: ChartShade) {
  if (chart.kind === 'resource') return { planned: [[from, until] as const], unplanned: [] };
  const planned = closed === null ? [] : overlaps(closed, machine, from, until);
  const inBreaks = planned.flatMap(([start, end]) =>
    broken === null ? [] : overlaps(broken, machine, start, end),
  );
  return { planned, unplanned: [...gapsBetween(planned, from, until), ...inBreaks] };
}

type Stretch = readonly [from: number, to: number];

/** The parts of a machine's downtimes within a stretch of time, in their order. */
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

/** The parts of a stretch of time that are outside of others, which must be in order. */
function gapsBetween(others: readonly Stretch[], from: number, to: number): Stretch[] {
  const edges = [from, ...others.flat(), to];
  return edges.flatMap((edge, i) =>
    i % 2 === 0 && edge < edges[i + 1] ? [[edge, edges[i + 1]] as const] : [],
  );
}

/**
 * Crosses out violations, and frames false claims with a mark in the corner: shapes that are visible without seeing
 * red.
 */
export function paintViolations(
  context: CanvasRenderingContext2D,
  scene: Scene,
  first: number,
  last: number,
): void {
  const { chart, port, colours } = scene;
  context.strokeStyle = colours.bad;
  context.fillStyle = colours.bad;
  for (let row = first; row <= last; row++) {
    const { y, height } = laneOf(scene, row);
    for (const { from, until, kind } of chart.rows[row].conflicts) {
      const left = timeToX(port, from);
      const right = Math.max(left + 4, timeToX(port, until));
      if (right < port.gutter || left > port.width) continue;
      const isConflict = kind === 'conflict';
      if (isConflict) hatch(context, left, y, right - left, height, colours.bad, -1);
      else paintCorner(context, left, y, Math.min(8, height / 2));
      context.strokeStyle = colours.bad;
      context.lineWidth = isConflict ? 2 : 1;
      context.setLineDash(isConflict ? [] : [3, 2]);
      context.strokeRect(left + 0.5, y + 0.5, right - left - 1, height - 1);
      context.setLineDash([]);
    }
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
