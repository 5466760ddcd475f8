import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atTarget, maxIterations } from '../../src/core/stopping.js';
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
      const instance = resolveSource('la16').load();
      const run = async (seed: number) =>
        (await optimize(instance, { seed, threads, iterations: 20_000, stop: never })).schedule;
      const first = await run(1);
      expect((await run(1)).start).toEqual(first.start);
      expect((await run(2)).start).not.toEqual(first.start);
    },
  );

  it.each([1, 2])('returns its best when aborted, on %d threads', async (threads) => {
    const instance = resolveSource('ta41').load();
    const abort = new AbortController();
    const makespans: number[] = [];
    const { schedule, status } = await optimize(instance, {
      stop: never,
      threads,
      signal: abort.signal,
      onImprovement: ({ makespan }) => {
        makespans.push(makespan);
        if (makespans.length === 3) abort.abort();
      },
    });
    expect(status).toBe('interrupted');
    expect(validate(instance, schedule).valid).toBe(true);
    expect(schedule.makespan).toBeLessThanOrEqual(Math.min(...makespans));
    expect(makespans).toEqual([...makespans].sort((a, b) => b - a));
  });

  it('stops by its criterion, but not before there is a schedule', async () => {
    const instance = resolveSource('la01').load();
    const { schedule } = await optimize(instance, { stop: maxIterations(0) });
    expect(validate(instance, schedule).valid).toBe(true);
  });

  it('refuses an incomplete schedule to start from', async () => {
    const instance = resolveSource('la01').load();
    const start = createSchedule(instance, new Int32Array(instance.operations).fill(-1));
    await expect(optimize(instance, { stop: never, start })).rejects.toThrow('incomplete');
  });
});
