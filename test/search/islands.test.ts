import type { Worker } from 'node:worker_threads';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { resolveSource } from '../../src/jssp/suites.js';
import { optimize } from '../../src/search/optimize.js';
import { validate } from '../../src/validator/index.js';

const ta41 = resolveSource('ta41').load();

/** The threads of a search, in the order in which they are started: islands first. */
const threads: Worker[] = [];
/** Whether threads are ended as soon as they are at work. */
let areDoomed = false;
const note = (worker: Worker) => {
  threads.push(worker);
  if (areDoomed) worker.once('online', () => void worker.terminate());
};
process.on('worker', note);
beforeEach(() => {
  threads.length = 0;
  areDoomed = false;
});
afterAll(() => void process.off('worker', note));

describe('a search that loses a thread', () => {
  it('goes on with the others, and tells', async () => {
    let [killedAt, iterations] = [0, 0];
    const { schedule, stats, status } = await optimize(ta41, {
      threads: 2,
      stop: () => killedAt > 0 && iterations > 2 * killedAt,
      onProgress: (progress) => {
        iterations = progress.iterations;
        if (killedAt > 0 || iterations === 0) return;
        killedAt = iterations;
        void threads[0].terminate();
      },
    });
    expect(status).toBe('feasible');
    expect(stats).toMatchObject({
      threads: 2,
      lost: [{ message: 'its thread ended with code 1' }],
    });
    expect(validate(ta41, schedule).valid).toBe(true);
  });

  it('goes on without the one that proves bounds', async () => {
    areDoomed = true;
    const la21 = resolveSource('la21').load();
    let iterations = 0;
    const { stats } = await optimize(la21, {
      stop: () => iterations > 50_000 && threads[0].threadId === -1,
      onProgress: (progress) => {
        iterations = progress.iterations;
      },
    });
    expect(stats).toMatchObject({
      threads: 1,
      lost: [{ message: 'its thread ended with code 1' }],
    });
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
    areDoomed = true;
    const search = optimize(ta41, { threads: 2, stop: () => false });
    await expect(search).rejects.toThrow('its thread ended with code 1');
  });
});
