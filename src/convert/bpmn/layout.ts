import type { Flow, Scope, Shape } from './diagram.js';
import { routeFlows } from './routes.js';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/** A drawn scope: boxes of its shapes and points of its ways, also of open sub-processes inside. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly boxes: Map<string, Box>;
  readonly lines: Map<string, readonly Point[]>;
}

/** Where a shape stands: its layer along the flow, and its lane across it. */
export interface Cell {
  readonly layer: number;
  readonly lane: number;
}

/** Shapes on a grid. Along the flow is rightwards or, where there are open sub-processes, downwards. */
export interface Grid {
  readonly scope: Scope;
  readonly cells: ReadonlyMap<string, Cell>;
  /** Sizes along and across the flow. */
  readonly sizes: ReadonlyMap<string, { readonly along: number; readonly across: number }>;
  /** The shape on whose border an event stands. */
  readonly hosts: ReadonlyMap<string, string>;
}

const MARGIN = 30;
const TITLE = 26;
const EVENT = 36;

/** Draws a scope with all open sub-processes in it. */
export function draw(scope: Scope): Drawing {
  const inner = new Map<string, Drawing>();
  for (const { id, inside, closed } of scope.shapes) {
    if (inside !== undefined && !closed) inner.set(id, draw(inside));
  }
  const down = inner.size > 0;
  const sizes = new Map(
    scope.shapes.map((shape) => {
      const { width, height } = sizeOf(shape, inner.get(shape.id));
      const along = down ? height : width;
      return [shape.id, { along, across: down ? width : height }];
    }),
  );
  const hosts = new Map(
    scope.shapes.flatMap(({ id, on }) => (on === undefined ? [] : [[id, on] as const])),
  );
  const grid: Grid = { scope, cells: placeShapes(scope), sizes, hosts };
  const { boxes, lines, along, across } = routeFlows(grid);
  const turn = ({ x, y }: Point): Point => (down ? { x: y, y: x } : { x, y });
  const drawing: Drawing = {
    width: down ? across : along,
    height: down ? along : across,
    boxes: new Map(),
    lines: new Map(),
  };
  for (const [id, box] of boxes) {
    const { x, y } = turn(box);
    const [width, height] = down ? [box.height, box.width] : [box.width, box.height];
    drawing.boxes.set(id, { x, y, width, height });
  }
  for (const [id, points] of lines) drawing.lines.set(id, points.map(turn));
  for (const [id, part] of inner) embed(drawing, part, drawing.boxes.get(id) as Box);
  return drawing;
}

function embed({ boxes, lines }: Drawing, part: Drawing, { x, y }: Box): void {
  const shift = (point: Point) => ({ x: point.x + x + MARGIN, y: point.y + y + MARGIN + TITLE });
  for (const [id, box] of part.boxes) boxes.set(id, { ...box, ...shift(box) });
  for (const [id, points] of part.lines) lines.set(id, points.map(shift));
}

function sizeOf({ type, inside }: Shape, drawing: Drawing | undefined) {
  if (drawing !== undefined) {
    return { width: drawing.width + 2 * MARGIN, height: drawing.height + 2 * MARGIN + TITLE };
  }
  if (type.endsWith('Event')) return { width: EVENT, height: EVENT };
  if (type.endsWith('Gateway')) return { width: 50, height: 50 };
  return inside === undefined ? { width: 110, height: 80 } : { width: 120, height: 80 };
}

/** Gives each shape a layer behind those that lead to it, and a lane in which it is alone there. */
function placeShapes(scope: Scope): Map<string, Cell> {
  const hostOf = new Map(scope.shapes.map(({ id, on }) => [id, on ?? id]));
  const ways = scope.flows
    .filter(({ back }) => back !== true)
    .map(({ from, to }) => ({ from: hostOf.get(from) ?? from, to }))
    .filter(({ to }) => !scope.shapes.some(({ id, beside }) => id === to && beside !== undefined));
  const layers = layersOf(scope, ways);
  const cells = new Map<string, Cell>();
  const taken = new Set<string>();
  const put = (id: string, layer: number, wish: number, step: -1 | 1) => {
    let lane = wish;
    while (taken.has(`${layer}:${lane}`)) lane += step;
    taken.add(`${layer}:${lane}`);
    cells.set(id, { layer, lane });
  };
  const besides = scope.shapes.filter(({ beside }) => beside !== undefined);
  const main = scope.shapes.filter(({ on, beside }) => on === undefined && beside === undefined);
  const order = [...main].sort((a, b) => layerOf(layers, a.id) - layerOf(layers, b.id));
  for (const { id } of order) {
    const before = ways.filter(({ to }) => to === id).map(({ from }) => cells.get(from)?.lane ?? 0);
    const wish = before.length === 0 ? 0 : Math.min(...before);
    put(id, layerOf(layers, id), wish, 1);
    for (const { id: other, beside } of besides) {
      if (beside?.id !== id) continue;
      const { layer, lane } = cells.get(id) as Cell;
      put(other, layer, lane + beside.side, beside.side);
    }
  }
  return cells;
}

function layerOf(layers: ReadonlyMap<string, number>, id: string): number {
  return layers.get(id) ?? 0;
}

/** The length of the longest way to each shape. */
function layersOf(scope: Scope, ways: readonly Pick<Flow, 'from' | 'to'>[]): Map<string, number> {
  const layers = new Map<string, number>();
  const visit = (id: string): number => {
    const known = layers.get(id);
    if (known !== undefined) return known;
    layers.set(id, 0);
    const before = ways.filter(({ to }) => to === id).map(({ from }) => visit(from) + 1);
    const layer = Math.max(0, ...before);
    layers.set(id, layer);
    return layer;
  };
  for (const { id } of scope.shapes) visit(id);
  return layers;
}

/** The place of a name: above a gateway to the right, below an event. */
export function labelBox({ x, y, width, height }: Box, type: string, name: string): Box {
  const wide = Math.min(90, 7 * name.length + 4);
  const lines = Math.ceil((7 * name.length) / wide);
  if (type.endsWith('Gateway'))
    return { x: x + width - 10, y: y - 14 * lines + 4, width: wide, height: 14 * lines };
  if (type.endsWith('BoundaryEvent'))
    return { x: x + width + 2, y: y + height - 8, width: wide, height: 14 * lines };
  return { x: x + (width - wide) / 2, y: y + height + 4, width: wide, height: 14 * lines };
}

/** The place of the name of a way: beside its longest straight part. */
export function edgeLabel(points: readonly Point[], name: string): Box {
  let best: readonly [Point, Point] = [points[0], points[1]];
  const lengthOf = ([a, b]: readonly [Point, Point]) => Math.abs(a.x - b.x) + Math.abs(a.y - b.y);
  for (let k = 1; k < points.length; k++) {
    const part = [points[k - 1], points[k]] as const;
    if (lengthOf(part) > lengthOf(best) + 30) best = part;
  }
  const [a, b] = best;
  const flat = a.y === b.y;
  const width = Math.min(flat ? Math.max(40, Math.abs(a.x - b.x) - 8) : 90, 6.5 * name.length + 6);
  const height = 14 * Math.ceil((6.5 * name.length) / width);
  if (flat) return { x: (a.x + b.x - width) / 2, y: a.y - height - 3, width, height };
  return { x: a.x + 5, y: (a.y + b.y - height) / 2, width, height };
}
