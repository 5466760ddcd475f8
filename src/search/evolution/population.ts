import type { Random } from '@alas-jssp/core/random';
import { orderByTime, type Solution } from './solution.js';

/** The better half of a population. */
export function bestHalf<S extends Costed>(members: readonly S[]): S[] {
  return members.toSorted((a, b) => a.cost - b.cost).slice(0, Math.ceil(members.length / 2));
}

/**
 * An order between those of two members; the weight of the first one is drawn from the range `leastWeight` to 1 −
 * `leastWeight`.
 */
export function crossOver(
  members: readonly Solution[],
  leastWeight: number,
  random: Random,
): Int32Array {
  const one = random.integer(0, members.length - 1);
  const other = (one + random.integer(1, members.length - 1)) % members.length;
  const weight = leastWeight + (1 - 2 * leastWeight) * random.next();
  const { start: a } = members[one];
  const { start: b } = members[other];
  return orderByTime(Float64Array.from(a, (time, op) => weight * time + (1 - weight) * b[op]));
}

/** How far two members of a population are apart. */
type Distance<S> = (a: S, b: S) => number;

/** A member of a population; a lower cost is better. */
interface Costed {
  readonly cost: number;
}

/** The mean distance between members. */
export function meanDistance<S>(members: readonly S[], distance: Distance<S>): number {
  const distances = members.flatMap((member, i) =>
    members.slice(i + 1).map((other) => distance(member, other)),
  );
  return distances.reduce((sum, each) => sum + each, 0) / Math.max(1, distances.length);
}

/**
 * Adds a child to the population, and removes one solution. The best solution stays first; then, in order of cost, each
 * solution that has at least the given distance from all that stay; then, repeatedly, the remaining solution that is
 * farthest from them (replacement with a minimum distance: Constantino and Segura 2022,
 * doi:10.1007/s10489-021-02406-2).
 *
 * @returns whether the child stays
 */
export function replaceApart<S extends Costed>(
  members: S[],
  child: S,
  apart: number,
  distance: Distance<S>,
): boolean {
  const rest = [...members, child];
  const nearest = rest.map(() => Number.POSITIVE_INFINITY);
  while (rest.length > 1) {
    const rank = (i: number) => (nearest[i] < apart ? nearest[i] - apart : 1 / (1 + rest[i].cost));
    const next = rest.reduce((best, _, i) => (rank(i) > rank(best) ? i : best), 0);
    const [chosen] = rest.splice(next, 1);
    nearest.splice(next, 1);
    for (const [i, other] of rest.entries()) {
      nearest[i] = Math.min(nearest[i], distance(chosen, other));
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
export function replace<S extends Costed>(
  members: S[],
  child: S,
  leastDistance: number,
  distance: Distance<S>,
): boolean {
  const distances = members.map((member) => distance(member, child));
  const nearest = distances.indexOf(Math.min(...distances));
  const worst = members.reduce((at, { cost }, i) => (cost > members[at].cost ? i : at), 0);
  const place = distances[nearest] < leastDistance ? nearest : worst;
  if (child.cost >= members[place].cost) return false;
  members[place] = child;
  return true;
}
