import { virtualClock } from '@alas-jssp/core/virtual-clock';
import { expect, test } from 'vitest';
import { createMemoryStore, resumeRun, settleEffect, verifyLog } from '../../src/index.js';
import {
  createOutside,
  nodesThere,
  plainStep,
  program,
  runUnchecked as runWorkflow,
  SAGA,
  step,
} from './outside.js';

/** `payA` has a second, and pays later than that even if it is aborted; then `payB` is asked. */
const payment = (after: number) =>
  program([step('payA', { after, deaf: true }, { policyRef: 'short' }), step('payB')], {
    edges: [],
    policies: {
      short: { ...SAGA, timeout: { seconds: 1 }, catch: [{ errors: ['*'], handler: 'payB' }] },
    },
  });

function begin() {
  const [store, clock, world] = [createMemoryStore(), virtualClock(), createOutside()];
  return { store, clock, world, options: { store, clock, runId: 'run', registry: world.registry } };
}

test('a payment that comes after its timeout is no second payment of a run that is COMPLETED', async () => {
  const { clock, world, store, options } = begin();
  const result = await runWorkflow(payment(20), 0, options);
  if (result.status === 'COMPLETED') expect(nodesThere(world)).toEqual(['payB']);
  await clock.sleep(60_000);
  const last = await resumeRun(store, 'run', options);
  expect(last.status).toBe('COMPLETED');
  expect(nodesThere(world)).toEqual(['payB']);
  expect(verifyLog(store).valid).toBe(true);
});

test('a run whose payment is in doubt when all is done ends IN_DOUBT and lists it', async () => {
  const { clock, world, store, options } = begin();
  const result = await runWorkflow(payment(600), 0, options);
  expect(result.status).toBe('IN_DOUBT');
  expect(result.inDoubt.map(({ nodeId }) => nodeId)).toEqual(['payA']);
  expect(nodesThere(world)).toEqual(['payB']);
  await clock.sleep(700_000);
  expect(nodesThere(world)).toEqual(['payA', 'payB']);
  const last = await resumeRun(store, 'run', options);
  expect(last).toMatchObject({ status: 'COMPLETED', inDoubt: [] });
  expect(nodesThere(world)).toEqual(['payB']);
});

test('a deaf sibling that acts at 15 s is no effect of a run that is COMPENSATED', async () => {
  const { clock, world, store, options } = begin();
  const workflow = program(
    [step('deaf', { after: 15, deaf: true }), plainStep('breaks', { after: 1, fail: 'Broken' })],
    { edges: [] },
  );
  const result = await runWorkflow(workflow, 0, options);
  expect(clock.now()).toBeLessThan(60_000);
  if (result.status === 'COMPENSATED') expect(nodesThere(world)).toEqual([]);
  await clock.sleep(60_000);
  const last = await resumeRun(store, 'run', options);
  expect(last.status).toBe('COMPENSATED');
  expect(nodesThere(world)).toEqual([]);
});

test('the policy says how long a late answer is awaited', async () => {
  const { clock, world, options } = begin();
  const workflow = program(
    [
      step('deaf', { after: 100, deaf: true }, { policyRef: 'patient' }),
      plainStep('breaks', { after: 1, fail: 'Broken' }),
    ],
    { edges: [], policies: { patient: { ...SAGA, lateAnswer: { seconds: 200 } } } },
  );
  const result = await runWorkflow(workflow, 0, options);
  expect(result).toMatchObject({ status: 'COMPENSATED', inDoubt: [] });
  expect(nodesThere(world)).toEqual([]);
  expect(clock.now()).toBe(100_000);
});

test('an irreversible step without an answer is in doubt until a person settles it', async () => {
  const workflow = program(
    [
      step('before'),
      step('send', { after: 1e9, deaf: true }, { effect: 'irreversible', policyRef: 'once' }),
    ],
    { policies: { once: { timeout: { seconds: 1 } } } },
  );
  for (const happened of [true, false]) {
    const { world, store, options } = begin();
    const result = await runWorkflow(workflow, 0, options);
    expect(result.status).toBe('IN_DOUBT');
    expect(result.inDoubt.map(({ nodeId }) => nodeId)).toEqual(['send']);
    settleEffect(store, 'run', 'send', { happened, by: 'Ann' });
    const last = await resumeRun(store, 'run', options);
    expect(last.inDoubt).toEqual([]);
    expect(nodesThere(world)).toEqual([]);
    expect(last.status).toBe(happened ? 'COMPENSATION_FAILED' : 'COMPENSATED');
    expect(last.remaining.map(({ nodeId }) => nodeId)).toEqual(happened ? ['send'] : []);
    const settled = [...store.read({ runId: 'run', eventTypes: ['Settle'] })];
    expect(settled.map(({ payload }) => payload)).toMatchObject([{ happened, by: 'Ann' }]);
  }
});

test('the result lists what was committed, undone, remains and is in doubt', async () => {
  const { options } = begin();
  const result = await runWorkflow(
    program([step('a'), step('b', { fail: 'Broken' })], {}),
    0,
    options,
  );
  const ids = (list: readonly { nodeId: string }[]) => list.map(({ nodeId }) => nodeId).sort();
  expect(result.status).toBe('COMPENSATED');
  expect(ids(result.committed)).toEqual([]);
  expect(ids(result.undone)).toEqual(['a', 'b']);
  expect(ids(result.remaining)).toEqual([]);
  expect(ids(result.inDoubt)).toEqual([]);
});

test('an error that says unanswered leaves an irreversible step in doubt', async () => {
  const { clock, world, store, options } = begin();
  const workflow = program([
    step('book'),
    plainStep('send', {}, { effect: 'irreversible', handler: 'send' }),
  ]);
  const send = {
    run: () => {
      throw Object.assign(new Error('the connection is lost'), { code: 'Gone', unanswered: true });
    },
  };
  const registry = { ...world.registry, handlers: { ...world.registry.handlers, send } };
  const result = await runWorkflow(workflow, 0, { ...options, registry });
  expect(result).toMatchObject({ status: 'IN_DOUBT', error: { code: 'Gone', unanswered: true } });
  expect(result.inDoubt.map(({ nodeId }) => nodeId)).toEqual(['send']);
  expect(nodesThere(world)).toEqual([]);
  settleEffect(store, 'run', 'send', { happened: true, by: 'ann' }, clock);
  const last = await resumeRun(store, 'run', { ...options, registry });
  expect(last).toMatchObject({ status: 'COMPENSATION_FAILED', inDoubt: [] });
  expect(last.remaining.map(({ nodeId }) => nodeId)).toEqual(['send']);
});
