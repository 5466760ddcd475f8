import { virtualClock } from '@alas-jssp/core/virtual-clock';
import { expect, test } from 'vitest';
import {
  approve,
  cancelRun,
  createMemoryStore,
  deny,
  resumeRun,
  signalRun,
  verifyLog,
} from '../../src/index.js';
import {
  countOf,
  createOutside,
  nodesThere,
  program,
  runUnchecked as runWorkflow,
  step,
} from './outside.js';

function begin() {
  const [store, clock, world] = [createMemoryStore(), virtualClock(), createOutside()];
  return { store, clock, world, options: { store, clock, runId: 'run', registry: world.registry } };
}

const guarded = program([step('work', { after: 5 }), step('charge', {}, { approval: 'go' })]);
const waiting = (more: object = {}, policies: object = {}) =>
  program([step('work', { after: 5 }), { id: 'hear', type: 'wait', message: 'news', ...more }], {
    policies,
  });

test('an approval during a live run reaches it and breaks nothing off', async () => {
  const { store, clock, world, options } = begin();
  const running = runWorkflow(guarded, 0, options);
  await clock.sleep(1000);
  approve(store, 'run', 'go', 'Ann', clock);
  expect((await running).status).toBe('COMPLETED');
  expect(nodesThere(world)).toEqual(['charge', 'work']);
  expect(countOf(store, 'run', 'Approve')).toBe(1);
});

test('an approval of a misspelt name is refused', async () => {
  const { store, clock, options } = begin();
  await runWorkflow(guarded, 0, options);
  expect(() => approve(store, 'run', 'goo', 'Ann', clock)).toThrow(/goo.*go/);
  expect(countOf(store, 'run', 'Approve')).toBe(0);
});

test('an approval after the end is refused', async () => {
  const { store, clock, options } = begin();
  await runWorkflow(guarded, 0, { ...options, approvals: { go: 'Ann' } });
  const before = [...store.read({ runId: 'run' })].length;
  expect(() => approve(store, 'run', 'go', 'Bob', clock)).toThrow(/ended/);
  expect([...store.read({ runId: 'run' })]).toHaveLength(before);
});

test('approvals survive restore points', async () => {
  const { store, clock, world, options } = begin();
  const running = runWorkflow(guarded, 0, { ...options, snapshotEvery: 1 });
  await clock.sleep(1000);
  approve(store, 'run', 'go', 'Ann', clock);
  await running;
  const last = await resumeRun(store, 'run', { ...options, snapshotEvery: 1 });
  expect(last.status).toBe('COMPLETED');
  expect(nodesThere(world)).toEqual(['charge', 'work']);
});

test('approvals that were posted while it had no owner survive restore points too', async () => {
  const { store, clock, options } = begin();
  await runWorkflow(guarded, 0, { ...options, snapshotEvery: 1 });
  approve(store, 'run', 'go', 'Ann', clock);
  expect((await resumeRun(store, 'run', { ...options, snapshotEvery: 1 })).status).toBe(
    'COMPLETED',
  );
});

test('a denial fails the step with its reason', async () => {
  const { store, options, world } = begin();
  expect((await runWorkflow(guarded, 0, options)).status).toBe('WAITING');
  deny(store, 'run', 'go', 'Ann', 'too dear');
  const last = await resumeRun(store, 'run', options);
  expect(last).toMatchObject({ status: 'COMPENSATED', error: { code: 'Denied' } });
  expect(last.error?.message).toContain('too dear');
  expect(nodesThere(world)).toEqual([]);
});

test('signals are heard before, while and after the run waits for them', async () => {
  for (const at of [1000, 7000, undefined]) {
    const { store, clock, options } = begin();
    const running = runWorkflow(waiting(), 0, { ...options, stay: at === 7000 });
    if (at === undefined) expect((await running).status).toBe('WAITING');
    else await clock.sleep(at);
    await signalRun(store, 'run', { name: 'news', data: { good: true }, by: 'Ann' });
    const last = at === undefined ? await resumeRun(store, 'run', options) : await running;
    expect(last).toMatchObject({ status: 'COMPLETED', output: { good: true } });
    expect(countOf(store, 'run', 'Signal')).toBe(1);
  }
});

test('signals of unknown names, with payloads that do not fit or to ended runs are refused', async () => {
  const { store, options } = begin();
  const schema = { type: 'object', required: ['good'] };
  await runWorkflow(waiting({ io: { output: schema } }), 0, options);
  await expect(signalRun(store, 'run', { name: 'gnus', data: {} })).rejects.toThrow(/gnus.*news/);
  await signalRun(store, 'run', { name: 'news', data: { good: true } });
  expect((await resumeRun(store, 'run', options)).status).toBe('COMPLETED');
  await expect(signalRun(store, 'run', { name: 'news', data: { good: true } })).rejects.toThrow(
    /ended/,
  );
});

test('a wait that nothing ends fails when its time is up', async () => {
  const { clock, options, world } = begin();
  const workflow = waiting({ policyRef: 'patient' }, { patient: { wait: { seconds: 100 } } });
  const result = await runWorkflow(workflow, 0, { ...options, stay: true });
  expect(result).toMatchObject({ status: 'COMPENSATED', error: { code: 'WaitTimeout' } });
  expect(clock.now()).toBe(105_000);
  expect(nodesThere(world)).toEqual([]);
});

test('a run is cancelled from outside while it lives', async () => {
  const { store, clock, options, world } = begin();
  const running = runWorkflow(
    program([step('a', { after: 5 }), step('b', { after: 5 })]),
    0,
    options,
  );
  await clock.sleep(7000);
  cancelRun(store, 'run', { by: 'Ann', reason: 'no longer needed' });
  const result = await running;
  expect(result).toMatchObject({ status: 'COMPENSATED', error: { code: 'Cancelled' } });
  expect(result.error?.message).toContain('no longer needed');
  expect(nodesThere(world)).toEqual([]);
  expect(verifyLog(store).valid).toBe(true);
});
