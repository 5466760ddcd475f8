// Runs one workflow after the other on an SQLite log, until it is killed or has run as many as it
// is given; first it resumes the last one that is there. Another process does the same on the
// same log: the second one waits for the other's run. Started by trials/crash.ts with DIRECTORY and RUNS.

import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { openSqliteStore, type Registry, runWorkflow, workflowSchema } from '@alas-jssp/workflow';

const [directory, runs] = process.argv.slice(2);
const store = openSqliteStore(join(directory, 'log.sqlite'));

const task = (id: string, more: object = {}) => ({
  id,
  type: 'task',
  handler: 'act',
  effect: 'compensable',
  policyRef: 'effect',
  ...more,
});

/**
 * A chain, branches, a loop, an attempt that fails, a step that may say no, and at the end one that
 * is sent at most once.
 */
const workflow = workflowSchema.parse({
  schema: 'alas-jssp/workflow@1',
  name: 'trial',
  nodes: [
    task('first', { input: { fails: 'input.fails' } }),
    {
      id: 'both',
      type: 'parallel',
      input: { fails: 'input.fails', items: 'input.items' },
      branches: {
        left: {
          nodes: [task('one'), task('two')],
          edges: [{ from: 'one', to: 'two' }],
        },
        right: {
          nodes: [
            {
              id: 'each',
              type: 'map',
              items: 'input.items',
              policyRef: 'loop',
              body: { nodes: [task('item')], edges: [] },
            },
          ],
          edges: [],
        },
      },
    },
    task('again', { input: { retried: 'input.fails' }, params: { failFirst: true } }),
    { id: 'decide', type: 'task', input: { fails: 'input.fails' } },
    { id: 'send', type: 'task', effect: 'irreversible', policyRef: 'once' },
  ],
  edges: [
    { from: 'first', to: 'both' },
    { from: 'both', to: 'again' },
    { from: 'again', to: 'decide' },
    { from: 'decide', to: 'send' },
  ],
  defaultPolicy: 'timed',
  policies: {
    timed: { timeout: { seconds: 60 } },
    loop: { loopGuards: { maxIters: 10 } },
    once: { retry: { maxAttempts: 1 }, timeout: { seconds: 60 } },
    effect: {
      timeout: { seconds: 60 },
      retry: { maxAttempts: 2, retryOn: ['Again'] },
      backoff: { mode: 'fixed', base: 0.001 },
      idempotencyKey: {},
      compensation: {
        handler: 'undo',
        safeReinvoke: true,
        timeout: { seconds: 60 },
      },
    },
  },
});

/** Where a service that honours idempotency keys keeps what it did under a key. */
const placeOf = (folder: string, key: string) =>
  join(directory, folder, createHash('sha256').update(key).digest('hex'));

/** Writes into the file of the world, to which each process only ever appends. */
const tell = (line: string) => appendFileSync(join(directory, 'world.log'), `${line}\n`);

const registry: Registry = {
  handlers: {
    act: {
      async run(_input, { runId, nodeId, attempt, idempotencyKey, params }) {
        tell(`call ${idempotencyKey}`);
        await breathe();
        if (params.failFirst && attempt === 1)
          throw Object.assign(new Error('again'), { code: 'Again' });
        const place = placeOf('done', idempotencyKey);
        if (!existsSync(place)) {
          writeFileSync(`${place}.tmp`, JSON.stringify({ runId, nodeId }));
          renameSync(`${place}.tmp`, place);
        }
        await breathe();
        return { nodeId };
      },
    },
    send: {
      async run(_input, { runId }) {
        tell(`send ${runId}`);
        await breathe();
        return {};
      },
    },
    decide: {
      run({ fails }) {
        if (fails) throw Object.assign(new Error('no'), { code: 'No' });
        return {};
      },
    },
  },
  compensators: {
    undo: {
      async run({ idempotencyKey }) {
        await breathe();
        const place = placeOf('done', idempotencyKey);
        if (existsSync(place)) renameSync(place, placeOf('undone', idempotencyKey));
        await breathe();
      },
    },
  },
};

process.stdout.write('ready\n');
let number = Math.max(0, store.runs().length - 1);
for (let k = 0; k < Number(runs); k++) {
  const input = { fails: number % 2 === 1, items: ['a', 'b', 'c'] };
  await runWorkflow(workflow, input, {
    unchecked: true,
    registry,
    store,
    runId: `trial-${number}`,
  });
  number++;
}
store.close();
