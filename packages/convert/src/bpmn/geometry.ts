import type { DiagramScope } from './diagram.js';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/** The grid position of a shape: its layer along the flow, and its lane across it. */
export interface GridCell {
  readonly layer: number;
  readonly lane: number;
}

/** Shapes on a grid. The flow runs to the right or, if there are open sub-processes, downwards. */
export interface Grid {
  readonly scope: DiagramScope;
  readonly cells: ReadonlyMap<string, GridCell>;
  /** Sizes along and across the flow. */
  readonly sizes: ReadonlyMap<string, { readonly along: number; readonly across: number }>;
  /** The shape to whose border an event is attached. */
  readonly hosts: ReadonlyMap<string, string>;
}

/** The position of a name: above a gateway to the left, below a start or end event, else above. */
export function labelBox({ x, y, width, height }: Box, type: string, name: string): Box {
  const wide = Math.min(90, 7 * name.length + 4);
  const high = 14 * Math.ceil((7 * name.length) / wide);
  const box = { width: wide, height: high };
  if (type.endsWith('Gateway')) return { ...box, x: x - wide + 16, y: y - high + 8 };
  if (type.endsWith('BoundaryEvent')) {
    if (wide > 50) return { ...box, x: x + width + 2, y: y + height - 8 };
    return { ...box, x: x + width / 2 - wide - 3, y: y + height + 1 };
  }
  const above = type.endsWith('CatchEvent');
  return { ...box, x: x + (width - wide) / 2, y: above ? y - high - 2 : y + height + 4 };
}

/** The position of a flow's name: at its first horizontal part with room, else its longest. */
export function edgeLabel(points: readonly Point[], name: string): Box {
  const parts = points.slice(1).map((point, k) => [points[k], point] as const);
  const lengthOf = ([a, b]: readonly [Point, Point]) => Math.abs(a.x - b.x) + Math.abs(a.y - b.y);
  const longest = parts.reduce((best, part) =>
    lengthOf(part) > lengthOf(best) + 30 ? part : best,
  );
  const roomy = parts.find((part) => part[0].y === part[1].y && lengthOf(part) >= 60);
  const [a, b] = roomy ?? longest;
  const flat = a.y === b.y;
  const width = Math.min(flat ? Math.max(40, Math.abs(a.x - b.x) - 8) : 90, 6.5 * name.length + 6);
  const height = 14 * Math.ceil((6.5 * name.length) / width);
  if (flat) return { x: (a.x + b.x - width) / 2, y: a.y - height - 3, width, height };
  return { x: a.x + 5, y: (a.y + b.y - height) / 2, width, height };
}
