// A service as they are out there: it keeps records, does each thing once per idempotency key, and
// cancels what it has done. It can be told to misbehave. Nothing here knows of workflows.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Starts the service.
 *
 * @param {Record<string, string>} moods what is wrong with a kind of records: `down` always says
 *   503, `busy` does so once, `lost` does what it is asked for once without answering, `mute` does
 *   it and never answers, `stuck` cannot cancel
 */
export async function startService(moods = {}) {
  const records = new Map();
  const asked = new Map();
  const server = createServer(async (request, response) => {
    const kind = request.url.slice(1);
    const key = request.headers['idempotency-key'];
    const id = `${kind}/${key}`;
    let body = '';
    for await (const chunk of request) body += chunk;
    const first = !asked.has(id);
    asked.set(id, true);
    const mood = moods[kind];
    const answer = (status, value) => response.writeHead(status).end(JSON.stringify(value));

    if (request.method === 'DELETE') {
      if (mood === 'stuck') return answer(503, {});
      // A second time, and for what never was, this changes nothing.
      if (records.has(id)) records.get(id).state = 'undone';
      return answer(200, {});
    }
    if (mood === 'down' || (mood === 'busy' && first)) return answer(503, {});
    if (!records.has(id)) {
      const count = [...records.values()].filter((record) => record.kind === kind).length;
      const ref = `${kind}-${count + 1}`;
      records.set(id, { kind, ref, state: 'done', ...JSON.parse(body) });
    }
    if (mood === 'lost' && first) return request.socket.destroy();
    if (mood === 'mute') return undefined;
    return answer(200, records.get(id));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    /** What there is of a kind: every effect that ever was, done or undone. */
    recordsOf: (kind) => [...records.values()].filter((record) => record.kind === kind),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** An error with a code, for policies to tell it by. */
function coded(code, message) {
  return Object.assign(new Error(message), { code });
}

/** Calls the service. @throws errors with the codes Busy and Lost */
async function call(url, kind, key, method, body, signal) {
  const headers = { 'idempotency-key': key };
  // A step that is stopped as soon as it begins sends nothing; which requests go out does not depend on fetch then.
  await nextTurn();
  signal?.throwIfAborted();
  let response;
  try {
    response = await fetch(`${url}/${kind}`, { method, headers, body, signal });
  } catch {
    signal?.throwIfAborted();
    throw coded('Lost', `${kind} did not answer`);
  }
  if (!response.ok) throw coded('Busy', `${kind} said ${response.status}`);
  return response.json();
}

/** The handler and the compensator of a kind of records. The key is the runtime's, never ours. */
export function recordsAt(url, kind) {
  return {
    handler: {
      run: (input, { idempotencyKey, signal }) =>
        call(url, kind, idempotencyKey, 'POST', JSON.stringify(input), signal),
      externalRef: ({ ref }) => ref,
    },
    compensator: {
      async run({ idempotencyKey }, { signal }) {
        await call(url, kind, idempotencyKey, 'DELETE', undefined, signal);
      },
    },
  };
}
