import type { Random } from '@alas-jssp/core/random';
import { orderByTime } from '../evolution/solution.js';
import type { ModedOrder } from './construct.js';
import type { FlexibleSolution } from './solution.js';

/**
 * A solution between two members: operations in the order of averaged start times, each in the mode of one parent. The
 * weight of the first parent, in both, is drawn from the range `leastWeight` to 1 − `leastWeight`.
 */
export function crossModes(
  members: readonly FlexibleSolution[],
  leastWeight: number,
  random: Random,
): ModedOrder {
  const one = random.integer(0, members.length - 1);
  const other = (one + random.integer(1, members.length - 1)) % members.length;
  const weight = leastWeight + (1 - 2 * leastWeight) * random.next();
  const a = members[one];
  const b = members[other];
  const times = Float64Array.from(
    a.start,
    (time, op) => weight * time + (1 - weight) * b.start[op],
  );
  const mode = Int32Array.from(a.mode, (chosen, op) =>
    chosen === b.mode[op] || random.next() < weight ? chosen : b.mode[op],
  );
  return { order: orderByTime(times), mode };
}
