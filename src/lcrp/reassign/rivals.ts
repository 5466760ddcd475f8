import type { ShopState } from './shop-state.js';

/** Whether the modes of two operations need the same operator or tool, in any phase. */
export function sharesResource({ instance, mode }: ShopState, op: number, other: number): boolean {
  const { resources } = instance;
  if (resources === null) return false;
  const { needOffset, needResource } = resources;
  for (let i = needOffset[mode[op]]; i < needOffset[mode[op] + 1]; i++) {
    for (let j = needOffset[mode[other]]; j < needOffset[mode[other] + 1]; j++) {
      if (needResource[i] === needResource[j]) return true;
    }
  }
  return false;
}

/** The operations that start before another one and share an operator or tool with it while it waits after `ready`. */
export function eachRival(
  state: ShopState,
  op: number,
  ready: number,
  visit: (rival: number) => void,
): void {
  const { instance, start, end, free, rank } = state;
  if (instance.resources === null || start[op] <= ready) return;
  for (let other = 0; other < end.length; other++) {
    if (free[other] === 0 || end[other] <= ready || rank[other] > rank[op]) continue;
    if (start[other] < start[op] && other !== op && sharesResource(state, op, other)) visit(other);
  }
}
