// Runs one workflow after the other on an SQLite log, until it is killed or has run as many as it
// is told; first it goes on with the one that was broken off. Started by crash-trials.mjs:
//   node bench/crash-worker.mjs DIRECTORY RUNS

import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { openSqliteStore, resumeRun, runWorkflow, workflowSchema } from 'alas-jssp/workflow';

const [directory, runs] = process.argv.slice(2);
const store = openSqliteStore(join(directory, 'log.sqlite'));

const task = (id, more = {}) => ({
  id,
  type: 'task',
  handler: 'act',
  effect: 'compensable',
  policyRef: 'effect',
  ...more,
});

/** A chain, branches, a loop, an attempt that fails, and at the end a step that may say no. */
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
  ],
  edges: [
    { from: 'first', to: 'both' },
    { from: 'both', to: 'again' },
    { from: 'again', to: 'decide' },
  ],
  defaultPolicy: 'timed',
  policies: {
    timed: { timeout: { seconds: 60 } },
    loop: { loopGuards: { maxIters: 10 } },
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
const placeOf = (folder, key) =>
  join(directory, folder, createHash('sha256').update(key).digest('hex'));

const registry = {
  handlers: {
    act: {
      async run(_, { runId, nodeId, attempt, idempotencyKey, params }) {
        appendFileSync(join(directory, 'calls.log'), `${idempotencyKey}\n`);
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
const last = store.runs().at(-1);
if (last !== undefined) await resumeRun(store, last, { registry });
for (let k = 0; k < Number(runs); k++) {
  const number = store.runs().length;
  const input = { fails: number % 2 === 1, items: ['a', 'b', 'c'] };
  await runWorkflow(workflow, input, { registry, store, runId: `trial-${number}` });
}
store.close();
