// The place of kill trials: an outside, a server with workers, and somebody who kills them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createRandom } from '@alas-jssp/core/random';
import { tryOut } from './kill-trial.mjs';
import { startOutside } from './outside.mjs';
import { startFleet, startLastingServer } from './processes.mjs';
import { talkTo } from './talk.mjs';

/** Tasks of workflows whose worker was killed are given to others after that time. */
const CONFIG = { 'history.defaultWorkflowTaskTimeout': '"5s"' };

/**
 * Opens a place and begins to kill.
 *
 * @param {number} seed of the kills, and of what befalls requests outside
 * @param {{ workers: number, every: number, server: number }} settings worker processes, seconds between two
 *   kills on average, and the share of kills that hit the server
 * @param {(text: string) => void} complain told of a worker that ended by itself
 */
export async function openKillPlace(seed, { workers, every, server: share }, complain) {
  const directory = mkdtempSync(join(tmpdir(), 'kill-trials-'));
  const outside = await startOutside(seed);
  const server = await startLastingServer(join(directory, 'temporal.db'), CONFIG);
  const address = server.address('trials');
  const handlers = fileURLToPath(new URL('outside-handlers.mjs', import.meta.url));
  const options = { address, slots: 20, handlers, env: { ALAS_OUTSIDE: outside.url } };
  const fleet = startFleet(workers, options, complain);
  const talk = await talkTo(address);
  const killer = startKiller(seed, { fleet, server, every, share });
  return {
    /** Makes a trial: its story, and what is noted of it, with the kills meanwhile. */
    async tryOut(trialSeed, keep) {
      const before = killer.count();
      const { story, ...told } = await tryOut(trialSeed, { talk, outside, keep });
      return { story, noted: { ...told, kills: killer.since(before) } };
    },
    kills: () => killer.count(),
    async stop() {
      await killer.stop();
      await talk.close();
      await fleet.stop();
      await server.stop();
      await outside.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Kills workers that are at work, one every few seconds, and now and then the server. */
function startKiller(seed, { fleet, server, every, share }) {
  const random = createRandom(`kills ${seed}`);
  const counts = { worker: 0, server: 0 };
  let stopped = false;
  const kill = async () => {
    if (random.next() < share) {
      await server.restart(random.next() * 1000);
      counts.server++;
      return;
    }
    const places = fleet.atWork();
    if (places.length === 0) return;
    const place = places[random.integer(0, places.length - 1)];
    await fleet.replace(place, random.next() * 500);
    counts.worker++;
  };
  const ended = (async () => {
    while (!stopped) {
      await sleep(2 * random.next() * every * 1000);
      if (!stopped) await kill();
    }
  })();
  return {
    count: () => ({ ...counts }),
    since: (before) => ({
      worker: counts.worker - before.worker,
      server: counts.server - before.server,
    }),
    async stop() {
      stopped = true;
      await ended;
    },
  };
}
