import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/core/errors.js';
import { atTarget, maxIterations } from '../../src/core/stopping.js';
import { generateRandom } from '../../src/jssp/generator.js';
import { createSchedule } from '../../src/jssp/schedule.js';
import { resolveSource } from '../../src/jssp/suites.js';
import { dispatch } from '../../src/search/dispatch.js';
import { optimize } from '../../src/search/optimize.js';
import { validate } from '../../src/validator/index.js';
import { arbitraryExecution } from './arbitrary-execution.js';

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
    expect(schedule).toBe(start);
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

  it.each([1, 2])('stops at once if told to, with a schedule, on %d threads', async (threads) => {
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

  it('refuses an incomplete schedule to start from', async () => {
    const instance = resolveSource('la01').load();
    const start = createSchedule(instance, new Int32Array(instance.operations).fill(-1));
    await expect(optimize(instance, { stop: never, start })).rejects.toThrow('incomplete');
  });
});
