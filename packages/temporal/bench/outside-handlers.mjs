// The handlers of the kill trials, for `--handlers` of a worker: what they do outside, they ask a server for
// (`ALAS_OUTSIDE`), so that it is there whatever becomes of the process.
import { env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

/** Asks for something that the outside does once per key. An answer that was lost is asked for again. */
async function ask(does, key, { nodeId, runId, signal }) {
  const shared = key.startsWith('resource|');
  const body = JSON.stringify({ does, key, nodeId, runId, shared });
  for (;;) {
    // Keys that several runs have may be used again after they were given up: nobody asks for them late.
    if (shared && does !== 'undo') signal.throwIfAborted();
    try {
      const response = await fetch(env.ALAS_OUTSIDE, { method: 'POST', body });
      const { refused } = await response.json();
      if (refused !== undefined) throw Object.assign(new Error(refused), { code: 'Voided' });
      return;
    } catch (error) {
      if (error.code === 'Voided') throw error;
      // Nobody knows whether something was sent that the outside does as often as it is asked.
      if (does === 'send') await new Promise(() => {});
      await sleep(50);
    }
  }
}

/** What befalls a step by its parameters: it takes its time, and fails. */
async function befall({ params, signal, attempt }) {
  const { fail, times = Number.POSITIVE_INFINITY, seconds, deaf } = params;
  if (seconds !== undefined) {
    await sleep(seconds * 1000, undefined, deaf === true ? {} : { signal });
  }
  if (fail !== undefined && attempt <= times) {
    throw Object.assign(new Error(`${fail} as told`), { code: fail });
  }
}

const doing = (does) => ({
  run: async (input, context) => {
    const { idempotencyKey, params } = context;
    if (params.before === true) await befall(context);
    await ask(does, idempotencyKey, context);
    const lies = does === 'send' && params.fail !== undefined;
    if (params.before !== true && !lies) await befall(context);
    return typeof input === 'number' ? input + 1 : input;
  },
});

export const handlers = {
  act: doing('act'),
  send: doing('send'),
  plain: {
    kind: 'pure',
    run: (input, { params, attempt }) => {
      const { fail, times = Number.POSITIVE_INFINITY } = params;
      if (fail !== undefined && attempt <= times) {
        throw Object.assign(new Error(`${fail} as told`), { code: fail });
      }
      return input;
    },
  },
};

export const compensators = {
  undo: {
    run: async ({ idempotencyKey }, context) => {
      const { params, attempt, signal } = context;
      if (params.undoHangs === true) await sleep(400_000, undefined, { signal });
      if (attempt <= (params.undoFailsUpTo ?? 0)) throw new Error('cannot be undone');
      await ask('undo', idempotencyKey, context);
    },
  },
};
