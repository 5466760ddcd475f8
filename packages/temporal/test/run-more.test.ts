import { childRun, createMemoryStore } from '@alas-jssp/workflow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  chain,
  createWorld,
  effect,
  flow,
  plain,
  SAGA,
} from '../../../packages/workflow/test/interpreter/world.js';
import { find } from '../server.mjs';
import { formatAddress } from '../src/address.js';
import { exportHistory, exportRun } from '../src/run/export-history.js';
import { runWorkflow } from '../src/run/run-workflow.js';
import { comparable, openTestServer, runHere, runThere, type TestServer } from './run-world.js';

describe.skipIf(find() === undefined)('runs of workflows that have to do with others', () => {
  let there: TestServer;
  const world = createWorld();
  const childFlow = flow({ name: 'child', nodes: [effect('inner')], policies: { saga: SAGA } });
  const registryOf = ({ registry }: typeof world, store = createMemoryStore()) => {
    const one = childRun(childFlow, { registry, store, unchecked: true });
    return {
      ...registry,
      handlers: { ...registry.handlers, child: one.handler },
      compensators: { ...registry.compensators, undoChild: one.compensator },
    };
  };
  beforeAll(async () => {
    there = await openTestServer();
    await there.work('world', registryOf(world));
  });
  afterAll(() => there.stop());

  const policies = {
    saga: SAGA,
    child: { compensation: { handler: 'undoChild', safeReinvoke: true } },
    shared: {
      ...SAGA,
      idempotencyKey: { template: 'room-{inputHash}', scope: 'resource' },
      wait: { seconds: 20 },
    },
    loop: { loopGuards: { maxIters: 12 } },
  };
  const parent = (fail: object) =>
    flow({
      nodes: [
        { id: 'sub', type: 'task', handler: 'child', effect: 'compensable', policyRef: 'child' },
        plain('last', fail as Record<string, never>),
      ],
      edges: chain('sub', 'last'),
      policies,
    });

  it('start children, whose logs are their own', async () => {
    const all = { runId: 'parent', unchecked: true };
    const here = await runHere(registryOf(createWorld()), parent({}), 1, all);
    const far = await runThere(there, 'world', parent({}), 1, all);
    expect(far.result.status).toBe('COMPLETED');
    expect(comparable(far.entries)).toEqual(comparable(here.entries));
    expect(world.made.size).toBe(1);
  });

  it('undo what children did that have completed', async () => {
    const all = { runId: 'undone', unchecked: true };
    const here = await runHere(registryOf(createWorld()), parent({ fail: 'Broken' }), 1, all);
    const before = world.standing.size;
    const far = await runThere(there, 'world', parent({ fail: 'Broken' }), 1, all);
    expect(far.result.status).toBe('COMPENSATED');
    expect(comparable(far.entries)).toEqual(comparable(here.entries));
    expect(world.standing.size).toBe(before);
    expect(world.calls).toContain('undo inner');
  });

  it('report that the effects of a child are unknown because it was ended from outside', async () => {
    const slow = flow({
      name: 'slow',
      nodes: [effect('inner'), plain('long', { seconds: 60 })],
      edges: chain('inner', 'long'),
      policies: { saga: SAGA },
    });
    const { registry } = createWorld();
    const one = childRun(slow, { registry, store: createMemoryStore(), unchecked: true });
    await there.work('ended', {
      ...registry,
      handlers: { ...registry.handlers, child: one.handler },
      compensators: { ...registry.compensators, undoChild: one.compensator },
    });
    const all = { runId: 'ended', unchecked: true };
    const going = runThere(there, 'ended', parent({}), 1, all);
    const child = there.client.workflow.getHandle('ended/sub');
    const isThere = async () => {
      const { events = [] } = (await child.fetchHistory().catch(() => undefined)) ?? {};
      return events?.some((event) => event.activityTaskScheduledEventAttributes != null);
    };
    await expect.poll(isThere, { timeout: 60_000 }).toBe(true);
    await child.terminate();
    const { result } = await going;
    expect(result).toMatchObject({ status: 'COMPENSATION_FAILED', remaining: [{ nodeId: 'sub' }] });
  });

  it('make one effect of one key, and use what is there', async () => {
    const room = (seconds: number) =>
      flow({
        nodes: [{ ...effect('room', { seconds }), policyRef: 'shared' }],
        policies,
      });
    const options = { unchecked: true };
    const [a, b] = await Promise.all([
      runThere(there, 'world', room(1), 7, { ...options, runId: 'first' }),
      runThere(there, 'world', room(1), 7, { ...options, runId: 'second' }),
    ]);
    expect([a.result.status, b.result.status]).toEqual(['COMPLETED', 'COMPLETED']);
    const made = [...world.made].filter(([key]) => key.startsWith('resource|room'));
    expect(made.map(([, count]) => count)).toEqual([1]);
    const cached = [...a.entries, ...b.entries].filter(
      ({ payload }) => 'cached' in (payload as object),
    );
    expect(cached).toHaveLength(1);
  });

  it('go on in new histories', async () => {
    const body = { nodes: [effect('x')], edges: [] };
    const workflow = flow({
      nodes: [{ id: 'loop', type: 'map', until: 'false', policyRef: 'loop', body }],
      policies,
    });
    const all = { runId: 'long', unchecked: true };
    const here = await runHere(createWorld().registry, workflow, 1, all);
    const far = await runThere(there, 'world', workflow, 1, { ...all, renewAfter: 40 });
    expect(far.result.status).toBe(here.result.status);
    expect(far.result.versions).toBe(here.result.versions);
    const whole = await exportRun(there.client, 'long');
    expect(comparable(whole)).toEqual(comparable(here.entries));
    const first = far.entries[0].version;
    expect(first).toBeGreaterThan(20);
    const rest = here.entries.filter(({ version }) => version >= first);
    expect(comparable(far.entries)).toEqual(comparable(rest));
  });

  it('report that workers lack their handlers, and continue on one that has them', async () => {
    const workflow = flow({ name: 'lacking', nodes: [plain('pure')] });
    const bare = await there.work('lacking', { handlers: {} });
    const { registry } = createWorld();
    const heard: string[] = [];
    let helper: Promise<unknown> | undefined;
    const result = await runWorkflow(workflow, 1, {
      // In words, as in scripts.
      address: formatAddress(there.address('lacking')),
      runId: 'lacking',
      unchecked: true,
      onNotice(line) {
        heard.push(line);
        helper ??= bare.stop().then(() => there.work('lacking', registry));
      },
    });
    await helper;
    expect(result.status).toBe('COMPLETED');
    expect(heard[0]).toMatch(
      /^workers here have no handlers for this workflow; start one with them: \S.* --handlers MODULE$/,
    );
  });

  it('are exported from histories of runs alone', async () => {
    await expect(exportHistory({ name: 'package.json' })).rejects.toThrow(
      'it is no history; write one with temporal workflow show',
    );
    const attributes = { workflowType: { name: 'alasShop' } };
    const history = { events: [{ workflowExecutionStartedEventAttributes: attributes }] };
    await expect(exportHistory(history)).rejects.toThrow(
      'it is the history of alasShop, not of a run (alasRun)',
    );
    await expect(exportRun(there.client, 'missing')).rejects.toThrow(
      'the server has no history of missing',
    );
  });
});
