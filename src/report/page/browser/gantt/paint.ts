import { jobColour } from '../../../chart/job-colours.js';
import { firstBarAfter, type OperationBar } from '../../../chart/schedule-chart.js';
import { marksInSight } from './axis-marks.js';
import { paintHeld } from './chart-drag.js';
import { paintDue } from './paint-due.js';
import { paintDowntimes, paintSetups, paintViolations } from './paint-hatched.js';
import { paintMoves } from './paint-moves.js';
import { cutToFit, hasRoom, NAME_FONT } from './paint-text.js';
import { type Lane, laneOf, type Scene } from './scene.js';
import { rowToY, timesInSight, timeToX, type Viewport, yToRow } from './viewport.js';

/** Paints a chart in CSS pixels; the context is scaled to those of the device. */
export function paint(context: CanvasRenderingContext2D, scene: Scene): void {
  const { port, colours } = scene;
  context.fillStyle = colours.ground;
  context.fillRect(0, 0, port.width, port.height);
  context.save();
  context.beginPath();
  context.rect(port.gutter, port.axis, port.width - port.gutter, port.height - port.axis);
  context.clip();
  const { first, last } = rowsInSight(scene);
  paintBands(context, scene, first, last);
  paintSetups(context, scene, first, last);
  const isMoved = movedOf(scene);
  const labels: BarLabel[] = [];
  for (let row = first; row <= last; row++) paintRow(context, scene, row, isMoved, labels);
  // After the operations, because resumable downtimes interrupt them.
  paintDowntimes(context, scene, first, last);
  for (const { text, x, y, fill, font } of labels) {
    context.font = font;
    context.fillStyle = fill;
    context.fillText(text, x, y);
  }
  if (scene.moves !== null) paintMoves(context, scene);
  if (scene.showsCritical) paintCritical(context, scene);
  paintDue(context, scene);
  paintViolations(context, scene, first, last);
  paintNow(context, scene);
  paintSelection(context, scene);
  paintHeld(context, scene);
  context.restore();
  paintAxis(context, scene);
  paintNames(context, scene, first, last);
}

/** A text on a bar. */
interface BarLabel {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly fill: string;
  readonly font: string;
}

/** The first and the last visible row. */
function rowsInSight({ port, chart }: Scene): { readonly first: number; readonly last: number } {
  return {
    first: Math.max(0, Math.floor(yToRow(port, port.axis))),
    last: Math.min(chart.rows.length - 1, Math.ceil(yToRow(port, port.height))),
  };
}

/** N entries: 1 if an operation moved; null if there are no moves to show. */
function movedOf({ view, moves }: Scene): Uint8Array | null {
  if (moves === null) return null;
  const moved = new Uint8Array(view.machine.length);
  for (const { operation } of moves.moved) moved[operation] = 1;
  return moved;
}

function paintBands(
  context: CanvasRenderingContext2D,
  { port, colours, view, words }: Scene,
  first: number,
  last: number,
) {
  context.fillStyle = colours.raised;
  for (let row = first; row <= last; row++) {
    if (row % 2 === 0) context.fillRect(port.gutter, rowToY(port, row), port.width, port.row);
  }
  context.fillStyle = colours.line;
  for (const { time } of marksInSight(port, view.timeScale, words.texts.clock)) {
    context.fillRect(Math.round(timeToX(port, time)), port.axis, 1, port.height);
  }
}

/** Paints the operations of a row; if several share a pixel, only one is painted. */
function paintRow(
  context: CanvasRenderingContext2D,
  scene: Scene,
  row: number,
  isMoved: Uint8Array | null,
  texts: BarLabel[],
) {
  const { chart, port } = scene;
  const [from, to] = timesInSight(port);
  const { bars } = chart.rows[row];
  const lane = laneOf(scene, row);
  const before = laneOf(scene, row, true);
  context.font = `${Math.min(12, lane.height)}px system-ui, "DejaVu Sans", sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  let painted = -1;
  for (let i = firstBarAfter(chart.rows[row], from); i < bars.length; i++) {
    const bar = bars[i];
    if (bar.start > to) break;
    const left = timeToX(port, bar.start);
    const right = timeToX(port, bar.end);
    if (right - left < 1 && Math.floor(right) <= painted) continue;
    painted = Math.floor(right);
    const isFaint = isMoved?.[bar.item] === 0;
    for (const { y, height } of isFaint && !scene.isOutlined ? [lane, before] : [lane]) {
      const text = paintBar(context, scene, bar, { left, right, y, height, isFaint });
      if (text !== null) texts.push(text);
    }
  }
}

/** The place of a bar. */
interface BarPlace extends Lane {
  readonly left: number;
  readonly right: number;
  readonly isFaint: boolean;
}

/** Paints a bar; its label is the job (in rows of jobs: the machine) if there is room. */
function paintBar(
  context: CanvasRenderingContext2D,
  { port, colours, now }: Scene,
  { start, end, colour, labels, kind }: OperationBar,
  { left, right, y, height, isFaint }: BarPlace,
): BarLabel | null {
  if (end === start) {
    // An operation of zero duration gets a mark, so that it can be found.
    context.fillStyle = colours.ink;
    context.fillRect(left - 1, y + height / 3, 2, height / 3);
    return null;
  }
  const { fill, text } = jobColour(colour);
  const gap = right - left > 4 ? 1 : 0;
  const isPast = now !== null && end <= now;
  const isSetup = kind === 'setup';
  context.globalAlpha = isFaint || isSetup ? 0.35 : isPast ? 0.6 : 1;
  context.fillStyle = fill;
  context.fillRect(left, y, Math.max(1, right - left - gap), height);
  context.globalAlpha = 1;
  if (height < 9) return null;
  // A bar that is cut by an edge of the chart has less room for its label.
  const [from, to] = [Math.max(left, port.gutter), Math.min(right, port.width)];
  const label = labels.find((text) => hasRoom(context, text, to - from - 4));
  if (label === undefined) return null;
  return {
    text: label,
    x: (from + to) / 2,
    y: y + height / 2 + 0.5,
    fill: isFaint || isPast || isSetup ? colours.ink : text,
    font: context.font,
  };
}

/** Outlines the critical path, and joins its operations. */
function paintCritical(context: CanvasRenderingContext2D, scene: Scene): void {
  const { view, chart, port, colours } = scene;
  const [from, to] = timesInSight(port);
  context.strokeStyle = colours.ink;
  context.lineWidth = 2;
  let last: { readonly x: number; readonly y: number } | null = null;
  for (const op of view.critical) {
    const row = chart.rowOf(op);
    if (row < 0) {
      last = null;
      continue;
    }
    const { y, height } = laneOf(scene, row);
    const [{ start, end }] = chart.placesOf(op);
    const left = timeToX(port, start);
    const right = timeToX(port, end);
    if (end >= from && start <= to) {
      context.strokeRect(left + 1, y + 0.5, Math.max(1, right - left - 3), height - 1);
      if (last !== null && last.y !== y) {
        context.setLineDash([3, 2]);
        context.beginPath();
        context.moveTo(last.x, last.y + height / 2);
        context.lineTo(left, y + height / 2);
        context.stroke();
        context.setLineDash([]);
      }
    }
    last = { x: right, y };
  }
}

function paintNow(context: CanvasRenderingContext2D, { port, colours, now }: Scene): void {
  if (now === null) return;
  const x = timeToX(port, now);
  context.strokeStyle = colours.ink;
  context.lineWidth = 2;
  context.setLineDash([6, 3]);
  context.beginPath();
  context.moveTo(x, port.axis);
  context.lineTo(x, port.height);
  context.stroke();
  context.setLineDash([]);
}

/** Frames the operations under the mouse and under the keyboard. */
function paintSelection(context: CanvasRenderingContext2D, scene: Scene): void {
  const { view, chart, port, colours, selected, hovered } = scene;
  for (const op of hovered === selected ? [selected] : [hovered, selected]) {
    if (op < 0 || view.start[op] < 0) continue;
    // The selected operation has a thick frame, the one under the pointer a thin dotted frame.
    context.strokeStyle = op === selected ? colours.focus : colours.ink;
    context.lineWidth = op === selected ? 4 : 1.5;
    context.setLineDash(op === selected ? [] : [2, 3]);
    for (const { row, start, end } of chart.placesOf(op)) {
      const { y, height } = laneOf(scene, row);
      const left = timeToX(port, start);
      const right = timeToX(port, end);
      context.strokeRect(left - 2, y - 1, Math.max(4, right - left + 3), height + 2);
    }
  }
  context.setLineDash([]);
}

function paintAxis(
  context: CanvasRenderingContext2D,
  { port, colours, now, view, words }: Scene,
): void {
  context.fillStyle = colours.ground;
  context.fillRect(0, 0, port.width, port.axis);
  context.fillStyle = colours.quiet;
  context.font = '12px system-ui, "DejaVu Sans", sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  const nowAt =
    now === null ? null : Math.min(Math.max(timeToX(port, now), port.gutter + 20), port.width - 34);
  paintGaps(context, port);
  for (const { time, label } of marksInSight(port, view.timeScale, words.texts.clock)) {
    const half = context.measureText(label).width / 2 + 2;
    const x = Math.min(timeToX(port, time), port.width - half);
    const isNearNow = nowAt !== null && Math.abs(nowAt - x) < 55;
    if (!isNearNow) context.fillText(label, x, port.axis - 8);
  }
  const [from, to] = timesInSight(port);
  if (now === null || nowAt === null || now < from || now > to) return;
  context.fillStyle = colours.ink;
  context.fillText(words.texts.now(words.time(now, now)), nowAt, port.axis - 8);
}

/** Marks compressed time on the axis with two strokes. */
function paintGaps(context: CanvasRenderingContext2D, port: Viewport): void {
  const [from, to] = timesInSight(port);
  context.strokeStyle = context.fillStyle;
  context.lineWidth = 1;
  context.beginPath();
  for (const [start, end] of port.map.gaps) {
    if (end < from || start > to) continue;
    const x = (timeToX(port, start) + timeToX(port, end)) / 2;
    for (const left of [x - 3, x + 1]) {
      context.moveTo(left, port.axis - 1);
      context.lineTo(left + 3, port.axis - 7);
    }
  }
  context.stroke();
}

/** Names the rows; if they are low, only some of them. */
function paintNames(
  context: CanvasRenderingContext2D,
  { port, chart, colours }: Scene,
  first: number,
  last: number,
) {
  context.fillStyle = colours.ground;
  context.fillRect(0, port.axis, port.gutter, port.height);
  context.fillStyle = colours.ink;
  context.font = NAME_FONT;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  const every = Math.ceil(14 / port.row);
  for (let row = Math.ceil(first / every) * every; row <= last; row += every) {
    const y = rowToY(port, row) + port.row / 2;
    if (y < port.axis + 4) continue;
    const { name, shortName } = chart.rows[row];
    const text = port.gutter < 70 ? shortName : name;
    context.fillText(cutToFit(context, text, port.gutter - 12), port.gutter - 8, y);
  }
}
