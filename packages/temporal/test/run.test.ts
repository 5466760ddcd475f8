import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readExportedLog, replayRun, verifyLog } from '@alas-jssp/workflow';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
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
import { exportHistory, exportRun, writeLog } from '../src/run/export-history.js';
import { comparable, openTestServer, runHere, runThere, type TestServer } from './run-world.js';

describe.skipIf(find() === undefined)('runs of workflows', () => {
  let there: TestServer;
  beforeAll(async () => {
    there = await openTestServer();
    await there.work('world', createWorld().registry);
  });
  afterAll(() => there.stop());

  /** Runs a workflow on both hosts and expects the same end and the same entries. */
  async function expectSame(
    workflow: ReturnType<typeof flow>,
    runId: string,
    options: object = {},
  ) {
    const all = { runId, unchecked: true, ...options };
    const { registry } = createWorld();
    const [here, far] = await Promise.all([
      runHere(registry, workflow, 1, all),
      runThere(there, 'world', workflow, 1, { ...all, stay: true }),
    ]);
    expect(comparable(far.entries)).toEqual(comparable(here.entries));
    const { outputOf: _, ...result } = here.result;
    expect(JSON.parse(JSON.stringify(far.result))).toEqual(JSON.parse(JSON.stringify(result)));
    return far;
  }

  const policies = {
    saga: { ...SAGA, timeout: { seconds: 5 } },
    again: { ...SAGA, retry: { maxAttempts: 3 }, backoff: { mode: 'fixed', base: 0.1, jitter: 0 } },
    loop: { loopGuards: { maxIters: 3 } },
  };

  it('that complete have the same log', async () => {
    const each = { nodes: [effect('x')], edges: [] };
    const workflow = flow({
      nodes: [
        effect('a'),
        { id: 'which', type: 'choice' },
        { id: 'each', type: 'map', until: '$output > 4', policyRef: 'loop', body: each },
        { id: 'both', type: 'parallel', branches: { left: each, right: each } },
        plain('never'),
        plain('end'),
      ],
      edges: [
        ...chain('a', 'which'),
        { from: 'which', to: 'each', kind: 'branch', guard: '$input = 2' },
        { from: 'which', to: 'never', kind: 'default' },
        ...chain('each', 'both', 'end'),
      ],
      policies,
    });
    const { result } = await expectSame(workflow, 'complete');
    expect(result.status).toBe('COMPLETED');
    expect(result.outputOf('a')).toBe(2);
  });

  it('are exported from their histories, verified and replayed', async () => {
    const workflow = flow({
      nodes: [effect('a'), plain('c', { fail: 'Broken' })],
      edges: chain('a', 'c'),
      policies,
    });
    const options = { runId: 'exported', unchecked: true };
    const { entries } = await runThere(there, 'world', workflow, 1, options);
    const handle = there.client.workflow.getHandle('exported');
    const history = JSON.parse(historyToJSON(await handle.fetchHistory()));
    expect(await exportHistory(history)).toEqual(entries);
    const file = join(mkdtempSync(join(tmpdir(), 'alas-exported-')), 'run.log');
    await writeLog(await exportRun(there.client, 'exported'), file);
    const log = readExportedLog(file);
    expect(verifyLog(log)).toMatchObject({ valid: true, runs: [{ ended: true }] });
    const { registry } = createWorld();
    expect(await replayRun(log, 'exported', { registry })).toMatchObject({ parity: true });
  });

  it('that fail are undone, with the same log', async () => {
    const workflow = flow({
      nodes: [effect('a'), effect('b'), plain('c', { fail: 'Broken' })],
      edges: chain('a', 'b', 'c'),
      policies,
    });
    const { result } = await expectSame(workflow, 'fail');
    expect(result).toMatchObject({ status: 'COMPENSATED', error: { code: 'Broken' } });
  });

  it('try again, and break off, as faults ask for, with the same log', async () => {
    const again = { ...effect('b'), policyRef: 'again' };
    const workflow = flow({
      nodes: [effect('a'), again, plain('c')],
      edges: chain('a', 'b', 'c'),
      policies,
    });
    const rules = [
      { label: 'once', node: 'b', attempt: 1, kind: 'failure' },
      { label: 'off', node: 'a', kind: 'crash', when: 'after' },
      { label: 'wrong', node: 'c', kind: 'wrong-output', value: 7 },
    ];
    const inject = { schema: 'alas-jssp/faults@1', rules };
    const { result, entries } = await expectSame(workflow, 'faults', { inject });
    expect(result).toMatchObject({ status: 'COMPLETED', output: 7 });
    expect(entries.map(({ eventType }) => eventType)).toContain('Resume');
  });
});
