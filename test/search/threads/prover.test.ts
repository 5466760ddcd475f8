import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { lowerBound, simpleBound } from '../../../src/jssp/bounds.js';
import { createCalendar } from '../../../src/jssp/calendar.js';
import { generateRandom } from '../../../src/jssp/generator.js';
import { replaceInstance } from '../../../src/jssp/instance.js';
import { resolveSource } from '../../../src/jssp/suites.js';
import { strongLowerBound } from '../../../src/search/bounds/strong-lower-bound.js';
import { createProblem } from '../../../src/search/problem.js';
import {
  type Prover,
  proveBeforehand,
  proveInParallel,
} from '../../../src/search/threads/prover.js';

const la16 = resolveSource('la16').load();
const problem = createProblem(la16, 'makespan');
const elsewhere = { value: 900, source: 'literature' };

/** The bounds of a prover until it has one of at least so much. */
async function boundsUntil(prover: Prover, value: number): Promise<number[]> {
  const bounds = [prover.bound.value];
  for (; prover.bound.value < value; await setTimeout(1)) bounds.push(prover.bound.value);
  return [...bounds, prover.bound.value];
}

describe('proving beside the search', () => {
  it('has a bound at once, or the better one from elsewhere', () => {
    expect(proveInParallel(problem, undefined).bound).toEqual(lowerBound(la16));
    expect(proveInParallel(problem, elsewhere).bound).toEqual(elsewhere);
    expect(proveInParallel(problem, { value: 1, source: 'none' }).bound).toEqual(lowerBound(la16));
    const large = generateRandom({ jobs: 110, machines: 100, seed: 1 });
    expect(proveInParallel(createProblem(large, 'makespan'), undefined).bound).toEqual(
      simpleBound(large),
    );
  });

  it('raises its bound up to the best makespan reported to it', async () => {
    const prover = proveInParallel(problem, elsewhere);
    try {
      prover.reportMakespan(1100);
      expect((await boundsUntil(prover, 901))[0]).toBe(900);
      prover.reportMakespan(945);
      const bounds = await boundsUntil(prover, 945);
      expect(bounds).toEqual(bounds.toSorted((a, b) => a - b));
      expect(prover.bound).toEqual({ value: 945, source: 'destructive improvement' });
    } finally {
      prover.close();
    }
  });
});

describe('proving beside a search that has not met its limits yet', () => {
  it('waits for its first value', async () => {
    const prover = proveInParallel(problem, elsewhere);
    try {
      prover.reportMakespan(Number.POSITIVE_INFINITY);
      await setTimeout(200);
      expect(prover.bound).toEqual(elsewhere);
      prover.reportMakespan(945);
      expect((await boundsUntil(prover, 945)).at(-1)).toBe(945);
    } finally {
      prover.close();
    }
  });
});

describe('proving with all it has', () => {
  it('cannot be asked for before there is a thread, nor for large instances', () => {
    expect(proveInParallel(problem, undefined, 2).press()).toBe(false);
    const large = generateRandom({ jobs: 30, machines: 20, seed: 1 });
    const prover = proveInParallel(createProblem(large, 'makespan'), undefined, 2);
    prover.reportMakespan(1_000_000);
    expect(prover.press()).toBe(false);
    prover.close();
  });

  it('is not what a search rests for whose limits and downtimes proofs leave out', () => {
    const downtime = { machine: 0, from: 300, to: 500, resumable: false };
    const others = [
      { calendar: createCalendar(la16.machines, [downtime]) },
      { deadline: new Int32Array(la16.jobs).fill(1100) },
    ].map((change) => replaceInstance(la16, change));
    for (const instance of others) {
      const prover = proveInParallel(createProblem(instance, 'makespan'), undefined, 2);
      try {
        prover.reportMakespan(5000);
        expect(prover.press()).toBe(false);
      } finally {
        prover.close();
      }
    }
  });

  it('finds schedules, and the optimum', async () => {
    const prover = proveInParallel(problem, undefined, 2);
    try {
      prover.reportMakespan(1100);
      expect(prover.press()).toBe(true);
      await boundsUntil(prover, 945);
      expect(problem.scheduleOf(prover.solution as Int32Array).makespan).toBe(945);
      expect(prover.bound.value).toBe(945);
    } finally {
      prover.close();
    }
  });
});

describe('proving at rest', () => {
  it('goes on, more slowly', async () => {
    const prover = proveInParallel(problem, undefined, 1);
    try {
      prover.reportMakespan(945);
      prover.rest(true);
      expect((await boundsUntil(prover, 945)).at(-1)).toBe(945);
    } finally {
      prover.close();
    }
  });
});

describe('proving before the search', () => {
  it.each(['la16', 'ta21'])('goes as far with %s as propagation does', async (name) => {
    const instance = resolveSource(name).load();
    const prover = await proveBeforehand(
      createProblem(instance, 'makespan'),
      undefined,
      () => false,
    );
    expect(prover.bound).toEqual(strongLowerBound(instance, { maxNodes: 0 }));
  });

  it('takes the better bound from elsewhere', async () => {
    const known = { value: 945, source: 'literature' };
    expect((await proveBeforehand(problem, known, () => false)).bound).toEqual(known);
  });

  it('ends on request', async () => {
    const ta21 = resolveSource('ta21').load();
    const { bound } = await proveBeforehand(createProblem(ta21, 'makespan'), undefined, () => true);
    expect(bound.value).toBeLessThanOrEqual(strongLowerBound(ta21, { maxNodes: 0 }).value);
  });
});
