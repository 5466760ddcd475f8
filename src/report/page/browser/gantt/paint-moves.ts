import type { MoveView } from '../../views/schedule-data.js';
import { hasRoom } from './paint-text.js';
import { laneOf, type Scene } from './scene.js';
import { timesInSight, timeToX } from './viewport.js';

/** Maximum number of arrows painted at once; arrows of the smallest moves are omitted. */
const MOST_ARROWS = 2000;

/** Paints moves: the earlier place above, the current one below, and an arrow in the colour of the cause. */
export function paintMoves(context: CanvasRenderingContext2D, scene: Scene): void {
  const { view, port, moves, chart } = scene;
  const [from, to] = timesInSight(port);
  const inSight = (moves?.moved ?? []).filter(({ operation, start, end }) => {
    const first = Math.min(view.start[operation], start < 0 ? view.start[operation] : start);
    return first <= to && Math.max(view.end[operation], end) >= from;
  });
  for (const move of inSight) paintBefore(context, scene, move);
  for (const move of inSight) paintFrame(context, scene, move);
  // Outlines are at the height of the bars: arrows would cross everything between.
  const arrows = scene.isOutlined ? [] : inSight.filter(({ start }) => start >= 0);
  const drawn = arrows.length > MOST_ARROWS ? longest(arrows, view.start) : arrows;
  for (const move of drawn) {
    const above = laneOf(scene, rowBefore(scene, move), true);
    const below = laneOf(scene, chart.rowOf(move.operation));
    const x0 = middle(scene, move.start, move.end);
    const x1 = middle(scene, view.start[move.operation], view.end[move.operation]);
    paintArrow(context, x0, above.y + above.height, x1, below.y, scene.colours.causes[move.cause]);
  }
  paintWait(context, scene);
}

function longest(moves: readonly MoveView[], starts: readonly number[]): readonly MoveView[] {
  const shift = ({ operation, start }: MoveView) => Math.abs(starts[operation] - start);
  return moves.toSorted((a, b) => shift(b) - shift(a)).slice(0, MOST_ARROWS);
}

function middle({ port }: Scene, start: number, end: number): number {
  return (timeToX(port, start) + timeToX(port, end)) / 2;
}

/** The row of the earlier place of an operation: in rows of machines, that of its machine before. */
function rowBefore({ chart }: Scene, { operation, machine }: MoveView): number {
  const isElsewhere = chart.kind === 'machine' && machine >= 0;
  return isElsewhere ? chart.rowAt(machine) : chart.rowOf(operation);
}

/** Outlines the earlier place of an operation. */
function paintBefore(context: CanvasRenderingContext2D, scene: Scene, move: MoveView): void {
  if (move.start < 0) return;
  const { words, port, colours, chart } = scene;
  const { y, height } = laneOf(scene, rowBefore(scene, move), true);
  const left = timeToX(port, move.start);
  const width = Math.max(2, timeToX(port, move.end) - left - 1);
  context.strokeStyle = colours.causes[move.cause];
  context.lineWidth = 1.5;
  context.setLineDash([3, 2]);
  context.strokeRect(left + 0.5, y + 0.5, width, height - 1);
  context.setLineDash([]);
  // A label would be read as that of the bar that is there now.
  if (scene.isOutlined || height < 9 || width < 20) return;
  context.fillStyle = colours.ink;
  context.font = `${Math.min(12, height)}px system-ui, "DejaVu Sans", sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  const labels = words.jobLabels(chart.jobOf[move.operation]);
  const label = labels.find((text) => hasRoom(context, text, width - 2));
  if (label !== undefined) context.fillText(label, left + width / 2, y + height / 2 + 0.5);
}

/** Frames a moved operation in the colour of its cause. */
function paintFrame(
  context: CanvasRenderingContext2D,
  scene: Scene,
  { operation, cause }: MoveView,
): void {
  const { view, port, colours, chart } = scene;
  const { y, height } = laneOf(scene, chart.rowOf(operation));
  const left = timeToX(port, view.start[operation]);
  const width = Math.max(2, timeToX(port, view.end[operation]) - left - 2);
  context.strokeStyle = colours.causes[cause];
  context.lineWidth = 2;
  context.strokeRect(left + 1, y + 1, width, height - 2);
}

function paintArrow(
  context: CanvasRenderingContext2D,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  colour: string,
): void {
  const angle = Math.atan2(y1 - y0, x1 - x0);
  const head = 6;
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x1 - head * Math.cos(angle - 0.45), y1 - head * Math.sin(angle - 0.45));
  context.lineTo(x1 - head * Math.cos(angle + 0.45), y1 - head * Math.sin(angle + 0.45));
  context.fill();
}

/** Paints a line from the operation that the selected one waits for to the start of the selected one. */
function paintWait(context: CanvasRenderingContext2D, scene: Scene): void {
  const { view, port, colours, moves, chart, selected, hovered } = scene;
  const wanted = hovered >= 0 ? hovered : selected;
  const move = moves?.moved.find(({ operation }) => operation === wanted);
  if (move === undefined || move.waitsFor < 0) return;
  const [from, to] = [
    laneOf(scene, chart.rowOf(move.waitsFor)),
    laneOf(scene, chart.rowOf(wanted)),
  ];
  const y0 = from.y + from.height / 2;
  const y1 = to.y + to.height / 2;
  context.setLineDash([5, 3]);
  const x0 = timeToX(port, view.end[move.waitsFor]) - 3;
  paintArrow(context, x0, y0, timeToX(port, view.start[wanted]) + 2, y1, colours.ink);
  context.setLineDash([]);
}
