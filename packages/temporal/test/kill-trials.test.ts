import { describe, expect, it } from 'vitest';
import { openKillPlace } from '../bench/kill-place.mjs';
import { find } from '../server.mjs';

/** Seeds of trials whose runs complete, are undone, and wait for people. */
const SEEDS = [2, 9, 26];

describe.skipIf(find() === undefined)('workflows whose workers and server are killed', () => {
  it('leave the world as their ends say', async () => {
    const complaints: string[] = [];
    const settings = { workers: 2, every: 2, server: 0.2 };
    const place = await openKillPlace(0, settings, (text) => complaints.push(text));
    try {
      const trials = await Promise.all(SEEDS.map((seed) => place.tryOut(seed)));
      const problems = trials.flatMap(({ noted }) => noted.problems);
      expect([...problems, ...complaints]).toEqual([]);
      const runs = trials.flatMap(({ noted }) => noted.runs);
      expect(runs.length).toBeGreaterThanOrEqual(SEEDS.length);
    } finally {
      await place.stop();
    }
  });
});
