import type { DiagramScope, SequenceFlow, Shape } from './diagram.js';
import type { Box, Grid, GridCell, Point } from './geometry.js';
import { routeFlows } from './routes.js';

/**
 * A drawn scope: boxes of its shapes and points of its flows, also of open sub-processes inside.
 */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly boxes: Map<string, Box>;
  readonly lines: Map<string, readonly Point[]>;
}

const MARGIN = 30;
const TITLE = 26;
const EVENT = 36;

/** Draws a scope with all open sub-processes in it. */
export function draw(scope: DiagramScope): Drawing {
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

/** Gives each shape a layer behind its predecessors, and a lane that is free there. */
function placeShapes(scope: DiagramScope): Map<string, GridCell> {
  const hostOf = new Map(scope.shapes.map(({ id, on }) => [id, on ?? id]));
  const ways = scope.flows
    .filter(({ back }) => back !== true)
    .map(({ from, to }) => ({ from: hostOf.get(from) ?? from, to }))
    .filter(({ to }) => !scope.shapes.some(({ id, beside }) => id === to && beside !== undefined));
  const layers = layersOf(scope, ways);
  const cells = new Map<string, GridCell>();
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
      const { layer, lane } = cells.get(id) as GridCell;
      put(other, layer, lane + beside.side, beside.side);
    }
  }
  return cells;
}

function layerOf(layers: ReadonlyMap<string, number>, id: string): number {
  return layers.get(id) ?? 0;
}

/** The length of the longest path to each shape. */
function layersOf(
  scope: DiagramScope,
  ways: readonly Pick<SequenceFlow, 'from' | 'to'>[],
): Map<string, number> {
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
