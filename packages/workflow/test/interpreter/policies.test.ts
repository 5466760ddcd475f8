import { virtualClock } from '@alas-jssp/core/virtual-clock';
import { describe, expect, test } from 'vitest';
import type { LogEntry, Payloads } from '../../src/index.js';
import { chain, createWorld, effect, entryLines, flow, plain, runIn, SAGA } from './world.js';

/** The payloads of the entries of a type. */
function payloads<T extends keyof Payloads>(entries: readonly LogEntry[], type: T): Payloads[T][] {
  return entries
    .filter(({ eventType }) => eventType === type)
    .map(({ payload }) => payload as unknown as Payloads[T]);
}

const one = (policy: object, params: object, parts: object = {}) =>
  flow({
    nodes: [{ ...plain('a', params as never), policyRef: 'p', ...parts }],
    policies: { p: policy },
  });

describe('retries', () => {
  test('a step is tried again, as often as it may, with waits that double up to the cap', async () => {
    const policy = {
      retry: { maxAttempts: 5 },
      backoff: { mode: 'exponential', base: 1, cap: 3 },
    };
    const clock = virtualClock();
    const workflow = one(policy, { fail: 'Busy', times: 4 });
    const { result, entries } = await runIn(workflow, 0, { clock });
    expect(result.status).toBe('COMPLETED');
    const retries = payloads(entries, 'Retry');
    expect(retries.map(({ attempt, wait }) => [attempt, wait])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 3],
    ]);
    expect(retries[0].error.code).toBe('Busy');
    expect(clock.now()).toBe(9000);
    expect((await runIn(one(policy, { fail: 'Busy', times: 5 }), 0)).result.status).toBe('FAILED');
  });

  test('only codes that are worth it are tried again', async () => {
    const policy = { retry: { maxAttempts: 3, retryOn: ['Busy'] } };
    const { result, world } = await runIn(one(policy, { fail: 'Broken', times: 1 }));
    expect(result.error).toMatchObject({
      code: 'Broken',
      message: 'Broken as requested',
      nodeId: 'a',
    });
    expect(world.calls).toEqual(['a']);
  });

  test('jitter shortens waits by run, node and attempt, and always in the same way', async () => {
    const policy = {
      retry: { maxAttempts: 4 },
      backoff: { mode: 'fixed', base: 10, jitter: 0.5 },
    };
    const waits = async (runId: string) => {
      const { entries } = await runIn(one(policy, { fail: 'Busy' }), 0, { runId });
      return payloads(entries, 'Retry').map(({ wait }) => wait);
    };
    const first = await waits('r1');
    expect(await waits('r1')).toEqual(first);
    expect(await waits('r2')).not.toEqual(first);
    expect(new Set(first).size).toBe(3);
    for (const wait of first) expect(wait).toSatisfy((w: number) => w > 5 && w <= 10);
  });
});

describe('timeouts', () => {
  test('the handler is notified through its signal, and the step fails with the code Timeout', async () => {
    const clock = virtualClock();
    const workflow = one({ timeout: { seconds: 5 } }, { seconds: 60 });
    const { result, entries } = await runIn(workflow, 0, { clock });
    expect(result.error).toMatchObject({ code: 'Timeout', nodeId: 'a' });
    expect(clock.now()).toBe(5000);
    expect(payloads(entries, 'Timeout')[0]).toEqual({ attempt: 1, seconds: 5 });
  });

  test('who does not listen is left behind: what comes late is logged, not used, and undone', async () => {
    const workflow = flow({
      nodes: [effect('a', { seconds: 8, deaf: true, before: true })],
      policies: { saga: { ...SAGA, timeout: { seconds: 5 } } },
    });
    const { result, entries, world } = await runIn(workflow, 0);
    expect(result).toMatchObject({ status: 'COMPENSATED', error: { code: 'Timeout' } });
    expect(payloads(entries, 'Answer')).toEqual([{ attempt: 1, output: 1, externalRef: 'ref' }]);
    expect(payloads(entries, 'Compensate')[0].externalRef).toBe('ref');
    expect([...world.made.values()]).toEqual([1]);
    expect(world.standing.size).toBe(0);
  });

  test('a timeout is worth another attempt, if the policy says so', async () => {
    const policy = { timeout: { seconds: 5 }, retry: { maxAttempts: 2, retryOn: ['Timeout'] } };
    const { entries } = await runIn(one(policy, { seconds: 8 }));
    expect(entryLines(entries, 'StartNode', 'Timeout', 'Retry', 'FailNode')).toEqual([
      'StartNode a',
      'Timeout a',
      'Retry a',
      'StartNode a',
      'Timeout a',
      'FailNode a',
    ]);
  });
});

describe('catching', () => {
  const workflow = (errors: string[]) =>
    flow({
      nodes: [
        { ...plain('a', { fail: 'Broken' }), policyRef: 'p' },
        plain('b'),
        plain('mend'),
        plain('end'),
      ],
      edges: [...chain('a', 'b', 'end'), { from: 'mend', to: 'end' }],
      policies: { p: { catch: [{ errors, handler: 'mend' }] } },
    });

  test('the handler continues with the error and the input; what came after the step is skipped', async () => {
    const { result, entries } = await runIn(workflow(['Broken']), 7);
    expect(result).toMatchObject({
      status: 'COMPLETED',
      output: { error: { code: 'Broken', message: 'Broken as requested', nodeId: 'a' }, input: 7 },
    });
    expect(entryLines(entries, 'Catch', 'SkipNode')).toEqual(['Catch a', 'SkipNode b']);
  });

  test('other codes are not caught, and without a failure the handler does not run', async () => {
    expect((await runIn(workflow(['Other']), 7)).result.error?.code).toBe('Broken');
    const good = workflow(['*']);
    const fine = { ...good, nodes: [{ ...good.nodes[0], params: {} }, ...good.nodes.slice(1)] };
    const { result, entries } = await runIn(fine as never, 7);
    expect(result.output).toBe(10);
    expect(entryLines(entries, 'SkipNode')).toEqual(['SkipNode mend']);
  });

  test('a default policy catches everything but what comes after its own handler', async () => {
    const all = flow({
      nodes: [plain('a'), plain('b', { fail: 'Broken' }), plain('mend', { fail: 'Worse' })],
      edges: chain('a', 'b'),
      policies: { p: { catch: [{ errors: ['*'], handler: 'mend' }] } },
      defaultPolicy: 'p',
    });
    const { result, world } = await runIn(all, 1);
    expect(result.error?.code).toBe('Worse');
    expect(world.calls).toEqual(['a', 'b', 'mend']);
  });

  test('of a parallel node that is caught, only the branch that failed is undone', async () => {
    const branch = (fail: boolean) => ({
      nodes: [effect('x'), plain('y', fail ? { seconds: 1, fail: 'Broken' } : { seconds: 2 })],
      edges: chain('x', 'y'),
    });
    const par = flow({
      nodes: [
        {
          id: 'par',
          type: 'parallel',
          policyRef: 'p',
          branches: { good: branch(false), bad: branch(true) },
        },
        plain('mend'),
      ],
      policies: { saga: SAGA, p: { catch: [{ errors: ['*'], handler: 'mend' }] } },
    });
    const { result, world } = await runIn(par, 1);
    expect(result.status).toBe('COMPLETED');
    expect([...world.standing.values()]).toEqual(['par/good/x']);
    expect(world.calls).toEqual([
      'par/good/x',
      'par/bad/x',
      'par/good/y',
      'par/bad/y',
      'undo par/bad/x',
      'mend',
    ]);
  });
});

describe('idempotency', () => {
  const two = (scope: string, handlers: [string, string] = ['effect', 'effect'], policy = {}) =>
    flow({
      nodes: [
        { ...effect('a', { seconds: 1 }), input: { x: 'input' }, handler: handlers[0] },
        { ...effect('b', { seconds: 1 }), input: { x: 'input' }, handler: handlers[1] },
      ],
      policies: {
        saga: { ...SAGA, idempotencyKey: { template: '{runId}:{inputHash}', scope }, ...policy },
      },
    });

  test('an effect that others are at is waited for, and its result is taken from them', async () => {
    const { result, world, entries } = await runIn(two('workflow'), 3);
    expect(result.status).toBe('COMPLETED');
    expect(world.calls).toEqual(['a']);
    expect(result.output).toEqual({ a: { x: 3 }, b: { x: 3 } });
    expect(payloads(entries, 'EndNode')[1]).toMatchObject({ cached: 'a' });
  });

  test('one key for two effects is refused', async () => {
    const { result, world } = await runIn(two('node'), 3);
    expect(result).toMatchObject({
      status: 'COMPENSATED',
      error: { code: 'IdempotencyCollision' },
    });
    expect(world.standing.size).toBe(0);
    const { registry } = createWorld();
    const handlers = { ...registry.handlers, other: registry.handlers.effect };
    const differing = await runIn(two('workflow', ['effect', 'other']), 3, {
      registry: { ...registry, handlers },
    });
    expect(differing.result.error?.code).toBe('IdempotencyCollision');
  });

  test('a failure leaves the key free for others', async () => {
    const workflow = flow({
      nodes: [
        { ...effect('a', { seconds: 1, fail: 'Broken', before: true }), input: { x: 'input' } },
        { ...effect('b', { seconds: 2 }), input: { x: 'input' } },
        plain('mend'),
      ],
      policies: {
        saga: {
          ...SAGA,
          idempotencyKey: { template: '{runId}:{inputHash}', scope: 'workflow' },
          catch: [{ errors: ['*'], handler: 'mend' }],
        },
      },
    });
    const { result, world } = await runIn(workflow, 3);
    expect(result.status).toBe('COMPLETED');
    expect(world.calls).toEqual(['a', 'undo a', 'b', 'mend']);
  });

  test('keys of resources hold over all runs of a log', async () => {
    const workflow = flow({
      nodes: [{ ...effect('a'), input: { x: 'input' } }],
      policies: {
        saga: { ...SAGA, idempotencyKey: { template: 'r:{inputHash}', scope: 'resource' } },
      },
    });
    const { world, store: log } = await runIn(workflow, 3, { runId: 'r1' });
    await runIn(workflow, 3, { world, log, runId: 'r2' });
    expect(world.calls).toEqual(['a']);
    await runIn(workflow, 4, { world, log, runId: 'r3' });
    expect(world.calls).toEqual(['a', 'a']);
  });

  test('keys depend on run, node and input alone', async () => {
    const keys = async (runId: string, input: number) => {
      const workflow = flow({ nodes: [effect('a'), effect('b')], policies: { saga: SAGA } });
      return [...(await runIn(workflow, input, { runId })).world.standing.keys()];
    };
    const [a, b] = await keys('r1', 1);
    expect(a).toMatch(/^r1\|a\|[0-9a-f]{64}$/);
    expect(a).not.toBe(b);
    expect(await keys('r1', 1)).toEqual([a, b]);
    expect((await keys('r2', 1))[0]).not.toBe(a);
    expect((await keys('r1', 2))[0]).not.toBe(a);
  });
});
