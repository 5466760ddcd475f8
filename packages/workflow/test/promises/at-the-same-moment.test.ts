import { virtualClock } from '@alas-jssp/core/virtual-clock';
import { expect, test } from 'vitest';
import {
  compensateRun,
  createMemoryStore,
  type Handler,
  redacting,
  resumeRun,
} from '../../src/index.js';
import {
  createOutside,
  fail,
  nodesThere,
  plainStep,
  program,
  runUnchecked as runWorkflow,
  SAGA,
  step,
} from './outside.js';

function begin(handlers: Record<string, Handler> = {}) {
  const [store, clock, world] = [createMemoryStore(), virtualClock(), createOutside()];
  const registry = { ...world.registry, handlers: { ...world.registry.handlers, ...handlers } };
  return { store, clock, world, options: { store, clock, runId: 'run', registry } };
}

test('a payment during the alert of a doubt is not overlooked by the end', async () => {
  const { store, clock, world, options } = begin();
  const workflow = program(
    [step('payA', { after: 15, deaf: true }, { policyRef: 'short' }), step('payB')],
    {
      edges: [],
      policies: {
        short: { ...SAGA, timeout: { seconds: 1 }, catch: [{ errors: ['*'], handler: 'payB' }] },
      },
    },
  );
  await runWorkflow(workflow, 0, { ...options, onAlert: () => clock.sleep(20_000) });
  const last = await resumeRun(store, 'run', options);
  expect(last).toMatchObject({ status: 'COMPLETED', inDoubt: [] });
  expect(nodesThere(world)).toEqual(['payB']);
});

test('all is undone that people ask for while something is being undone', async () => {
  const { store, clock, world, options } = begin();
  const workflow = program([
    step('a'),
    step('b', { undoAfter: 5 }),
    plainStep('gate', {}, { approval: 'kim' }),
  ]);
  expect((await runWorkflow(workflow, 0, options)).status).toBe('WAITING');
  const part = compensateRun(store, 'run', 'kim', { ...options, nodeId: 'b' });
  await clock.sleep(1000);
  const all = await compensateRun(store, 'run', 'kim', options);
  expect(await part).toEqual(all);
  expect(all).toMatchObject({ status: 'COMPENSATED', remaining: [] });
  expect(nodesThere(world)).toEqual([]);
});

test('the deadline of an effect that was undone is none of the one that was made in its place', async () => {
  let calls = 0;
  const late: Handler = {
    run: async (input, { clock }) => {
      calls++;
      await clock.sleep(8000);
      return calls === 1 ? fail('Broken') : input;
    },
  };
  const { world, options } = begin({ late });
  const timed = { triggers: ['onFailure', 'deadline'], deadlineSeconds: 10 };
  const policies = {
    timed: { compensation: { ...SAGA.compensation, ...timed } },
    back: { catch: [{ errors: ['Broken'], backTo: 'a' }] },
  };
  const nodes = [
    plainStep('a'),
    step('b', {}, { policyRef: 'timed' }),
    plainStep('c', {}, { handler: 'late', policyRef: 'back' }),
  ];
  expect((await runWorkflow(program(nodes, { policies }), 0, options)).status).toBe('COMPLETED');
  expect(nodesThere(world)).toEqual(['b']);
});

test('an overdue answer is awaited also after a later attempt was answered', async () => {
  const world = createOutside();
  const pay: Handler = {
    run: async (_, { attempt, clock, idempotencyKey }) => {
      if (attempt === 2) fail('Broken');
      await clock.sleep(5000);
      world.there.set(idempotencyKey, 1);
      return 'paid';
    },
  };
  const { clock, options } = begin();
  const registry = { ...world.registry, handlers: { pay } };
  const tries = { retry: { maxAttempts: 2 }, backoff: { mode: 'fixed', base: 0 } };
  const workflow = program([step('pay', {}, { handler: 'pay', policyRef: 'tries' })], {
    policies: { tries: { ...SAGA, ...tries, timeout: { seconds: 1 } } },
  });
  const result = await runWorkflow(workflow, 0, { ...options, registry });
  expect(result).toMatchObject({ status: 'COMPENSATED', inDoubt: [] });
  expect(nodesThere(world)).toEqual([]);
  expect(clock.now()).toBe(5000);
});

test('a run that goes back has the resource to itself when it takes it again', async () => {
  let calls = 0;
  const late: Handler = {
    run: async (input, { clock }) => {
      calls++;
      await clock.sleep(8000);
      return calls === 1 ? fail('Broken') : input;
    },
  };
  const { clock, world, options } = begin({ late });
  const policies = {
    room: { ...SAGA, idempotencyKey: { template: 'room-7', scope: 'resource' } },
    back: { catch: [{ errors: ['Broken'], backTo: 'a' }] },
  };
  const nodes = [
    plainStep('a'),
    step('book', {}, { policyRef: 'room' }),
    plainStep('c', {}, { handler: 'late', policyRef: 'back' }),
  ];
  const first = runWorkflow(program(nodes, { policies }), 0, options);
  await clock.sleep(10_000);
  const book = program([nodes[1]], { policies });
  const second = await runWorkflow(book, 0, { ...options, runId: 'other' });
  expect(clock.now()).toBeGreaterThanOrEqual(16_000);
  expect([(await first).status, second.status]).toEqual(['COMPLETED', 'COMPLETED']);
  expect([...world.there.values()]).toEqual([1]);
});

test('no handler is given what stands for a secret in the log of another run', async () => {
  const given: unknown[] = [];
  const { store, clock, options } = begin({
    key: { run: () => ({ token: 'hunter2hunter2' }) },
    use: { run: (input) => given.push(input) },
  });
  const secret = { type: 'object', properties: { token: { type: 'string' } } };
  const workflow = program(
    [
      step('key', {}, { handler: 'key', policyRef: 'shared', io: { output: secret } }),
      plainStep('use', {}, { handler: 'use' }),
    ],
    { policies: { shared: { ...SAGA, idempotencyKey: { template: 'k', scope: 'resource' } } } },
  );
  const all = { ...options, clock, store: redacting(store, {}) };
  await runWorkflow(workflow, 0, { ...all, runId: 'one' });
  const second = runWorkflow(workflow, 0, { ...all, runId: 'two' });
  await expect(second).rejects.toMatchObject({ code: 'redacted_value' });
  expect(given).toEqual([{ token: 'hunter2hunter2' }]);
});
