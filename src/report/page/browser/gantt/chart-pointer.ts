import { firstBarAfter } from '../../../chart/schedule-chart.js';
import { dragTo, dropHeld, type Grip, gripOn } from './chart-drag.js';
import { type ChartPlace, type LiveCanvas, laneOf, type Scene } from './scene.js';
import { timeToX, xToDrawn, xToTime, yToRow } from './viewport.js';

/** Pixels around a pointer that still hit a narrow operation. */
const REACH = 3;

/** The operation at a pixel, at its current or earlier place; −1 for none. */
function operationUnder(scene: Scene, x: number, y: number): number {
  const { chart, port, moves } = scene;
  const row = Math.floor(yToRow(port, y));
  if (x < port.gutter || y < port.axis || row < 0 || row >= chart.rows.length) return -1;
  const least = xToTime(port, x - REACH);
  const most = xToTime(port, x + REACH);
  const before = laneOf(scene, row, true);
  if (moves !== null && !scene.isOutlined && y < before.y + before.height) {
    const move = moves.moved.find(
      ({ operation, start, end }) =>
        start >= 0 && start <= most && end >= least && chart.rowOf(operation) === row,
    );
    if (move !== undefined) return move.operation;
  }
  let nearest = -1;
  let distance = Number.POSITIVE_INFINITY;
  const { bars } = chart.rows[row];
  for (let i = firstBarAfter(chart.rows[row], least - 1); i < bars.length; i++) {
    const { start, end, item } = bars[i];
    if (start > most) break;
    if (end < least) continue;
    const away = Math.max(timeToX(port, start) - x, x - timeToX(port, end), 0);
    if (away < distance) [nearest, distance] = [item, away];
  }
  return nearest;
}

/** The time on a machine at a pixel; null outside of rows of machines. */
function placeUnder({ chart, port }: Scene, x: number, y: number): ChartPlace | null {
  const row = Math.floor(yToRow(port, y));
  if (chart.kind !== 'machine' || y < port.axis || row < 0 || row >= chart.rows.length) return null;
  const time = x < port.gutter ? null : Math.max(0, Math.floor(xToTime(port, x)));
  return { machine: chart.indexAt(row), time };
}

/** Listening to pointers, until it is stopped. */
export interface ChartPointer {
  stop(): void;
}

/**
 * Lets mouse, pen and touch point, drag and zoom. Zooming takes two fingers, or the wheel with Ctrl or after a click.
 */
export function followPointers(live: LiveCanvas, signal: AbortSignal): ChartPointer {
  const { element } = live;
  const down = new Map<number, { x: number; y: number }>();
  let dragged = 0;
  let grip: Grip | null = null;
  const letGo = () => {
    if (grip !== null) live.options().onHold(null);
    grip = null;
  };
  const place = (event: MouseEvent) => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const hover = (event: PointerEvent) => {
    const scene = live.scene();
    const { x, y } = place(event);
    const op = scene === null ? -1 : operationUnder(scene, x, y);
    const canMove = op >= 0 && live.options().drag?.canMove(op) === true;
    element.style.cursor = canMove ? 'move' : op >= 0 ? 'pointer' : 'grab';
    if (scene?.hovered !== op) live.options().onHover(op);
  };
  element.addEventListener(
    'pointerdown',
    (event) => {
      down.set(event.pointerId, place(event));
      element.setPointerCapture(event.pointerId);
      const scene = live.scene();
      letGo();
      if (down.size > 1 || scene === null) return;
      dragged = 0;
      const { x, y } = place(event);
      grip = gripOn(live, operationUnder(scene, x, y), event);
    },
    { signal },
  );
  element.addEventListener(
    'pointermove',
    (event) => {
      const last = down.get(event.pointerId);
      if (last === undefined) return hover(event);
      const next = place(event);
      if (grip !== null) {
        if (dragged > 4) dragTo(live, grip, next);
      } else if (down.size === 2) pinch(live, [...down.values()], last, next);
      else drag(live, next.x - last.x, next.y - last.y);
      dragged += Math.abs(next.x - last.x) + Math.abs(next.y - last.y);
      down.set(event.pointerId, next);
    },
    { signal },
  );
  const release = (event: PointerEvent) => {
    const was = down.delete(event.pointerId);
    if (grip !== null && dragged > 4 && event.type === 'pointerup') dropHeld(live);
    letGo();
    const scene = live.scene();
    if (!was || scene === null || dragged > 4 || event.type !== 'pointerup') return;
    const { x, y } = place(event);
    live.options().onSelect(operationUnder(scene, x, y));
    const clicked = placeUnder(scene, x, y);
    if (clicked !== null) live.options().onPlace?.(clicked);
  };
  element.addEventListener('pointerup', release, { signal });
  element.addEventListener('pointercancel', release, { signal });
  element.addEventListener('pointerleave', () => live.options().onHover(-1), { signal });
  element.addEventListener('wheel', (event) => turnWheel(live, event, place(event).x), {
    signal,
    passive: false,
  });
  return { stop: () => down.clear() };
}

function drag(live: LiveCanvas, across: number, along: number): void {
  live.change((port) => ({
    ...port,
    from: port.from - (across * port.span) / (port.width - port.gutter),
    top: port.top - along,
  }));
}

type Point = { readonly x: number; readonly y: number };

/** Zooms around the middle of two fingers, by the distance between them. */
function pinch(live: LiveCanvas, [a, b]: readonly Point[], last: Point, next: Point): void {
  const other = last === a ? b : a;
  const before = Math.max(8, Math.abs(last.x - other.x));
  const after = Math.max(8, Math.abs(next.x - other.x));
  const port = live.scene()?.port;
  if (port !== undefined) live.zoom(after / before, xToDrawn(port, (next.x + other.x) / 2));
}

/** The wheel scrolls the page until the chart was clicked; then it zooms, and with Shift it moves along. */
function turnWheel(live: LiveCanvas, event: WheelEvent, x: number): void {
  const port = live.scene()?.port;
  const isWanted = event.ctrlKey || event.metaKey || document.activeElement === live.element;
  if (port === undefined || !isWanted) return;
  event.preventDefault();
  if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    live.pan(((event.deltaX || event.deltaY) / 1000) * 1);
    return;
  }
  live.zoom(1.0015 ** -event.deltaY, xToDrawn(port, x));
}
