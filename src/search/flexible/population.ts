import type { Random } from '@alas-jssp/core/random';
import { orderByTime } from '../evolution/solution.js';
import type { ModedOrder } from './construct.js';
import { type FlexibleSolution, flexibleDistance } from './solution.js';

/** The better half of a population. */
export function bestHalf(members: readonly FlexibleSolution[]): FlexibleSolution[] {
  return members.toSorted((a, b) => a.cost - b.cost).slice(0, Math.ceil(members.length / 2));
}

/**
 * A solution between two members: operations in the order of averaged start times, each in the mode of one parent. The
 * weight of the first parent, in both, is drawn from the range `leastWeight` to 1 − `leastWeight`.
 */
export function crossOver(
  members: readonly FlexibleSolution[],
  leastWeight: number,
  random: Random,
): ModedOrder {
  const one = random.integer(0, members.length - 1);
  const other = (one + random.integer(1, members.length - 1)) % members.length;
  const weight = leastWeight + (1 - 2 * leastWeight) * random.next();
  const a = members[one];
  const b = members[other];
  const times = Float64Array.from(a.start, (time, op) => weight * time + (1 - weight) * b.start[op]);
  const mode = Int32Array.from(a.mode, (chosen, op) =>
    chosen === b.mode[op] || random.next() < weight ? chosen : b.mode[op],
  );
  return { order: orderByTime(times), mode };
}

/** The mean distance between members. */
export function meanDistance(members: readonly FlexibleSolution[]): number {
  const distances = members.flatMap((member, i) =>
    members.slice(i + 1).map((other) => flexibleDistance(member, other)),
  );
  return distances.reduce((sum, each) => sum + each, 0) / Math.max(1, distances.length);
}

/**
 * Adds a child to the population, and removes one solution. The best solution stays first; then, in order of cost, each
 * solution that has at least the given distance from all that stay; then, repeatedly, the remaining solution that is
 * farthest from them (Constantino and Segura 2022, doi:10.1007/s10489-021-02406-2).
 *
 * @returns whether the child stays
 */
export function replaceApart(
  members: FlexibleSolution[],
  child: FlexibleSolution,
  apart: number,
): boolean {
  const rest = [...members, child];
  const nearest = rest.map(() => Number.POSITIVE_INFINITY);
  while (rest.length > 1) {
    const rank = (i: number) => (nearest[i] < apart ? nearest[i] - apart : 1 / (1 + rest[i].cost));
    const next = rest.reduce((best, _, i) => (rank(i) > rank(best) ? i : best), 0);
    const [chosen] = rest.splice(next, 1);
    nearest.splice(next, 1);
    for (const [i, other] of rest.entries()) {
      nearest[i] = Math.min(nearest[i], flexibleDistance(chosen, other));
    }
  }
  if (rest[0] === child) return false;
  members[members.indexOf(rest[0])] = child;
  return true;
}

/**
 * Adds a child to the population if it is better than the nearly equal member, or otherwise than the worst, which it
 * replaces.
 *
 * @returns whether the child stays
 */
export function replace(
  members: FlexibleSolution[],
  child: FlexibleSolution,
  leastDistance: number,
): boolean {
  const distances = members.map((member) => flexibleDistance(member, child));
  const nearest = distances.indexOf(Math.min(...distances));
  const worst = members.reduce((at, { cost }, i) => (cost > members[at].cost ? i : at), 0);
  const place = distances[nearest] < leastDistance ? nearest : worst;
  if (child.cost >= members[place].cost) return false;
  members[place] = child;
  return true;
}
