import type { Scope } from './diagram.js';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
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
