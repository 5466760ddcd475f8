import { setImmediate } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { resolveSource } from '../../../src/jssp/suites.js';
import { strongLowerBound } from '../../../src/search/bounds/strong-lower-bound.js';
import { optimize } from '../../../src/search/optimize.js';
import { validate } from '../../../src/validator/index.js';

const died = { message: expect.stringMatching(/^its thread ended early, with code [01]$/) };
const ta41 = resolveSource('ta41').load();

/** The threads of a search, in the order in which they are started: islands first. */
const threads: Worker[] = [];
/** How many of them are ended as soon as they are at work. */
let doomed = 0;
const note = (worker: Worker) => {
  if (threads.push(worker) <= doomed) worker.once('online', () => void worker.terminate());
};
process.on('worker', note);
beforeEach(async () => {
  // Word of a thread comes with the next tick, which may be after the end of a test.
  await setImmediate();
  threads.length = 0;
  doomed = 0;
});
afterAll(() => void process.off('worker', note));

describe('a search that is not to prove beside', () => {
  it('starts no thread of its own, and has what propagation proves from the beginning', async () => {
    const la21 = resolveSource('la21').load();
    const bounds = new Set<number>();
    await optimize(la21, {
      provesBeside: false,
      stop: ({ iterations }) => iterations > 50_000,
      onProgress: ({ lowerBound }) => bounds.add(lowerBound.value),
    });
    expect(threads).toEqual([]);
    expect([...bounds]).toEqual([strongLowerBound(la21, { maxNodes: 0 }).value]);
  });

  it('ends by itself when it meets that bound', async () => {
    const la06 = resolveSource('la06').load();
    const { status } = await optimize(la06, { provesBeside: false, stop: () => false });
    expect(status).toBe('optimal');
  });

  it('does not prove for longer than it may search', async () => {
    const ta21 = resolveSource('ta21').load();
    const { lowerBound } = await optimize(ta21, { provesBeside: false, stop: () => true });
    expect(lowerBound.value).toBeLessThan(strongLowerBound(ta21, { maxNodes: 0 }).value);
  });
});

describe('a search that loses a thread', () => {
  it('continues with the others, and reports it', async () => {
    doomed = 1;
    const { schedule, stats, status } = await optimize(ta41, {
      threads: 2,
      stop: ({ iterations }) => iterations > 20_000 && threads[0].threadId === -1,
    });
    expect(status).toBe('feasible');
    expect(stats).toMatchObject({ threads: 2, lost: [died] });
    expect(validate(ta41, schedule).valid).toBe(true);
  });

  it('goes on without the one that proves bounds', async () => {
    doomed = 1;
    const la21 = resolveSource('la21').load();
    const { stats } = await optimize(la21, {
      stop: ({ iterations }) => iterations > 50_000 && threads[0].threadId === -1,
    });
    expect(stats).toMatchObject({ threads: 1, lost: [died] });
  });

  it('ends with its best if there are no others', async () => {
    const bests: number[] = [];
    const { schedule, stats } = await optimize(ta41, {
      threads: 2,
      stop: () => false,
      onImprovement: ({ value }) => bests.push(value),
      onProgress: ({ iterations }) => {
        if (iterations > 0) for (const thread of threads) void thread.terminate();
      },
    });
    expect(stats.lost.length).toBeGreaterThanOrEqual(2);
    expect(schedule.makespan).toBeLessThanOrEqual(Math.min(...bests));
  });

  it('throws what ended them if none had found anything', async () => {
    doomed = 2;
    const search = optimize(ta41, { threads: 2, stop: () => false });
    await expect(search).rejects.toMatchObject(died);
  });
});
