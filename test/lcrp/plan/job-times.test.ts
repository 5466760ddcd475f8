import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instanceFromJobs } from '../../../src/jssp/instance.js';
import { timesInJobOrder } from '../../../src/lcrp/plan/job-times.js';
import { arbitraryInstance } from '../../arbitraries.js';

/** One job of operations with these durations. */
const jobOf = (durations: readonly number[]) =>
  instanceFromJobs('job', [durations.map((duration) => [0, duration] as const)]);

function times(
  durations: readonly number[],
  claims: readonly (number | null)[],
  weights: readonly number[] = claims.map(() => 1),
): number[] {
  const claim = Float64Array.from(claims, (value) => value ?? Number.NaN);
  const weight = Uint8Array.from(weights, (value, op) => (claims[op] === null ? 0 : value));
  const fallback = claims.map(() => 0);
  return [...timesInJobOrder(jobOf(durations), claim, weight, fallback)];
}

/** Least cost of times in job order, by trying all differences that claims suggest. */
function leastCost(
  durations: readonly number[],
  claims: readonly number[],
  weights: readonly number[],
) {
  let work = 0;
  const wanted = claims.map((claim, op) => {
    const value = claim - work;
    work += durations[op];
    return value;
  });
  const values = [...new Set(wanted)].sort((a, b) => a - b);
  // Best cost so far by the last value, of which no greater one is needed.
  let best = values.map(() => 0);
  wanted.forEach((value, op) => {
    let least = Number.POSITIVE_INFINITY;
    best = best.map((cost, i) => {
      least = Math.min(least, cost);
      return least + weights[op] * Math.abs(values[i] - value);
    });
  });
  return Math.min(...best);
}

describe('times in job order', () => {
  it('are the claims where those let every step end before the next', () => {
    expect(times([3, 2, 4], [1, 4, 9])).toEqual([1, 4, 9]);
  });

  it('move a claim out of line and leave the others', () => {
    expect(times([1, 1, 1, 1], [900, 5, 6, 7])).toEqual([4, 5, 6, 7]);
    expect(times([1, 1, 1, 1], [4, 5, 6, 0])).toEqual([4, 5, 6, 7]);
  });

  it('move the weaker of two claims', () => {
    expect(times([1, 1], [9, 3], [2, 1])).toEqual([9, 10]);
    expect(times([1, 1], [9, 3], [1, 2])).toEqual([2, 3]);
  });

  it('put operations without a claim where the fallback says, between their neighbours', () => {
    const claim = Float64Array.of(Number.NaN, 10, Number.NaN, Number.NaN, 20, Number.NaN);
    const weight = Uint8Array.of(0, 1, 0, 0, 1, 0);
    const at = (fallback: number[]) => [
      ...timesInJobOrder(jobOf([2, 2, 2, 2, 2, 2]), claim, weight, fallback),
    ];
    expect(at([0, 0, 0, 15, 0, 99])).toEqual([0, 10, 12, 15, 20, 99]);
    expect(at([50, 0, 50, 0, 0, 0])).toEqual([8, 10, 16, 18, 20, 22]);
  });

  it('cost the least that is possible', () => {
    const row = fc.array(
      fc.record({ duration: fc.nat(5), claim: fc.nat(30), weight: fc.integer({ min: 1, max: 2 }) }),
      { minLength: 1, maxLength: 9 },
    );
    fc.assert(
      fc.property(row, (row) => {
        const durations = row.map(({ duration }) => duration);
        const claims = row.map(({ claim }) => claim);
        const weights = row.map(({ weight }) => weight);
        const found = times(durations, claims, weights);
        const cost = found.reduce(
          (sum, time, op) => sum + weights[op] * Math.abs(time - claims[op]),
          0,
        );
        expect(cost).toBe(leastCost(durations, claims, weights));
      }),
    );
  });

  it('are in the order of every job, whatever has a claim', () => {
    const claims = fc.infiniteStream(fc.option(fc.nat(60)));
    fc.assert(
      fc.property(arbitraryInstance(), claims, (instance, stream) => {
        const claim = Float64Array.from(instance.machine, () => stream.next().value ?? Number.NaN);
        const weight = Uint8Array.from(claim, (value) => (Number.isNaN(value) ? 0 : 1));
        const fallback = Int32Array.from(claim, () => stream.next().value ?? 0);
        const time = timesInJobOrder(instance, claim, weight, fallback);
        for (let op = 1; op < time.length; op++) {
          if (instance.jobOf[op] !== instance.jobOf[op - 1]) continue;
          expect(time[op]).toBeGreaterThanOrEqual(time[op - 1] + instance.duration[op - 1]);
        }
      }),
    );
  });
});
