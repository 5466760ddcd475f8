import { virtualClock } from '@alas-jssp/core/virtual-clock';
import { describe, expect, test } from 'vitest';
import {
  approve,
  compensateRun,
  createMemoryStore,
  describeState,
  type Json,
  replayRun,
  resumeRun,
  type StepContext,
  stateOfRun,
} from '../../src/index.js';
import { chain, createWorld, effect, entryLines, flow, plain, runIn, SAGA } from './world.js';

const three = (last: object, saga: object = SAGA, params: Record<string, object> = {}) =>
  flow({
    nodes: [
      effect('a', params.a as never),
      effect('b', params.b as never),
      effect('c', params.c as never),
      { ...plain('end'), ...last },
    ],
    edges: chain('a', 'b', 'c', 'end'),
    policies: { saga },
  });
const broken = { params: { fail: 'Broken' } };

describe('undoing', () => {
  test('registration and start are one transaction, before the effect', async () => {
    const { entries, result } = await runIn(three({}));
    expect(entryLines(entries, 'StartNode', 'Register', 'EndNode').slice(0, 3)).toEqual([
      'StartNode a',
      'Register a',
      'EndNode a',
    ]);
    expect(result.status).toBe('COMPLETED');
    expect(entryLines(entries, 'Compensate')).toEqual([]);
  });

  test('a failure undoes what was done, last in first out, and changes nothing in the log', async () => {
    const { result, world, entries } = await runIn(three(broken));
    expect(result).toMatchObject({
      status: 'COMPENSATED',
      error: { code: 'Broken' },
      remaining: [],
    });
    expect(world.standing.size).toBe(0);
    expect(entryLines(entries, 'Compensate', 'Compensated')).toEqual([
      ...['Compensate c', 'Compensated c', 'Compensate b', 'Compensated b'],
      ...['Compensate a', 'Compensated a'],
    ]);
  });

  test('across branches each step is undone before what it builds on', async () => {
    const body = (seconds: number) => ({
      nodes: [effect('x', { seconds }), effect('y', { seconds })],
      edges: chain('x', 'y'),
    });
    const workflow = flow({
      nodes: [
        effect('first'),
        { id: 'par', type: 'parallel', branches: { slow: body(5), fast: body(2) } },
        effect('last', broken.params),
      ],
      edges: chain('first', 'par', 'last'),
      policies: { saga: SAGA },
    });
    const { world, result } = await runIn(workflow);
    expect(result.status).toBe('COMPENSATED');
    const undone = world.calls.filter((call) => call.startsWith('undo'));
    expect(undone).toEqual([
      ...['undo last', 'undo par/slow/y', 'undo par/slow/x'].slice(0, 2),
      ...['undo par/slow/x', 'undo par/fast/y', 'undo par/fast/x', 'undo first'],
    ]);
  });

  test('a compensator is tried again under its own policy', async () => {
    const saga = {
      compensation: {
        ...SAGA.compensation,
        timeout: { seconds: 5 },
        retry: { maxAttempts: 3 },
        backoff: { mode: 'fixed', base: 7 },
      },
    };
    const clock = virtualClock();
    const { result, world } = await runIn(three(broken, saga, { b: { undoFails: 2 } }), 0, {
      clock,
    });
    expect(result.status).toBe('COMPENSATED');
    expect(clock.now()).toBe(14_000);
    expect(world.calls.slice(-5)).toEqual(['undo c', 'undo b', 'undo b', 'undo b', 'undo a']);
    const hung = await runIn(three(broken, saga, { b: { undoSeconds: 60 } }));
    expect(hung.result.remaining[0]).toMatchObject({ nodeId: 'b', reason: 'failed' });
  });

  test('what could not be undone is listed with its reference, and so is what it builds on', async () => {
    const workflow = flow({
      nodes: [
        effect('a'),
        effect('b', { undoFails: 9 }),
        effect('aside'),
        { ...plain('end'), ...broken },
      ],
      edges: [...chain('a', 'b', 'end'), { from: 'aside', to: 'end' }],
      policies: { saga: SAGA },
    });
    const { result, world } = await runIn(workflow);
    expect(result.status).toBe('COMPENSATION_FAILED');
    expect(result.remaining).toMatchObject([
      { nodeId: 'b', externalRef: 'ref', reason: 'failed', detail: 'cannot be undone' },
      { nodeId: 'a', externalRef: 'ref', reason: 'blocked' },
    ]);
    const left = result.remaining.map(({ idempotencyKey }) => idempotencyKey);
    expect(left.sort()).toEqual([...world.standing.keys()].sort());
  });

  test('a person can have the rest undone later, but not what was committed', async () => {
    const { result, world, store } = await runIn(three(broken, SAGA, { b: { undoFails: 1 } }));
    expect(result.status).toBe('COMPENSATION_FAILED');
    const options = { registry: world.registry, clock: virtualClock() };
    const again = await compensateRun(store, 'run', 'Ada', options);
    expect(again).toMatchObject({
      status: 'COMPENSATED',
      remaining: [],
      error: { code: 'Broken' },
    });
    expect(world.standing.size).toBe(0);
    expect(entryLines([...store.read({ runId: 'run' })], 'EndRun')).toHaveLength(2);
    const good = await runIn(three({}));
    const late = compensateRun(good.store, 'run', 'Ada', options);
    await expect(late).rejects.toMatchObject({ code: 'committed' });
  });

  test('which failures compensate is declared by the step that fails', async () => {
    const nodes = [effect('a'), { ...plain('end'), ...broken, policyRef: 'end' }];
    const workflow = flow({
      nodes,
      edges: chain('a', 'end'),
      policies: {
        saga: SAGA,
        end: { compensation: { ...SAGA.compensation, compensateOn: ['Other'] } },
      },
    });
    const { result, world } = await runIn(workflow);
    expect(result).toMatchObject({
      status: 'FAILED',
      remaining: [{ nodeId: 'a', reason: 'declared' }],
    });
    expect(world.standing.size).toBe(1);
  });

  test('what triggers an undoing is declared by the effect', async () => {
    const manual = { compensation: { ...SAGA.compensation, triggers: ['manual'] } };
    const { result } = await runIn(three(broken, manual));
    expect(result.status).toBe('FAILED');
    expect(result.remaining.map(({ reason }) => reason)).toEqual([
      'declared',
      'declared',
      'declared',
    ]);
  });

  test('irreversible effects stay and are listed; partial ones list what is left', async () => {
    const workflow = flow({
      nodes: [
        { ...effect('part'), effect: 'partial', policyRef: 'part' },
        { ...effect('mail'), effect: 'irreversible', policyRef: undefined },
        {
          ...effect('end', { ...broken.params, before: true }),
          effect: 'irreversible',
          policyRef: undefined,
        },
      ],
      edges: chain('part', 'mail', 'end'),
      policies: { saga: SAGA, part: { compensation: { handler: 'part', safeReinvoke: true } } },
    });
    const world = createWorld();
    const compensators = { part: { run: () => ({ remaining: 'the fee' }) } };
    const registry = { ...world.registry, compensators };
    const { result } = await runIn(workflow, 0, { world, registry });
    expect(result.status).toBe('COMPENSATION_FAILED');
    expect(result.remaining).toMatchObject([
      { nodeId: 'mail', reason: 'irreversible' },
      { nodeId: 'part', reason: 'partial', detail: 'the fee' },
    ]);
  });

  describe('an irreversible step that fails is listed unless its handler alone says that it failed', () => {
    const mail = { ...effect('mail'), effect: 'irreversible', policyRef: 'mail' };
    const sent = async (params: object, options: object = {}, policy: object = {}, before = {}) => {
      const workflow = flow({
        nodes: [effect('a'), { ...mail, params }],
        edges: chain('a', 'mail'),
        policies: { saga: { compensation: { ...SAGA.compensation, ...before } }, mail: policy },
      });
      const { result } = await runIn(workflow, 0, options);
      return [...result.remaining, ...result.inDoubt].map(({ nodeId }) => nodeId);
    };
    const judged = (parts: object) => ({ registry: { ...createWorld().registry, ...parts } });

    test('it is not where every attempt says so', async () => {
      expect(await sent({ fail: 'Busy' })).toEqual([]);
    });

    test('it is when an attempt had timed out before', async () => {
      const policy = {
        timeout: { seconds: 5 },
        retry: { maxAttempts: 2, retryOn: ['*'] },
        backoff: { mode: 'fixed', base: 1 },
      };
      const clock = virtualClock();
      const { registry } = createWorld();
      const run = async (_: unknown, { attempt }: StepContext) => {
        if (attempt === 1) await clock.sleep(60_000);
        throw Object.assign(new Error('busy'), { code: 'Busy' });
      };
      const handlers = {
        ...registry.handlers,
        effect: {
          run: (input: Json, context: StepContext) =>
            context.nodeId === 'mail' ? run(input, context) : input,
        },
      };
      const options = { clock, registry: { ...registry, handlers } };
      expect(await sent({}, options, policy)).toEqual(['mail']);
    });

    test('it is done when its answer reaches the log after the run broke off', async () => {
      const store = createMemoryStore();
      const { registry } = createWorld();
      const append: typeof store.append = (entries, options) => {
        if (entries.some(({ eventType }) => eventType === 'EndNode')) throw new Error('power cut');
        return store.append(entries, options);
      };
      const workflow = flow({ nodes: [{ ...mail, policyRef: undefined }] });
      await expect(runIn(workflow, 0, { store: { ...store, append } })).rejects.toThrow(
        'power cut',
      );
      const fail = () => {
        throw new Error('busy');
      };
      const handlers = { ...registry.handlers, effect: { run: fail } };
      const result = await resumeRun(store, 'run', { registry: { ...registry, handlers } });
      expect(result).toMatchObject({ status: 'COMPLETED', committed: [{ nodeId: 'mail' }] });
    });

    test('it is when a deadline stops it', async () => {
      const before = { triggers: ['deadline'], deadlineSeconds: 30 };
      expect(await sent({ seconds: 60 }, {}, {}, before)).toEqual(['mail']);
    });

    test('it is when what it gave is rejected, or its validator throws', async () => {
      const reject = () => ({ outcome: 'reject', errors: ['wrong'] });
      expect(await sent({}, judged({ validators: { mail: reject } }))).toEqual(['mail']);
      const broken = () => {
        throw new TypeError('broken');
      };
      expect(await sent({}, judged({ validators: { mail: broken } }))).toEqual(['mail']);
    });

    test('it is when what it gave cannot be logged', async () => {
      const { registry } = createWorld();
      const handlers = {
        ...registry.handlers,
        effect: { run: (_: Json, { nodeId }: StepContext) => (nodeId === 'mail' ? 1n : 1) },
      };
      expect(await sent({}, { registry: { ...registry, handlers } })).toEqual(['mail']);
    });
  });
});

describe('triggers', () => {
  test('a run that is cancelled stops its handlers and still finishes what it has to undo', async () => {
    const stop = new AbortController();
    const clock = virtualClock();
    void clock.sleep(3000).then(() => stop.abort(new Error('enough')));
    const workflow = three({ params: { seconds: 60 } }, SAGA, { a: { undoSeconds: 4 } });
    const { result, world, entries } = await runIn(workflow, 0, { signal: stop.signal, clock });
    expect(result).toMatchObject({
      status: 'COMPENSATED',
      error: { code: 'Cancelled', message: 'enough' },
    });
    expect(world.standing.size).toBe(0);
    expect(clock.now()).toBe(7000);
    expect(entryLines(entries, 'Cancel', 'FailNode')).toEqual(['Cancel ', 'FailNode end']);
  });

  test('with nothing to undo it is just cancelled', async () => {
    const signal = AbortSignal.abort('never mind');
    const { result, world } = await runIn(flow({ nodes: [plain('a')] }), 0, { signal });
    expect(result).toMatchObject({ status: 'CANCELLED', error: { message: 'never mind' } });
    expect(world.calls).toEqual([]);
  });

  const timed = {
    compensation: { ...SAGA.compensation, triggers: ['deadline'], deadlineSeconds: 30 },
  };

  test('an effect that is held for too long brings the run back', async () => {
    const clock = virtualClock();
    const { result, entries } = await runIn(three({ params: { seconds: 60 } }, timed), 0, {
      clock,
    });
    expect(result).toMatchObject({
      status: 'COMPENSATED',
      error: { code: 'Deadline', nodeId: 'a' },
    });
    expect(clock.now()).toBe(30_000);
    expect(entryLines(entries, 'Trigger')).toEqual(['Trigger a']);
    const intime = await runIn(three({ params: { seconds: 20 } }, timed));
    expect(intime.result.status).toBe('COMPLETED');
  });

  test('deadlines are armed again after a restart, and may have passed meanwhile', async () => {
    const clock = virtualClock();
    const workflow = three({ approval: 'go', params: { seconds: 20 } }, timed);
    const { result, world, store } = await runIn(workflow, 0, { clock });
    expect(result.status).toBe('WAITING');
    await clock.sleep(15_000);
    approve(store, 'run', 'go', 'Ada', clock);
    const options = { registry: world.registry, clock };
    expect(await resumeRun(store, 'run', options)).toMatchObject({ error: { code: 'Deadline' } });
    expect(clock.now()).toBe(30_000);
    expect(world.standing.size).toBe(0);
  });
});

describe('approvals', () => {
  test('a run waits for its approval, and goes on when it is resumed', async () => {
    const { result, world, store, entries } = await runIn(three({ approval: 'go' }));
    expect(result).toMatchObject({ status: 'WAITING', output: null });
    expect(entryLines(entries, 'AwaitApproval')).toEqual(['AwaitApproval end']);
    const options = { registry: world.registry, clock: virtualClock() };
    expect((await resumeRun(store, 'run', options)).status).toBe('WAITING');
    approve(store, 'run', 'go', 'Ada');
    const resumed = await resumeRun(store, 'run', options);
    expect(resumed).toMatchObject({ status: 'COMPLETED', output: 4 });
    expect(world.calls).toEqual(['a', 'b', 'c', 'end']);
  });

  test('approvals may be given beforehand', async () => {
    const { result } = await runIn(three({ approval: 'go' }), 0, { approvals: { go: 'Ada' } });
    expect(result.status).toBe('COMPLETED');
  });

  test('a run that waits can be undone by hand', async () => {
    const { world, store } = await runIn(three({ approval: 'go' }));
    const options = { registry: world.registry, clock: virtualClock() };
    const result = await compensateRun(store, 'run', 'Ada', options);
    expect(result.status).toBe('COMPENSATED');
    expect(world.standing.size).toBe(0);
  });

  test('so can one node, with what builds on it; the rest stays until it is undone, too', async () => {
    const { world, store } = await runIn(three({ approval: 'go' }));
    const options = { registry: world.registry, clock: virtualClock() };
    const one = await compensateRun(store, 'run', 'Ada', { ...options, nodeId: 'b' });
    expect(one.status).toBe('COMPENSATED');
    expect(one.remaining.map(({ nodeId, reason }) => [nodeId, reason])).toEqual([
      ['a', 'declared'],
    ]);
    expect(world.calls.filter((call) => call.startsWith('undo'))).toEqual(['undo c', 'undo b']);
    const none = compensateRun(store, 'run', 'Ada', { ...options, nodeId: 'end' });
    await expect(none).rejects.toMatchObject({ code: 'no_effect' });
    const rest = await compensateRun(store, 'run', 'Ada', options);
    expect([rest.status, rest.remaining, world.standing.size]).toEqual(['COMPENSATED', [], 0]);
    expect(await replayRun(store, 'run', world)).toMatchObject({ parity: true });
  });
});

test('the state of a transaction has three parts', async () => {
  const { store } = await runIn(three(broken));
  const { application, operation, dependency } = describeState(stateOfRun(store, 'run'));
  expect(application).toEqual({});
  expect(operation.map(({ nodeId, status, effect: e }) => [nodeId, status, e?.status])).toEqual([
    ['a', 'done', 'undone'],
    ['b', 'done', 'undone'],
    ['c', 'done', 'undone'],
    ['end', 'failed', undefined],
  ]);
  expect(dependency).toContainEqual({ from: 'a', to: 'b', satisfied: true });
  const waiting = await runIn(three({ approval: 'go' }));
  const state = describeState(stateOfRun(waiting.store, 'run'));
  expect(state.application).toEqual({ a: 1, b: 2, c: 3 });
});
