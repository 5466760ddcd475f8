import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { virtualClock } from '@alas-jssp/core/virtual-clock';
import { afterAll, expect, test } from 'vitest';
import {
  approve,
  cancelRun,
  createMemoryStore,
  createWorker,
  type Json,
  openSqliteStore,
  resumeRun,
  type StepContext,
  settleEffect,
  signalRun,
  verifyLog,
  WORKFLOW_SCHEMA,
} from '../../src/index.js';
import { chain, createWorld, effect, flow, plain, runIn, SAGA } from '../interpreter/world.js';
import {
  countOf,
  createOutside,
  nodesThere,
  plainStep,
  program,
  runUnchecked as runWorkflow,
  step,
} from './outside.js';

const directory = mkdtempSync(join(tmpdir(), 'misuse-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
let files = 0;
const file = () => join(directory, `${files++}.sqlite`);

function begin(store = createMemoryStore()) {
  const [clock, world] = [virtualClock(), createOutside()];
  return { store, clock, world, options: { store, clock, runId: 'run', registry: world.registry } };
}

const hear = (id = 'hear') => ({ id, type: 'wait', message: 'news' });
const stores = [
  ['memory', () => createMemoryStore()],
  ['SQLite', () => openSqliteStore(file())],
] as const;

test('an effect that was said not to be there while its handler was at work is undone when it is', async () => {
  const { store, clock, world, options } = begin();
  const workflow = program([step('a', { after: 10 }), plainStep('b', { fail: 'Broken' })]);
  const running = runWorkflow(workflow, 0, options);
  await clock.sleep(1000);
  settleEffect(store, 'run', 'a', { happened: false, by: 'Ann' }, clock);
  expect((await running).status).toBe('COMPENSATED');
  expect(nodesThere(world)).toEqual([]);
});

test('an effect that was said not to be there is listed as committed when it came about', async () => {
  const { store, clock, world, options } = begin();
  const running = runWorkflow(program([step('a', { after: 10 })]), 0, options);
  await clock.sleep(1000);
  settleEffect(store, 'run', 'a', { happened: false, by: 'Ann' }, clock);
  const { status, committed } = await running;
  expect(status).toBe('COMPLETED');
  expect(committed.map(({ nodeId }) => nodeId)).toEqual(['a']);
  expect(nodesThere(world)).toEqual(['a']);
});

test('each of several nodes that wait for messages of one name takes one of its own', async () => {
  const { store, options } = begin();
  const loop = { id: 'm', type: 'map', items: '$input', body: { nodes: [hear()], edges: [] } };
  const workflow = program([loop, hear('after')]);
  expect((await runWorkflow(workflow, [1, 2, 3], options)).status).toBe('WAITING');
  for (const data of ['A', 'B', 'C']) {
    await signalRun(store, 'run', { name: 'news', data });
    expect((await resumeRun(store, 'run', options)).status).toBe('WAITING');
  }
  await signalRun(store, 'run', { name: 'news', data: 'D' });
  const { status, output } = await resumeRun(store, 'run', options);
  expect({ status, output }).toEqual({ status: 'COMPLETED', output: 'D' });
  const taken = [...store.read({ runId: 'run', eventTypes: ['EndNode'] })].map(
    ({ payload }) => (payload as { taken?: number }).taken,
  );
  expect(taken.filter((one) => one !== undefined)).toEqual([1, 2, 3, 4]);
});

test.each(stores)(
  'what JSON cannot hold is no message, and harms no other (%s)',
  async (_, open) => {
    const { store, options } = begin(open());
    await runWorkflow(program([hear()]), 0, options);
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    for (const data of [circle, 10n, Number.NaN, () => 1, new Date(0), new Map()]) {
      const sent = signalRun(store, 'run', { name: 'news', data: data as Json });
      await expect(sent).rejects.toMatchObject({ code: 'not_json' });
    }
    await signalRun(store, 'run', { name: 'news', data: 1 });
    expect((await resumeRun(store, 'run', options)).output).toBe(1);
  },
);

test.each(stores)(
  'what is too large for the log is no message, and harms no other (%s)',
  async (name) => {
    const store =
      name === 'memory'
        ? createMemoryStore([], undefined, 1e5)
        : openSqliteStore(file(), { maxBytes: 1e5 });
    const { clock, options } = begin(store);
    const running = runWorkflow(program([step('a', { after: 10 }), hear()]), 0, options);
    await clock.sleep(1000);
    const tooLarge = signalRun(store, 'run', { name: 'news', data: 'x'.repeat(2e5) }, clock);
    await expect(tooLarge).rejects.toMatchObject({ code: 'too_large' });
    await signalRun(store, 'run', { name: 'news', data: 1 }, clock);
    expect((await running).output).toBe(1);
  },
);

test('messages that lack something are refused, not said to be delivered', async () => {
  const { store, options } = begin();
  await runWorkflow(program([step('a', {}, { approval: 'go' }), hear()]), 0, options);
  const bad = undefined as unknown as string;
  expect(() => cancelRun(store, 'run', { by: 'Ann', reason: bad })).toThrow(/reason/);
  expect(() => approve(store, 'run', 'go', bad)).toThrow(/by/);
  await expect(signalRun(store, 'run', { name: bad })).rejects.toMatchObject({
    code: 'bad_message',
  });
  await expect(signalRun(store, 'run', { name: 'news', by: 5 as never })).rejects.toThrow(/by/);
  expect(store.messages('run', 0)).toEqual([]);
});

test('approvals that are given on resuming a run that goes on reach it', async () => {
  const { clock, store, options } = begin();
  const workflow = program([step('a', {}, { approval: 'go' })]);
  const running = runWorkflow(workflow, 0, { ...options, stay: true });
  await clock.sleep(1000);
  const again = await resumeRun(store, 'run', { ...options, approvals: { go: 'Ann' } });
  expect(again.status).toBe('COMPLETED');
  expect((await running).status).toBe('COMPLETED');
  expect(countOf(store, 'run', 'Approve')).toBe(1);
});

test('an approval of a misspelt name given beforehand is refused', async () => {
  const { options, store } = begin();
  const workflow = program([step('a', {}, { approval: 'go' })]);
  const begun = runWorkflow(workflow, 0, { ...options, approvals: { goo: 'Ann' } });
  await expect(begun).rejects.toMatchObject({ code: 'no_approval' });
  expect(store.runs()).toEqual([]);
});

test('what was committed just before a manual undo stays', async () => {
  const { store, options, world } = begin();
  await runWorkflow(program([step('a')]), 0, options);
  const data = { by: 'Ann', evenCommitted: false };
  store.post({ runId: 'run', ts: '2026-01-01T00:00:00Z', kind: 'compensate', data });
  expect((await resumeRun(store, 'run', options)).status).toBe('COMPLETED');
  expect(nodesThere(world)).toEqual(['a']);
});

test('a store that fails when it is asked for messages breaks the run off, not the process', async () => {
  const { store, clock, options } = begin();
  let fails = false;
  const failing = {
    ...store,
    messages: (runId: string, after: number) => {
      if (fails) throw new Error('disk gone');
      return store.messages(runId, after);
    },
  };
  const running = runWorkflow(program([step('a', { after: 10 }), step('b')]), 0, {
    ...options,
    store: failing,
  });
  const end = expect(running).rejects.toThrow('disk gone');
  await clock.sleep(1000);
  fails = true;
  cancelRun(store, 'run', { by: 'Ann', reason: 'enough' }, clock);
  await end;
  expect((await resumeRun(store, 'run', options)).status).toBe('COMPENSATED');
});

test('an alert that never comes back does not keep a run from its end', async () => {
  const { options, world } = begin();
  const registry = {
    ...world.registry,
    compensators: {
      undo: {
        run: () => {
          throw new Error('no');
        },
      },
    },
  };
  const workflow = program([step('a'), plainStep('b', { fail: 'Broken' })]);
  const onAlert = () => new Promise<void>(() => {});
  const { status } = await runWorkflow(workflow, 0, { ...options, registry, onAlert });
  expect(status).toBe('COMPENSATION_FAILED');
});

test.each([
  ['nothing', null, 'COMPENSATED'],
  ['a number', 10n, 'COMPENSATION_FAILED'],
])('a compensator that says %s of what remains ends', async (_, remaining, end) => {
  const { store, options, world } = begin();
  const compensators = { undo: { run: () => ({ remaining }) as never } };
  const workflow = program([step('a'), plainStep('b', { fail: 'Broken' })]);
  const registry = { ...world.registry, compensators };
  expect((await runWorkflow(workflow, 0, { ...options, registry })).status).toBe(end);
  expect(verifyLog(store).valid).toBe(true);
});

test.each([
  { maxConcurrency: 0 },
  { maxConcurrency: Number.NaN },
  { leaseSeconds: 0 },
  { leaseSeconds: Number.NaN },
  { snapshotEvery: 0 },
  { seed: 'x' as never },
  { runId: 5 as never },
  { runId: null as never },
  { owner: 5 as never },
])('options that make no sense are refused in one line: %o', async (wrong) => {
  const { store, options } = begin();
  const begun = runWorkflow(program([step('a')]), 0, { ...options, ...wrong });
  await expect(begun).rejects.toMatchObject({ code: 'bad_option' });
  expect(store.runs()).toEqual([]);
});

test('a worker continues when its error callbacks fail', async () => {
  const { store, clock, world, options } = begin();
  await runWorkflow(program([hear()]), 0, options);
  await signalRun(store, 'run', { name: 'news' }, clock);
  const unhandled: unknown[] = [];
  const note = (error: unknown) => void unhandled.push(error);
  process.on('unhandledRejection', note);
  let fails = true;
  const worker = createWorker({
    ...{ store, clock },
    registryOf: () => (fails ? Promise.reject(new Error('none yet')) : world.registry),
    onError: () => {
      fails = false;
      throw new Error('no listener');
    },
  });
  await clock.sleep(10_000);
  await worker.stop();
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
  expect(fails).toBe(false);
  expect(countOf(store, 'run', 'EndRun')).toBe(1);
});

test.each([{ concurrency: 0 }, { concurrency: Number.NaN }, { pollSeconds: Number.NaN }])(
  'a worker that could do nothing is refused: %o',
  (wrong) => {
    const { store, world } = begin();
    const make = () => createWorker({ store, registry: world.registry, ...wrong });
    expect(make).toThrow(/concurrency|pollSeconds/);
  },
);

test('an input that the log cannot hold, and an error that cannot be read, fail their steps', async () => {
  const workflow = flow({
    nodes: [{ ...plain('big'), handler: 'big' }, effect('a')],
    edges: chain('big', 'a'),
    policies: { saga: SAGA },
  });
  const { registry } = createWorld();
  const big = { kind: 'pure', run: () => 'x' } as const;
  const unreadable = {
    get code(): string {
      throw new Error('no code for you');
    },
  };
  const odd = { run: () => Promise.reject(unreadable) };
  const unloggable = { ...registry.handlers.effect, input: { encode: () => Number.NaN } };
  const runWith = (handler: object) =>
    runIn(workflow, 0, {
      registry: { ...registry, handlers: { ...registry.handlers, big, effect: handler as never } },
    });
  expect((await runWith(unloggable)).result.error).toMatchObject({ code: 'not_json', nodeId: 'a' });
  expect((await runWith(odd)).result.error).toMatchObject({ code: 'Error', nodeId: 'a' });
});

const throwing = {
  get value(): never {
    throw new Error('no value for you');
  },
};
const boundless: object = new Proxy(
  {},
  {
    ownKeys: () => {
      throw Object.create(null);
    },
  },
);
const unreadableError = Object.assign(new Error('x'), {
  toString() {
    throw new Error('no text');
  },
});

test.each([
  ['a throwing getter', () => throwing],
  ['a proxy', () => boundless],
  [
    'a thrown object without a prototype',
    () => {
      throw Object.create(null);
    },
  ],
  [
    'a thrown proxy',
    () => {
      throw new Proxy(
        {},
        {
          getPrototypeOf: () => {
            throw 1;
          },
        },
      );
    },
  ],
  [
    'an error without a text',
    () => {
      throw unreadableError;
    },
  ],
  [
    'an error longer than the log allows',
    () => {
      throw new Error('x'.repeat(2e5));
    },
  ],
])('hostile values of handlers and validators end the run after one call: %s', async (_, give) => {
  for (const part of ['handler', 'validator']) {
    const { options, world } = begin(createMemoryStore([], undefined, 1e5));
    let calls = 0;
    const hostile = () => {
      calls++;
      return give() as never;
    };
    const plain = part === 'handler' ? { run: hostile } : world.registry.handlers.plain;
    const validators = part === 'validator' ? { b: hostile } : {};
    const handlers = { ...world.registry.handlers, plain };
    const registry = { ...world.registry, handlers, validators };
    const workflow = program([step('a'), plainStep('b')]);
    const result = await runWorkflow(workflow, 0, { ...options, registry });
    expect(result.status).toBe('COMPENSATED');
    expect(calls).toBe(1);
    expect(nodesThere(world)).toEqual([]);
  }
});

test('verdicts and names of effects that cannot be read, or are no JSON, end a run all the same', async () => {
  const cycle: Record<string, unknown> = {};
  cycle.own = cycle;
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const throwing = {
    get part() {
      throw new Error('no part');
    },
  };
  const hostile: readonly unknown[] = [
    ...[throwing, cycle, 10n, Symbol('s'), new Map(), revoked.proxy, Object.create(null)],
    ...[new Date(Number.NaN), Number.NaN, { toString: null }],
  ];
  const answers = hostile.flatMap((value) => [
    { validators: { one: () => ({ outcome: 'reject', errors: [value] }) } },
    { validators: { one: () => ({ outcome: 'reject', errors: value }) } },
    { validators: { one: () => ({ outcome: 'augment', value, corrections: [value] }) } },
    { validators: { one: () => ({ outcome: 'feedback', feedback: value }) } },
    { inputValidators: { one: () => ({ outcome: 'reject', errors: value }) } },
    { externalRef: () => value },
    { input: { encode: () => value, decode: (json: unknown) => json } },
    { log: value },
  ]);
  for (const { externalRef, input, log, ...validators } of answers as unknown as Record<
    string,
    object
  >[]) {
    const world = createOutside();
    const { run } = world.registry.handlers.act;
    const act = {
      ...world.registry.handlers.act,
      ...(externalRef && { externalRef }),
      ...(input && { input }),
      run: (given: never, context: StepContext) => {
        if (log !== undefined) context.log('RepairCommit', log as never);
        return run(given, context);
      },
    };
    const registry = { ...world.registry, ...validators, handlers: { act } };
    const options = { registry, clock: virtualClock(), store: createMemoryStore() };
    const { status } = await runWorkflow(program([step('one')]), 0, options as never);
    expect(status).not.toBe('WAITING');
    // What failed after it had its effect was undone; what was let pass is there.
    expect(world.there.size).toBe(status === 'COMPLETED' ? 1 : 0);
  }
});

test('what is no workflow, no store and no registry is refused in words; plain JSON is filled', async () => {
  const registry = { handlers: { a: { run: () => 1 } } };
  const store = createMemoryStore();
  const plain = {
    schema: WORKFLOW_SCHEMA,
    name: 'p',
    edges: [],
    nodes: [{ id: 'a', type: 'task' }],
  };
  const refused: [unknown, unknown, string][] = [
    [plain, undefined, 'bad_option'],
    [plain, { registry }, 'bad_option'],
    [plain, { registry, store: {} }, 'bad_option'],
    [plain, { store }, 'bad_option'],
    [plain, { store, registry: {} }, 'bad_option'],
    [null, { store, registry }, 'bad_workflow'],
    [{ name: 'p' }, { store, registry }, 'bad_workflow'],
    ['{}', { store, registry }, 'bad_workflow'],
  ];
  for (const [workflow, options, code] of refused) {
    const run = runWorkflow(workflow as never, 0, options as never);
    await expect(run, code).rejects.toMatchObject({ name: 'InputError', code });
  }
  const noStore = resumeRun(undefined as never, 'run', { registry });
  await expect(noStore).rejects.toMatchObject({ code: 'bad_option' });
  const { status } = await runWorkflow(plain as never, 0, { store, registry, unchecked: true });
  expect(status).toBe('COMPLETED');
});
