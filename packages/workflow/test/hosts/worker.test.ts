import { hostname } from 'node:os';
import { virtualClock } from '@alas-jssp/core/virtual-clock';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  approve,
  createMemoryStore,
  createWorker,
  listRuns,
  type RunResult,
  type WorkerOptions,
} from '../../src/index.js';
import { chain, createWorld, effect, flow, plain, runIn, SAGA } from '../interpreter/world.js';

const WEEK = 7 * 24 * 3600 * 1000;

const workflow = flow({
  nodes: [effect('pay'), { ...plain('ship'), approval: 'manager' }],
  edges: chain('pay', 'ship'),
  policies: { saga: SAGA },
});

/** Runs that wait for the approval `manager`, and a worker for them. */
async function waiting(...runIds: string[]) {
  const clock = virtualClock(1_000);
  const world = createWorld();
  const log = createMemoryStore();
  for (const runId of runIds) await runIn(workflow, 0, { clock, world, log, runId });
  const results: RunResult[] = [];
  const errors: [string | undefined, string][] = [];
  const start = (options: Partial<WorkerOptions> = {}) => {
    const worker = createWorker({
      ...{ store: log, clock, registry: world.registry, pollSeconds: 3600 },
      onResult: (result) => results.push(result),
      onError: (error, runId) => errors.push([runId, (error as Error).message]),
      ...options,
    } as WorkerOptions);
    // It would look again and again in a time that never ends.
    onTestFinished(() => worker.stop());
    return worker;
  };
  const ends = () => results.map(({ runId, status }) => `${runId} ${status}`);
  const own = (runId: string, owner: string, until: number) =>
    log.acquire({ runId, owner, now: clock.now(), until, isGone: () => true });
  return { clock, world, log, start, results, errors, ends, own };
}

/** A promise, and what fulfils it. */
function gate(): [Promise<void>, () => void] {
  let open = () => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return [promise, open];
}

describe('a worker', () => {
  test('takes up what a message was sent to, several at once, and nothing else', async () => {
    const { clock, log, start, ends } = await waiting('a', 'b', 'c');
    for (const runId of ['a', 'b', 'c']) {
      const lease = log.acquire({ runId, owner: 'me/1/x', now: 0, until: 1, isGone: () => true });
      if (lease.status !== 'owned') throw new Error('it is free');
      log.release(runId, lease.lease.token, { wakeAt: null, taken: 0, quiet: true });
    }
    approve(log, 'a', 'manager', 'kim', clock);
    approve(log, 'c', 'manager', 'kim', clock);
    const worker = start();
    await worker.idle();
    await worker.stop();
    expect(ends().sort()).toEqual(['a COMPLETED', 'c COMPLETED']);
  });

  test('takes up a run whose owner was killed at once, and others when their lease is over', async () => {
    const { clock, start, ends, own } = await waiting('killed', 'silent', 'alive');
    own('killed', `${hostname()}/999999999/x`, 1e15);
    own('silent', 'elsewhere/1/x', clock.now() + 30_000);
    own('alive', 'elsewhere/2/x', 1e15);
    const worker = start();
    await worker.idle();
    expect(ends()).toEqual(['killed WAITING']);
    await clock.sleep(29_000);
    expect(ends()).toEqual(['killed WAITING']);
    await clock.sleep(2_000);
    expect(ends()).toEqual(['killed WAITING', 'silent WAITING']);
    await worker.stop();
  });

  test('undoes what is held when its deadline passes, be it in three weeks', async () => {
    const clock = virtualClock(1_000);
    const held = {
      ...SAGA.compensation,
      triggers: ['deadline'],
      deadlineSeconds: (3 * WEEK) / 1000,
    };
    const { world, store } = await runIn(
      flow({ ...workflow, policies: { saga: { compensation: held } } }),
      0,
      { clock },
    );
    const results: RunResult[] = [];
    const worker = createWorker({
      ...{ store, clock, registry: world.registry, pollSeconds: 24 * 3600 },
      onResult: (result) => results.push(result),
    });
    onTestFinished(() => worker.stop());
    await worker.idle();
    await clock.sleep(3 * WEEK - 1_000);
    expect([results, world.standing.size]).toEqual([[], 1]);
    await clock.sleep(2_000);
    expect(results).toMatchObject([{ status: 'COMPENSATED', error: { code: 'Deadline' } }]);
    expect(world.standing.size).toBe(0);
    await worker.stop();
  });

  test('ends a wait when its time is up', async () => {
    const policies = { saga: SAGA, patient: { wait: { seconds: (3 * WEEK) / 1000 } } };
    const patient = { id: 'paid', type: 'wait', message: 'payment', policyRef: 'patient' };
    const nodes = [effect('pay'), patient];
    const clock = virtualClock(1_000);
    const { world, store } = await runIn(
      flow({ nodes, edges: chain('pay', 'paid'), policies }),
      0,
      { clock },
    );
    const results: RunResult[] = [];
    const worker = createWorker({
      ...{ store, clock, registry: world.registry, pollSeconds: 24 * 3600 },
      onResult: (result) => results.push(result),
    });
    onTestFinished(() => worker.stop());
    await clock.sleep(3 * WEEK + 1_000);
    expect(results).toMatchObject([{ status: 'COMPENSATED', error: { code: 'WaitTimeout' } }]);
    expect(clock.now()).toBeLessThan(3 * WEEK + 3_000);
    await worker.stop();
  });

  test('reports once why a run cannot be resumed, retries with growing waits, and runs others', async () => {
    const { clock, log, start, ends, errors, world } = await waiting('bad', 'good');
    for (const runId of ['bad', 'good']) approve(log, runId, 'manager', 'kim', clock);
    let asked = 0;
    const worker = start({
      pollSeconds: 1,
      registry: undefined,
      registryOf: ({ runId }) => {
        if (runId === 'good') return world.registry;
        asked++;
        throw new Error('the module is gone');
      },
    });
    await worker.idle();
    await clock.sleep(3600_000);
    await worker.stop();
    expect(errors).toEqual([['bad', 'the module is gone']]);
    expect(asked).toBeGreaterThan(10);
    expect(asked).toBeLessThan(100);
    expect(world.calls.filter((call) => call === 'ship')).toHaveLength(1);
    expect(ends()).toEqual(['good COMPLETED']);
  });

  test('stops when the runs in progress have ended, and takes up no others', async () => {
    const { clock, log, start, ends, world } = await waiting('a', 'b');
    for (const runId of ['a', 'b']) approve(log, runId, 'manager', 'kim', clock);
    const [begun, begin] = gate();
    const [finished, finish] = gate();
    const run = () => {
      begin();
      return finished;
    };
    const handlers = { ...world.registry.handlers, plain: { run } };
    const worker = start({ registry: { ...world.registry, handlers }, concurrency: 1 });
    await begun;
    let stopped = false;
    const stopping = worker.stop().then(() => {
      stopped = true;
    });
    await clock.sleep(1000);
    expect(stopped).toBe(false);
    finish();
    await stopping;
    expect(ends()).toEqual(['a COMPLETED']);
    await worker.stop();
  });
});

test('the list of runs shows their owners, waits and ends', async () => {
  const { clock, log, own, start } = await waiting('waits', 'held', 'killed', 'due', 'done');
  approve(log, 'done', 'manager', 'kim', clock);
  const worker = start();
  await worker.idle();
  await worker.stop();
  own('held', 'elsewhere/1/x', 1e15);
  own('killed', `${hostname()}/999999999/x`, 1e15);
  const taken = own('due', 'me/1/x', 1);
  if (taken.status !== 'owned') throw new Error('it is free');
  log.release('due', taken.lease.token, { wakeAt: clock.now() - 1, taken: 0, quiet: true });
  expect(listRuns(log, clock)).toMatchObject([
    { runId: 'waits', status: 'WAITING', waitsFor: [{ kind: 'approval', name: 'manager' }] },
    { runId: 'held', status: 'RUNNING', owner: 'elsewhere/1/x', until: 1e15 },
    { runId: 'killed', status: 'INTERRUPTED' },
    { runId: 'due', status: 'DUE', wakeAt: clock.now() - 1 },
    { runId: 'done', status: 'COMPLETED', workflow: 'test' },
  ]);
});
