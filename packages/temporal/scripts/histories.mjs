// Records the histories that replay tests hold every later build against: runs each type of workflow on a server of
// its own and writes what the server has of it to test/histories/<version>. Run it (`npm run histories`) for a new
// version; the histories of older ones stay, for as long as workflows begun by them may be under way.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { WORKFLOW_SCHEMA, workflowSchema } from '@alas-jssp/workflow';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { resolveSource } from 'alas-jssp';
import { runBenchmark } from 'alas-jssp/harness';
import { dispatch } from 'alas-jssp/search';
import {
  connect,
  createTemporalExecutor,
  openShop,
  parseAddress,
  runWorkflow,
  startWorker,
} from '../dist/index.js';
import { startServer } from '../server.mjs';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const place = fileURLToPath(new URL(`../test/histories/${version}/`, import.meta.url));

const saga = { compensation: { handler: 'undo', safeReinvoke: true } };
const policies = {
  plain: { loopGuards: { maxIters: 5 } },
  saga,
  shared: { ...saga, idempotencyKey: { template: 'room', scope: 'resource' } },
  again: { ...saga, retry: { maxAttempts: 2 }, backoff: { mode: 'fixed', base: 0.01 } },
};
const effect = (id, more = {}) => ({
  ...{ id, type: 'task', handler: 'effect', effect: 'compensable', policyRef: 'saga' },
  ...more,
});
const flow = (name, nodes) =>
  workflowSchema.parse({
    ...{ schema: WORKFLOW_SCHEMA, name, defaultPolicy: 'plain', policies, nodes },
    edges: nodes.slice(1).map(({ id }, at) => ({ from: nodes[at].id, to: id })),
  });

/** Every kind of node, a step that is tried again, an approval and a message. */
const complete = flow('complete', [
  { id: 'each', type: 'map', items: 'input', body: { nodes: [effect('item')], edges: [] } },
  effect('first'),
  effect('again', { policyRef: 'again', params: { failures: 1 } }),
  {
    ...{ id: 'both', type: 'parallel' },
    branches: {
      left: { nodes: [effect('left')], edges: [] },
      right: { nodes: [effect('right')], edges: [] },
    },
  },
  { id: 'news', type: 'wait', message: 'news' },
  effect('last', { approval: 'go' }),
]);

/** One that fails at its end, and is undone; its first effect has a key that other runs may want. */
const undone = flow('undone', [
  effect('first', { policyRef: 'shared' }),
  effect('second', { params: { failures: 9 } }),
]);

const registry = {
  handlers: {
    effect: {
      run(_input, { params, attempt }) {
        if (attempt <= Number(params?.failures ?? 0))
          throw Object.assign(new Error('as told'), { code: 'Told' });
        return { output: attempt };
      },
    },
  },
  compensators: { undo: { run() {} } },
};

async function main() {
  const server = await startServer();
  const address = parseAddress(server.address('histories'));
  const client = await connect(address);
  const worker = await startWorker({ address, slots: 1, registry });
  try {
    await runScenarios(client, address);
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place, { recursive: true });
    const executions = [];
    for await (const execution of client.workflow.list()) executions.push(execution);
    executions.sort((a, b) => a.startTime - b.startTime);
    const numbers = {};
    for (const { workflowId, runId, type } of executions) {
      const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
      // One that no worker has seen, such as a blob that was dropped.
      if (!history.events.some((event) => event.workflowTaskCompletedEventAttributes)) continue;
      const text = `${JSON.stringify(withoutPlaces(JSON.parse(historyToJSON(history))))}\n`;
      numbers[type] = (numbers[type] ?? 0) + 1;
      writeFileSync(`${place}${type}-${numbers[type]}.json`, text);
    }
  } finally {
    await worker.stop();
    await client.connection.close();
    await server.stop();
  }
}

async function runScenarios(client, address) {
  await runBenchmark(
    { suite: 'ft', planners: ['dispatch:best', 'insertion'] },
    { executor: createTemporalExecutor(address, { slice: 3, window: 1 }) },
  );
  const common = { address, client, stay: true, unchecked: true };
  const running = runWorkflow(complete, [1, 2], { ...common, runId: 'complete' });
  const handle = client.workflow.getHandle('complete');
  await Promise.race([waiting(handle), running]);
  await handle.signal('message', { kind: 'signal', data: { name: 'news', value: 1, by: 'me' } });
  await handle.signal('message', { kind: 'approve', data: { name: 'go', by: 'me' } });
  await running;
  await runWorkflow(undone, 1, { ...common, runId: 'undone' });
  await runShop(address);
  // The end of a piece, which otherwise comes after 30 days.
  const piece = { workflowId: 'piece', taskQueue: address.queue, args: [Buffer.from('a piece')] };
  await client.workflow.execute('alasBlob', piece);
  const ledger = await client.workflow.start('alasLedger', {
    ...{ workflowId: 'ledger', taskQueue: address.queue, args: [{ budget: {}, limits: {} }] },
  });
  await ledger.cancel();
  await ledger.result();
}

/** A shop over several histories: events, a proposal that is declined and one that nobody answers, an undoing. */
async function runShop(address) {
  const schedule = dispatch(resolveSource('ft06').load(), { rule: 'mwkr' });
  const policy = { approval: { seconds: 8, otherwise: 'approve' } };
  const shop = await openShop({ address, schedule, policy, runId: 'shop', historyEvents: 40 });
  await shop.report([{ kind: 'breakdown', machine: 3, from: 10, to: 20 }], { now: 10, by: 'me' });
  await shop.decline('me', 'too many moves');
  const { version } = shop;
  await shop.report([{ kind: 'delay', job: 2, until: 30 }], { now: 12 });
  // The approval times out, which approves.
  while (shop.version === version) await new Promise((resolve) => setTimeout(resolve, 50));
  await shop.undo(1, { now: 14, by: 'me' });
  await shop.approve('me');
  await shop.report([{ kind: 'delay', job: 0, step: 0, until: 300 }], { now: 200 });
  await shop.close();
}

/** Waits until a run exists and waits for a message. */
async function waiting(handle) {
  for (;;) {
    const state = await handle.query('status').catch(() => undefined);
    if (state?.outcome?.status === 'WAITING') return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A history without what tells of the machine on which it was made. */
function withoutPlaces(history) {
  return JSON.parse(
    JSON.stringify(history, (key, value) => {
      if (key === 'identity') return 'worker';
      if (typeof value === 'string' && value.includes(`@${hostname()}`)) return 'of a worker';
      return key === 'stackTrace' ? '' : value;
    }),
  );
}

await main();
