import { InputError } from '@alas-jssp/core/errors';
import type { Instance } from '../../jssp/instance.js';
import type { Schedule } from '../../jssp/schedule.js';
import { refuseUnlessPlain } from '../../jssp/shop-parts.js';
import { semiActive } from '../../jssp/timing.js';
import { sequencesOf } from '../evolution/solution.js';
import { dispatch } from './dispatch.js';
import { checkFrozen } from './frontier.js';
import { createPartialOrder, type PartialOrder } from './partial-order.js';

/** The size limit of {@link insertion}, whose work grows quadratically. */
export const MAX_INSERTION_OPERATIONS = 20_000;

/**
 * The insertion heuristic INSA of Nowicki and Smutnicki 1996, doi:10.1287/mnsc.42.6.797.
 *
 * 1. The job with the most work is placed on the machines first.
 * 2. All other operations follow by duration, the longest first (equal ones by number). Each is inserted into the order
 *   of its machine at the position where the longest path through it is shortest, or the first such position. Paths are
 *   those in the graph of all job orders and the machine orders so far.
 *
 * A position costs O(1): the path is the longer of the two heads before it, the duration, and the longer of the two
 * tails after it. That is exact unless the position closes a cycle, and such a position is never the shortest. If `op`
 * must precede x and is placed after x, the path takes at least `head[x] + duration[x] + duration[op] + tail[op]`,
 * while right before the first such x it takes at most `head[x] + duration[op] + tail[op]`; likewise at the other end.
 * So no search for cycles is needed. An insertion costs O(N) at most, for heads and tails.
 *
 * Releases count in the heads; operations of zero duration are not in machine orders; frozen operations come first on
 * their machines, in the order of their starts. The search ignores calendars: the finished orders are timed with them.
 *
 * Where operations have alternatives, it uses the modes that the rule MWKR chooses.
 *
 * @throws InputError `not_modelled` for shops with setups, transport, precedence graphs or resources
 * @throws InputError `too_large` beyond {@link MAX_INSERTION_OPERATIONS}
 * @throws AlasError `frozen_after_free` if a job has a frozen operation after a free one; `frozen_unreachable` if
 *   frozen starts contradict each other
 */
export function insertion(given: Instance): Schedule {
  refuseUnlessPlain(given, 'the insertion heuristic');
  const instance = given.modes === null ? given : dispatch(given, { rule: 'mwkr' }).instance;
  const { operations, name, machine } = instance;
  if (operations > MAX_INSERTION_OPERATIONS) {
    throw new InputError(
      'too_large',
      `insertion takes at most ${MAX_INSERTION_OPERATIONS} operations and ${name} has ${operations}`,
      'use dispatch:best',
      {},
      operations,
    );
  }
  const partial = createPartialOrder(instance);
  for (const op of frozenOperations(instance)) partial.insert(op, partial.last[machine[op]]);
  const frozenEnd = partial.last.slice();

  const { first, rest } = insertionOrder(instance, partial.placed);
  for (const op of first) partial.insert(op, partial.last[machine[op]]);
  for (const op of rest) partial.insert(op, bestPosition(instance, partial, op, frozenEnd));
  return semiActive(instance, sequencesOf(instance, partial.order));
}

/** The operations of the job with the most work, and all others by decreasing duration. */
function insertionOrder(
  instance: Instance,
  placed: Uint8Array,
): { first: number[]; rest: number[] } {
  const { jobs, operations, duration, jobOf } = instance;
  const work = new Float64Array(jobs);
  for (let op = 0; op < operations; op++) work[jobOf[op]] += duration[op];
  const longest = work.indexOf(work.reduce((a, b) => Math.max(a, b)));
  const first: number[] = [];
  const rest: number[] = [];
  for (let op = 0; op < operations; op++) {
    if (placed[op] === 0 && duration[op] > 0) (jobOf[op] === longest ? first : rest).push(op);
  }
  rest.sort((a, b) => duration[b] - duration[a] || a - b);
  return { first, rest };
}

/** The operation after which `op` has the shortest longest path through it; −1 for the front. */
function bestPosition(
  { machine, duration }: Instance,
  partial: PartialOrder,
  op: number,
  frozenEnd: Int32Array,
): number {
  const { head, tail, first, behind } = partial;
  const k = machine[op];
  // Before it is placed, the head and tail of `op` are those of its job.
  let position = frozenEnd[k];
  let best = position;
  let shortest = Number.POSITIVE_INFINITY;
  for (;;) {
    const follower = position < 0 ? first[k] : behind[position];
    const early = position < 0 ? 0 : head[position] + duration[position];
    const late = follower < 0 ? 0 : duration[follower] + tail[follower];
    const path = Math.max(head[op], early) + Math.max(tail[op], late);
    if (path < shortest) {
      shortest = path;
      best = position;
    }
    if (follower < 0) return best;
    position = follower;
  }
}

/** The frozen operations that occupy a machine, by start. */
function frozenOperations(instance: Instance): number[] {
  const { frozen, operations, duration } = instance;
  if (frozen === null) return [];
  checkFrozen(instance, frozen);
  const found: number[] = [];
  for (let op = 0; op < operations; op++) {
    if (frozen[op] >= 0 && duration[op] > 0) found.push(op);
  }
  return found.sort((a, b) => frozen[a] - frozen[b] || a - b);
}
