// The outside of the kill trials: an HTTP server that counts effects by their keys, in the process that judges.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '@alas-jssp/core/random';

/**
 * @typedef {object} Effect
 * @property {string} nodeId
 * @property {Set<string>} runs that asked for it
 * @property {number} standing how many stand
 * @property {number} asked how often it was asked for and done, or would have been
 * @property {number} absorbed how often it was asked for though it stood
 * @property {boolean} voided whether it was undone, so that it is refused from then on
 */

/** Parts of requests whose answers are delayed, for up to so many milliseconds, or lost. */
const SLOW = 0.3;
const LONGEST = 400;
const CUT = 0.03;

/** Starts the outside; what befalls a request follows from the seed and the request. */
export async function startOutside(seed) {
  /** @type {Map<string, Effect>} */
  const effects = new Map();
  const tries = new Map();
  const totals = { requests: 0, cut: 0, absorbed: 0, refused: 0 };

  const effectOf = ({ key, nodeId, runId }) => {
    const known = effects.get(key) ?? {
      ...{ nodeId, runs: new Set(), standing: 0, asked: 0, absorbed: 0, voided: false },
    };
    effects.set(key, known);
    known.runs.add(runId);
    return known;
  };

  /** Acts at once: whoever is killed while the answer is on its way has acted all the same. */
  const act = ({ does, key, nodeId, runId, shared }) => {
    const effect = effectOf({ key, nodeId, runId });
    if (does === 'undo') {
      effect.standing = 0;
      // A key of several runs is used again.
      effect.voided = !shared;
      return {};
    }
    if (effect.voided) {
      totals.refused++;
      return { refused: 'the key was given up' };
    }
    effect.asked++;
    if (does === 'act' && effect.standing > 0) {
      effect.absorbed++;
      totals.absorbed++;
    } else effect.standing++;
    return {};
  };

  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const asked = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const name = `${asked.does} ${asked.key}`;
    const nth = (tries.get(name) ?? 0) + 1;
    tries.set(name, nth);
    totals.requests++;
    const random = createRandom(`${seed}/${name}/${nth}`);
    const answer = act(asked);
    if (random.next() < CUT) {
      totals.cut++;
      request.socket.destroy();
      return;
    }
    if (random.next() < SLOW) await sleep(random.next() * LONGEST);
    response.end(JSON.stringify(answer));
  });
  server.keepAliveTimeout = 60_000;
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    effects,
    totals,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
