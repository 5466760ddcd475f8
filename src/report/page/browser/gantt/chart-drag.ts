import { type LiveCanvas, laneOf, type Scene } from './scene.js';
import { timeToX, type Viewport, xToDrawn, yToRow } from './viewport.js';

/** A place that an operation may be dragged to, and the verdict on it. */
export interface PlaceVerdict {
  readonly machine: number;
  readonly start: number;
  readonly end: number;
  /** Whether it breaks no rule there. */
  readonly isFine: boolean;
  /** The verdict in words. */
  readonly text: string;
}

/** An operation that is dragged. */
export interface HeldOperation extends PlaceVerdict {
  readonly operation: number;
}

/** Makes operations draggable, along a machine and to the others that can do them. */
export interface ChartDrag {
  /** Whether an operation may be dragged. */
  canMove(operation: number): boolean;
  /** The machines that can do an operation, ascending. */
  machinesOf(operation: number): readonly number[];
  /**
   * The place of an operation near a time on a machine: on a grid of `grid` units, or at a time nearby to which it
   * snaps, such as the end of its predecessor.
   */
  place(operation: number, machine: number, time: number, grid: number): PlaceVerdict;
  /** Called when an operation is dropped. */
  drop(operation: number, start: number, machine: number): void;
}

/** Minimum number of pixels between two lines of the grid for dragging. */
const GRID_PIXELS = 5;
const GRIDS = [1, 5, 10, 15, 30, 60, 120, 240, 480];

/** The units of the grid for dragging: finer when zoomed in. */
function gridOf({ span, width, gutter }: Viewport): number {
  const least = (GRID_PIXELS * span) / (width - gutter);
  return GRIDS.find((units) => units >= least) ?? Math.ceil(least);
}

/** Moves the held operation to a time on a machine. */
function holdAt(
  live: LiveCanvas,
  scene: Scene,
  operation: number,
  { machine, time }: { readonly machine: number; readonly time: number },
): void {
  const { drag, onHold } = live.options();
  if (drag === null) return;
  const place = drag.place(operation, machine, Math.max(0, time), gridOf(scene.port));
  onHold({ operation, ...place });
}

/** The machine of the held operation, or of one that is not held. */
function machineOf({ held, view }: Scene, operation: number): number {
  return held?.operation === operation ? held.machine : view.machine[operation];
}

/** Drops an operation at its current place. */
export function dropHeld(live: LiveCanvas): void {
  const { drag, onHold } = live.options();
  const held = live.scene()?.held ?? null;
  onHold(null);
  const view = live.scene()?.view;
  if (held === null || view === undefined) return;
  const { operation, start, machine } = held;
  if (start === view.start[operation] && machine === view.machine[operation]) return;
  drag?.drop(operation, start, machine);
}

/** The grip of a pointer on an operation. */
export interface Grip {
  readonly operation: number;
  /** The distance of the pointer from its start, in drawn units. */
  readonly offset: number;
}

/**
 * The grip on an operation, if it may be dragged: by touch only if it is selected, since touch otherwise moves the
 * chart.
 */
export function gripOn(live: LiveCanvas, operation: number, event: PointerEvent): Grip | null {
  const scene = live.scene();
  if (scene === null || operation < 0 || event.button !== 0) return null;
  if (live.options().drag?.canMove(operation) !== true) return null;
  if (event.pointerType === 'touch' && scene.selected !== operation) return null;
  const x = event.clientX - live.element.getBoundingClientRect().left;
  const start = scene.port.map.toDrawn(scene.view.start[operation]);
  return { operation, offset: xToDrawn(scene.port, x) - start };
}

/** Share of the visible time by which a chart scrolls when an operation is dragged to its edge. */
const EDGE_SHARE = 0.02;
const EDGE_PIXELS = 16;

/** Drags an operation by a pointer; over a machine that cannot do it, it stays on the last one that can. */
export function dragTo(
  live: LiveCanvas,
  { operation, offset }: Grip,
  { x, y }: { readonly x: number; readonly y: number },
): void {
  const scene = live.scene();
  if (scene === null) return;
  const { port } = scene;
  if (x > port.width - EDGE_PIXELS) live.pan(EDGE_SHARE);
  if (x < port.gutter + EDGE_PIXELS) live.pan(-EDGE_SHARE);
  const { chart } = scene;
  const row = Math.min(Math.max(0, Math.floor(yToRow(port, y))), chart.rows.length - 1);
  const pointed = chart.indexAt(row);
  const canDo = live.options().drag?.machinesOf(operation) ?? [];
  const machine = canDo.includes(pointed) ? pointed : machineOf(scene, operation);
  holdAt(live, scene, operation, { machine, time: port.map.toTime(xToDrawn(port, x) - offset) });
}

/** Larger steps of the keyboard, with Shift. */
const LARGE_STEP = 12;

/** The action of a key on the selected or held operation; null if there is none. */
export function dragAction(live: LiveCanvas, event: KeyboardEvent): (() => void) | null {
  const scene = live.scene();
  const { drag, onHold } = live.options();
  if (scene === null || drag === null) return null;
  const { held, selected, port, view } = scene;
  const { key } = event;
  if (held === null) {
    if (key !== 'Enter' && key !== ' ') return null;
    if (selected < 0 || !drag.canMove(selected)) return null;
    const place = { machine: view.machine[selected], time: view.start[selected] };
    return () => holdAt(live, scene, selected, place);
  }
  if (key === 'Enter' || key === ' ') return () => dropHeld(live);
  if (key === 'Escape') return () => onHold(null);
  const { operation, machine } = held;
  const next = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (next !== undefined) {
    const machines = drag.machinesOf(operation);
    const to = machines[machines.indexOf(machine) + next];
    if (to === undefined) return null;
    return () => holdAt(live, scene, operation, { machine: to, time: held.start });
  }
  const side = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (side === undefined) return null;
  const step = side * gridOf(port) * (event.shiftKey ? LARGE_STEP : 1);
  return () => {
    holdAt(live, scene, operation, { machine, time: held.start + step });
    const x = timeToX(port, held.start + step);
    if (x > port.width - 2 * EDGE_PIXELS || x < port.gutter) live.center(held.start + step);
  };
}

/** Paints the dragged operation at its new place, with the verdict. */
export function paintHeld(context: CanvasRenderingContext2D, scene: Scene): void {
  const { held, port, colours, chart } = scene;
  if (held === null) return;
  const { y, height } = laneOf(scene, chart.rowAt(held.machine));
  const left = timeToX(port, held.start);
  const width = Math.max(4, timeToX(port, held.end) - left);
  const colour = held.isFine ? colours.focus : colours.bad;
  context.globalAlpha = 0.75;
  context.fillStyle = colours.ground;
  context.fillRect(left, y, width, height);
  context.globalAlpha = 1;
  context.strokeStyle = colour;
  context.lineWidth = 3;
  context.setLineDash(held.isFine ? [] : [5, 3]);
  context.strokeRect(left + 1, y, width - 2, height);
  context.setLineDash([]);
  context.fillStyle = colour;
  context.fillRect(left - 0.5, port.axis, 1, port.height);
  paintVerdict(context, scene, held.text, { left, y, height });
}

function paintVerdict(
  context: CanvasRenderingContext2D,
  { port, colours, held }: Scene,
  text: string,
  { left, y, height }: { readonly left: number; readonly y: number; readonly height: number },
): void {
  context.font = '600 13px system-ui, "DejaVu Sans", sans-serif';
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  const lines = linesOf(context, text, port.width - port.gutter - 24);
  const width = Math.max(...lines.map((line) => context.measureText(line).width)) + 16;
  const tall = 18 * lines.length + 6;
  const x = Math.max(port.gutter, Math.min(left, port.width - width - 2));
  const below = y + height + 4;
  const top = below + tall <= port.height ? below : y - tall - 4;
  context.fillStyle = colours.ground;
  context.fillRect(x, top, width, tall);
  context.strokeStyle = held?.isFine ? colours.focus : colours.bad;
  context.lineWidth = 1.5;
  context.strokeRect(x, top, width, tall);
  context.fillStyle = held?.isFine ? colours.ink : colours.bad;
  for (const [i, line] of lines.entries()) context.fillText(line, x + 8, top + 12.5 + 18 * i);
}

/** Breaks a text into lines that fit. */
function linesOf(context: CanvasRenderingContext2D, text: string, room: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const longer = `${lines[lines.length - 1]} ${word}`.trim();
    if (lines[lines.length - 1] === '' || context.measureText(longer).width <= room) {
      lines[lines.length - 1] = longer;
    } else lines.push(word);
  }
  return lines;
}
