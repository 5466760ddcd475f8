import { virtualClock } from '@alas-jssp/core/virtual-clock';
import { expect, test } from 'vitest';
import {
  approve,
  cancelRun,
  createMemoryStore,
  createWorker,
  deny,
  type LogStore,
  replayRun,
  resumeRun,
  signalRun,
} from '../../src/index.js';
import {
  createOutside,
  nodesThere,
  program,
  runUnchecked as runWorkflow,
  SAGA,
  step,
} from './outside.js';

function begin() {
  const [store, clock, world] = [createMemoryStore(), virtualClock(), createOutside()];
  return { store, clock, world, options: { store, clock, runId: 'run', registry: world.registry } };
}

const LIMITED = { limited: { ...SAGA, wait: { seconds: 100 } } };
const approved = program(
  [step('work'), step('pay', {}, { approval: 'go', policyRef: 'limited' })],
  {
    policies: LIMITED,
  },
);
const heard = program(
  [step('work'), { id: 'hear', type: 'wait', message: 'paid', policyRef: 'limited' }, step('pay')],
  { policies: LIMITED },
);
const dated = program(
  [
    step('work', {}, { policyRef: 'dated' }),
    { id: 'hear', type: 'wait', message: 'paid' },
    step('pay'),
  ],
  {
    policies: {
      dated: {
        compensation: {
          ...SAGA.compensation,
          triggers: ['onFailure', 'deadline'],
          deadlineSeconds: 100,
        },
      },
    },
  },
);

/** The messages that reach a run in these programs. */
const SEND = {
  approve: (store: LogStore, clock: ReturnType<typeof virtualClock>) =>
    approve(store, 'run', 'go', 'Ann', clock),
  deny: (store: LogStore, clock: ReturnType<typeof virtualClock>) =>
    deny(store, 'run', 'go', 'Ann', 'no', clock),
  signal: (store: LogStore, clock: ReturnType<typeof virtualClock>) =>
    signalRun(store, 'run', { name: 'paid', data: 1 }, clock),
  cancel: (store: LogStore, clock: ReturnType<typeof virtualClock>) =>
    cancelRun(store, 'run', { by: 'Ann', reason: 'enough' }, clock),
};

const cases = [
  ['an approval', approved, 'approve', 'WaitTimeout'],
  ['a denial', approved, 'deny', 'WaitTimeout'],
  ['a message', heard, 'signal', 'WaitTimeout'],
  ['a message after a deadline', dated, 'signal', 'Deadline'],
  ['a cancellation after a deadline', dated, 'cancel', 'Deadline'],
] as const;

for (const [title, workflow, message, code] of cases) {
  test(`${title} that comes after a limit, which passed while no process ran it, is too late`, async () => {
    for (const by of ['resume', 'worker']) {
      for (const snapshotEvery of [undefined, 1]) {
        const { store, clock, world, options } = begin();
        const settings = { ...options, snapshotEvery };
        expect((await runWorkflow(workflow, 0, settings)).status).toBe('WAITING');
        await clock.sleep(1_000_000);
        await SEND[message](store, clock);
        if (by === 'worker') {
          const worker = createWorker(settings);
          await worker.idle();
          await worker.stop();
        }
        const last = await resumeRun(store, 'run', settings);
        expect(last).toMatchObject({ status: 'COMPENSATED', error: { code } });
        expect(world.calls).toEqual(['work', 'undo work']);
        expect(nodesThere(world)).toEqual([]);
        expect(await replayRun(store, 'run', settings)).toMatchObject({ parity: true });
      }
    }
  });
}

test('a message that was sent in time counts, also when it is taken after the limit', async () => {
  for (const [workflow, message] of [
    [approved, 'approve'],
    [heard, 'signal'],
  ] as const) {
    const { store, clock, world, options } = begin();
    expect((await runWorkflow(workflow, 0, options)).status).toBe('WAITING');
    await clock.sleep(50_000);
    // Another process has the run, and is killed before it takes the message.
    const now = clock.now();
    const lease = { runId: 'run', owner: 'gone', now, until: now + 1000, isGone: () => false };
    expect(store.acquire(lease).status).toBe('owned');
    await SEND[message](store, clock);
    await clock.sleep(1_000_000);
    expect((await resumeRun(store, 'run', options)).status).toBe('COMPLETED');
    expect(nodesThere(world)).toEqual(['pay', 'work']);
  }
});

test('of an approval and a denial the first one decides, whenever the run resumes', async () => {
  for (const [first, second, status] of [
    ['approve', 'deny', 'COMPLETED'],
    ['deny', 'approve', 'COMPENSATED'],
  ] as const) {
    const { store, clock, options } = begin();
    await runWorkflow(approved, 0, options);
    SEND[first](store, clock);
    SEND[second](store, clock);
    expect((await resumeRun(store, 'run', options)).status).toBe(status);
  }
});

test('no step begins after a deadline, also in a process that was paused', async () => {
  const workflow = program(
    [
      step('work', {}, { policyRef: 'dated' }),
      step('slow', { after: 150, deaf: true }),
      step('pay'),
    ],
    { policies: { dated: (dated.policies as Record<string, object>).dated } },
  );
  const { clock, world, options } = begin();
  const late = { ...clock, sleep: (ms: number, signal?: AbortSignal) => clock.sleep(ms, signal) };
  // Its timers ring 1000 s late, as after a pause; calls of handlers take their own time.
  late.sleep = (ms, signal) => clock.sleep(ms === 100_000 ? 1_100_000 : ms, signal);
  const result = await runWorkflow(workflow, 0, { ...options, clock: late });
  expect(result).toMatchObject({ status: 'COMPENSATED', error: { code: 'Deadline' } });
  expect(world.calls).toEqual(['work', 'slow', 'undo slow', 'undo work']);
});
