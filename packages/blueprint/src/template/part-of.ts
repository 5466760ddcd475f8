import type { PartName } from '../drafting/part.js';

/** A prefix of the paths of a compiled workflow, and the part that its values come from. */
export type PlaceOfPart = readonly [prefix: string, part: PartName];

/** Maps paths of a compiled workflow, such as `$.nodes[3].input.amount`, to parts: the longest prefix decides. */
export function partsByPath(places: readonly PlaceOfPart[]): (path: string) => PartName {
  const sorted = [...places].sort(([a], [b]) => b.length - a.length);
  return (path) => sorted.find(([prefix]) => isInside(path, prefix))?.[1] ?? 'nodes';
}

function isInside(path: string, prefix: string): boolean {
  if (!path.startsWith(prefix)) return false;
  const next = path[prefix.length];
  return next === undefined || next === '.' || next === '[';
}
