import { InputError } from '@alas-jssp/core/errors';
import { atTarget, maxIterations } from '@alas-jssp/core/stopping';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCalendar } from '../../src/jssp/calendar.js';
import { generateRandom, withDueDates } from '../../src/jssp/generator.js';
import { type Instance, instanceFromJobs, replaceInstance } from '../../src/jssp/instance.js';
import { objectives, objectiveValue } from '../../src/jssp/objectives.js';
import { createSchedule } from '../../src/jssp/schedule.js';
import { resolveSource } from '../../src/jssp/suites.js';
import { semiActive } from '../../src/jssp/timing.js';
import { dispatch } from '../../src/search/construct/dispatch.js';
import { optimize } from '../../src/search/optimize.js';
import type { OptimizeOptions } from '../../src/search/optimize-options.js';
import { validate } from '../../src/validator/index.js';
import { arbitraryInstanceAndSequences } from '../arbitraries.js';
import { arbitraryExecution } from './arbitrary-execution.js';
import { arbitraryPinned, arbitraryTinyPinned } from './arbitrary-pinned.js';
import { optimum } from './bounds/optimum.js';

const never = () => false;

describe('optimize', () => {
  it('stops at an optimum that it can prove, and calls no other schedule optimal', async () => {
    const ft06 = await optimize(resolveSource('ft06').load(), { stop: never });
    expect(ft06).toMatchObject({ status: 'optimal', lowerBound: { value: 55 } });
    expect(ft06.schedule.makespan).toBe(55);
    const la21 = await optimize(resolveSource('la21').load(), { stop: atTarget(1100) });
    expect(la21.status).toBe('feasible');
    expect(la21.lowerBound.value).toBeLessThan(1046);
  });

  it('takes a bound from elsewhere, and names who proved it', async () => {
    const bound = { value: 1046, source: 'literature' };
    const la21 = await optimize(resolveSource('la21').load(), { stop: atTarget(1100), bound });
    expect(la21.lowerBound).toEqual(bound);
  });

  it('gives feasible schedules of instances in execution, never worse than the one to start from', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryExecution({ downtimes: true }),
        fc.nat(99),
        async (instance, seed) => {
          const start = dispatch(instance, { rule: 'random', seed });
          const { schedule } = await optimize(instance, {
            start,
            seed,
            iterations: 500,
            stop: never,
          });
          expect(validate(instance, schedule).violations).toEqual([]);
          expect(schedule.makespan).toBeLessThanOrEqual(start.makespan);
        },
      ),
      { numRuns: 100 },
    );
  });

  it.each([1, 2])(
    'repeats itself for equal seeds and iterations on %d threads',
    async (threads) => {
      const run = async (name: string, seed: number) => {
        const options = { seed, threads, iterations: 20_000, stop: never };
        const { schedule, stats, ...rest } = await optimize(resolveSource(name).load(), options);
        return { start: schedule.start, iterations: stats.iterations, ...rest };
      };
      const first = await run('la16', 1);
      expect(await run('la16', 1)).toEqual(first);
      expect((await run('la16', 2)).start).not.toEqual(first.start);
      // The bound is met before the iterations are used up, and that of la37 is proven in a thread.
      for (const name of ['ft06', 'la37', 'la06']) {
        expect(await run(name, 3)).toEqual(await run(name, 3));
      }
      expect((await run('la06', 3)).iterations).toBeLessThan(20_000);
    },
  );

  it.each(['la16', 'orb10'])(
    'ends by itself when the optimum of %s is proven beside it',
    async (name) => {
      const { load, bounds } = resolveSource(name);
      const bests: number[] = [];
      const { schedule, status, lowerBound } = await optimize(load(), {
        stop: never,
        onProgress: (progress) => bests.push(progress.lowerBound.value),
      });
      expect(status).toBe('optimal');
      expect(schedule.makespan).toBe(bounds?.upper);
      expect(lowerBound).toEqual({ value: bounds?.upper, source: 'destructive improvement' });
      expect(bests).toEqual(bests.toSorted((a, b) => a - b));
      expect(bests[0]).toBeLessThan(lowerBound.value);
    },
  );

  it.each([1, 2])('proves small random instances optimal on %d threads', async (threads) => {
    for (let seed = 0; seed < 5; seed++) {
      const instance = generateRandom({ jobs: 6, machines: 5, seed });
      const { status, schedule, lowerBound } = await optimize(instance, { stop: never, threads });
      expect(status).toBe('optimal');
      expect(lowerBound.value).toBe(schedule.makespan);
      expect(validate(instance, schedule).valid).toBe(true);
    }
  });

  it.each([1, 2])('returns its best when aborted, on %d threads', async (threads) => {
    const instance = resolveSource('ta41').load();
    const abort = new AbortController();
    const makespans: number[] = [];
    const { schedule, status } = await optimize(instance, {
      stop: never,
      threads,
      signal: abort.signal,
      onImprovement: ({ value }) => {
        makespans.push(value);
        if (makespans.length === 3) abort.abort();
      },
    });
    expect(status).toBe('interrupted');
    expect(validate(instance, schedule).valid).toBe(true);
    expect(schedule.makespan).toBeLessThanOrEqual(Math.min(...makespans));
    expect(makespans).toEqual([...makespans].sort((a, b) => b - a));
  });

  it('is rejected with the reason if aborted beforehand, or returns the schedule to start from', async () => {
    const instance = resolveSource('la01').load();
    const signal = AbortSignal.abort('no longer wanted');
    await expect(optimize(instance, { stop: never, signal })).rejects.toBe('no longer wanted');
    const start = dispatch(instance, { rule: 'random' });
    const { schedule, status } = await optimize(instance, { stop: never, signal, start });
    expect(status).toBe('interrupted');
    expect(schedule.makespan).toBeLessThanOrEqual(start.makespan);
  });

  it.each([
    { threads: 1, iterations: undefined },
    { threads: 2, iterations: undefined },
    { threads: 1, iterations: 1e9 },
  ])('has a schedule when aborted before its first iteration: %o', async (options) => {
    const instance = resolveSource('ta21').load();
    const abort = new AbortController();
    const result = optimize(instance, { ...options, stop: never, signal: abort.signal });
    abort.abort();
    const { schedule, status, lowerBound } = await result;
    expect(status).toBe('interrupted');
    expect(validate(instance, schedule).valid).toBe(true);
    expect(lowerBound.value).toBeLessThanOrEqual(schedule.makespan);
  });

  it('is rejected with the reason if a large instance has no schedule yet', async () => {
    const instance = generateRandom({ jobs: 110, machines: 100, seed: 1 });
    const abort = new AbortController();
    const result = optimize(instance, {
      stop: never,
      signal: abort.signal,
      onProgress: ({ best }) => {
        if (best === Number.POSITIVE_INFINITY) abort.abort('no longer wanted');
      },
    });
    await expect(result).rejects.toBe('no longer wanted');
  });

  it.each([1, 2])('stops at once if requested, with a schedule, on %d threads', async (threads) => {
    const instance = resolveSource('la21').load();
    const { schedule, status } = await optimize(instance, { stop: maxIterations(0), threads });
    expect(status).toBe('feasible');
    expect(validate(instance, schedule).valid).toBe(true);
  });

  it('searches a large instance in a thread, and not before there is a schedule', async () => {
    const instance = generateRandom({ jobs: 110, machines: 100, seed: 1 });
    const { schedule, stats } = await optimize(instance, { stop: maxIterations(0) });
    expect(validate(instance, schedule).valid).toBe(true);
    expect(stats.threads).toBe(1);
  });

  it('refuses numbers of threads and iterations that are none', async () => {
    const instance = resolveSource('la01').load();
    for (const wrong of [{ threads: 0 }, { threads: 1.5 }, { iterations: -1 }]) {
      await expect(optimize(instance, { stop: never, ...wrong })).rejects.toThrow(InputError);
    }
  });

  it('takes a budget as an object, as a text, and as iterations of the first version', async () => {
    const instance = resolveSource('la21').load();
    const of = async (options: OptimizeOptions) => {
      const { schedule, stats } = await optimize(instance, options);
      return { start: schedule.start, iterations: stats.iterations };
    };
    const expected = await of({ budget: { iterations: 400 } });
    expect(expected.iterations).toBe(400);
    expect(await of({ budget: '400-iterations' })).toEqual(expected);
    expect(await of({ iterations: 400, stop: never })).toEqual(expected);
    const { value } = await optimize(instance, { budget: 'target:1150' });
    expect(value).toBeLessThanOrEqual(1150);
    await expect(optimize(instance, {})).rejects.toThrow("give a budget, such as '10s'");
    await expect(optimize(instance, { budget: {} })).rejects.toThrow('limits nothing');
  });

  it('does not walk in circles where machines are down', async () => {
    const ft10 = resolveSource('ft10').load();
    const machines = Array.from({ length: 10 }, (_, machine) => machine);
    const down = machines.map((machine) => ({ machine, from: 300, to: 500, resumable: false }));
    const instance = replaceInstance(ft10, { calendar: createCalendar(10, down) });
    const { value } = await optimize(instance, { stop: never, iterations: 20_000 });
    // By estimates without a calendar in the tails it stood still at 1230, for 200,000 iterations.
    expect(value).toBeLessThan(1230);
  });

  it.each([1, 3])('makes no more iterations than it may, on %d threads', async (threads) => {
    const instance = resolveSource('ft10').load();
    const { stats } = await optimize(instance, { stop: never, iterations: 100, threads });
    expect(stats.iterations).toBe(100);
  });

  it('refuses an objective that there is not', async () => {
    const options = { stop: never, objective: 'tardiness' as 'makespan' };
    await expect(optimize(resolveSource('ft06').load(), options)).rejects.toThrow(
      "there is no objective 'tardiness'; use makespan or total-weighted-tardiness",
    );
  });

  it('is rejected with the reason if aborted while limits are broken', async () => {
    const la38 = resolveSource('la38').load();
    const instance = replaceInstance(la38, { deadline: new Int32Array(15).fill(1190) });
    const abort = new AbortController();
    const found = optimize(instance, {
      stop: never,
      signal: abort.signal,
      onProgress: ({ iterations }) => iterations > 0 && abort.abort('enough'),
    });
    await expect(found).rejects.toBe('enough');
  });

  it('does not believe the schedule to start from', async () => {
    const instance = resolveSource('ft06').load();
    const start = createSchedule(instance, new Int32Array(instance.operations));
    const { schedule, value } = await optimize(instance, { stop: never, iterations: 10, start });
    expect(validate(instance, schedule).valid).toBe(true);
    expect(value).toBe(schedule.makespan);
  });

  it('refuses an incomplete schedule to start from', async () => {
    const instance = resolveSource('la01').load();
    const start = createSchedule(instance, new Int32Array(instance.operations).fill(-1));
    await expect(optimize(instance, { stop: never, start })).rejects.toThrow('incomplete');
  });
});

/** What a search of so many iterations finds; null if it says that nothing keeps all limits. */
async function find(instance: Instance, options: Partial<Parameters<typeof optimize>[1]>) {
  try {
    return await optimize(instance, { stop: never, iterations: 300, ...options });
  } catch (error) {
    expect(error).toMatchObject({ code: 'no_feasible_schedule' });
    return null;
  }
}

describe('optimize for total-weighted-tardiness', () => {
  const objective = 'total-weighted-tardiness';

  it('breaks ties by the makespan where no job is tardy, as enumeration does', async () => {
    const seen = { shops: 0, missed: 0 };
    const size = { maxJobs: 4, maxMachines: 3, maxLength: 3, releases: true, downtimes: true };
    const cases = arbitraryInstanceAndSequences(size).filter(
      ([{ operations }]) => operations >= 4 && operations <= 9,
    );
    await fc.assert(
      fc.asyncProperty(cases, fc.nat(99), async ([free, sequences], seed) => {
        // Easy to meet: what some schedule comes to, and more.
        const { end } = semiActive(free, sequences);
        const due = Int32Array.from({ length: free.jobs }, (_, job) =>
          free.jobOffset[job] < free.jobOffset[job + 1]
            ? end[free.jobOffset[job + 1] - 1] + 20
            : -1,
        );
        const shop = replaceInstance(free, { due });
        const least = optimum(replaceInstance(free, { deadline: due }), { deadlines: true });
        const result = await optimize(shop, { objective, seed, budget: { iterations: 400 } });
        expect(result).toMatchObject({ value: 0, status: 'optimal' });
        expect(validate(shop, result.schedule).valid).toBe(true);
        seen.shops++;
        if (result.schedule.makespan > least) seen.missed++;
      }),
      { numRuns: 250, seed: 1 },
    );
    expect(seen.missed).toBeLessThanOrEqual(0.01 * seen.shops);
  });

  it.each([{ iterations: 100 }, { stop: never }])(
    'is optimal where it meets what the ranks on a machine come to, by %j',
    async (end) => {
      const three = instanceFromJobs('three', [[[0, 2]], [[0, 3]], [[0, 1]]]);
      const shop = replaceInstance(three, { due: Int32Array.of(0, 0, 50) });
      expect(await optimize(shop, { objective, ...end })).toMatchObject({
        status: 'optimal',
        value: 7,
        lowerBound: { value: 7, source: 'machine ranks' },
      });
    },
  );

  it('shortens a schedule without tardy jobs, and ends by itself', async () => {
    const la21 = withDueDates(resolveSource('la21').load(), 4);
    const first = dispatch(la21, { rule: 'mwkr' });
    expect(objectiveValue(first, objective)).toBe(0);
    const { value, schedule } = await optimize(la21, { objective, stop: never });
    expect(value).toBe(0);
    expect(schedule.makespan).toBeLessThan(1.1 * 1046);
    expect(schedule.makespan).toBeLessThan(first.makespan);
  });
});

describe.each(objectives)('optimize for %s', (objective) => {
  const shapes = { plain: {}, limits: { deadlines: true } };

  it.each(Object.entries(shapes))(
    'finds the optimum of nearly all tiny shops in execution, calls nothing else optimal, and keeps limits: %s',
    async (_, shape) => {
      const seen = { shops: 0, missed: 0, optimal: 0, impossible: 0, tardy: 0 };
      await fc.assert(
        fc.asyncProperty(arbitraryTinyPinned(shape), fc.nat(99), async (instance, seed) => {
          const least = optimum(instance, { objective, deadlines: true });
          const result = await find(instance, { objective, seed });
          seen.shops++;
          if (result === null) {
            expect(least).toBe(Number.POSITIVE_INFINITY);
            seen.impossible++;
            return;
          }
          const { schedule, value, lowerBound, status } = result;
          expect(validate(instance, schedule).violations).toEqual([]);
          expect(value).toBe(objectiveValue(schedule, objective));
          expect(value).toBeGreaterThanOrEqual(least);
          expect(lowerBound.value).toBeLessThanOrEqual(least);
          expect(status).toBe(value === lowerBound.value ? 'optimal' : 'feasible');
          if (value > least) seen.missed++;
          if (status === 'optimal') seen.optimal++;
          if (value > 0) seen.tardy++;
        }),
        { numRuns: 250, seed: 1 },
      );
      expect(seen.missed).toBeLessThanOrEqual(0.01 * seen.shops);
      expect(seen.tardy).toBeGreaterThan(50);
      expect(seen.optimal).toBeGreaterThan(0.3 * (seen.shops - seen.impossible));
      if ('deadlines' in shape) expect(seen.impossible).toBeGreaterThan(20);
    },
  );

  it('is never worse than the schedule to start from, whose deadlines it keeps', async () => {
    const cases = arbitraryPinned({ dueDates: true, weights: true });
    await fc.assert(
      fc.asyncProperty(cases, fc.nat(99), async ([shop, starts], seed) => {
        const { jobs, jobOffset } = shop;
        const { end } = createSchedule(shop, starts);
        const ends = Int32Array.from({ length: jobs }, (_, job) =>
          jobOffset[job] < jobOffset[job + 1] ? end[jobOffset[job + 1] - 1] : -1,
        );
        const deadline = ends.map((time, job) => (job % 2 === 0 ? time : -1));
        const instance = replaceInstance(shop, { deadline });
        const start = createSchedule(instance, starts);
        const result = await find(instance, { objective, seed, start, iterations: 100 });
        expect(result?.value).toBeLessThanOrEqual(objectiveValue(start, objective));
        if (result !== null) expect(validate(instance, result.schedule).violations).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it.each([1, 2])('repeats itself for equal seeds on %d threads', async (threads) => {
    const instance = withDueDates(resolveSource('la16').load(), 1.3);
    const run = async (seed: number) => {
      const options = { objective, seed, threads, iterations: 4000, stop: never };
      const { schedule, value, status } = await optimize(instance, options);
      return { start: schedule.start, value, status };
    };
    const first = await run(1);
    expect(await run(1)).toEqual(first);
    expect((await run(2)).start).not.toEqual(first.start);
  });

  it('says why where no schedule can be feasible', async () => {
    const shop = instanceFromJobs('shop', [[[0, 5]], [[0, 4]]]);
    const late = replaceInstance(shop, { deadline: Int32Array.of(-1, 3) });
    await expect(optimize(late, { objective, stop: never })).rejects.toThrow(
      'no schedule of shop is feasible: job 2 has the deadline 3, but is not done before 4',
    );
    // Each can be met, but not both.
    const both = replaceInstance(shop, { deadline: Int32Array.of(6, 6) });
    const searched = optimize(both, { objective, stop: maxIterations(100) });
    await expect(searched).rejects.toThrow('keeps every deadline and every pinned start');
  });
});
