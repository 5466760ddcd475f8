import { setTimeout as sleep } from 'node:timers/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, flow, plain } from '../../../packages/workflow/test/interpreter/world.js';
import { find } from '../server.mjs';
import { fileConverter } from '../src/connection.js';
import { exportHistory } from '../src/run/export-history.js';
import { openShop } from '../src/shop/open-shop.js';
import { openTestServer, runThere, type TestServer } from './run-world.js';

describe.skipIf(find() === undefined)('runs that are given what is out of all order', () => {
  let there: TestServer;
  const world = createWorld();
  const handlers = {
    ...world.registry.handlers,
    cry: {
      run: () => {
        throw Object.assign(new Error('E'.repeat(5_000_000)), { code: 'Loud' });
      },
    },
  };
  beforeAll(async () => {
    there = await openTestServer();
    await there.work('limits', { ...world.registry, handlers });
  });
  afterAll(() => there.stop());
  const run = (workflow: ReturnType<typeof flow>, runId: string, more: object = {}) =>
    runThere(there, 'limits', workflow, 1, { runId, unchecked: true, ...more });

  it.each([[[]], [[null]], [['go']]])('pass over a signal with arguments %j', async (args) => {
    const workflow = flow({ nodes: [{ ...plain('d'), approval: 'go' }] });
    const runId = `signal-${JSON.stringify(args)}`;
    expect((await run(workflow, runId)).result.status).toBe('WAITING');
    const handle = there.client.workflow.getHandle(runId);
    await handle.signal('message', ...args);
    await handle.signal('message', { kind: 'approve', data: { name: 'go', by: 'Ada' } });
    expect((await run(workflow, runId, { stay: true })).result.status).toBe('COMPLETED');
  });

  it('fail with an error whose message has megabytes, without the rest of it', async () => {
    const { result } = await run(flow({ nodes: [{ id: 'cry', type: 'task' }] }), 'loud');
    expect(result).toMatchObject({ status: 'FAILED', error: { code: 'Loud' } });
    expect(result.error?.message).toMatch(/^E{1000,}…$/);
  });

  it.each([
    { runId: '' },
    { runId: 'x'.repeat(1001) },
    { runId: 'half \ud800' },
    { leaseSeconds: -1 },
    { maxConcurrency: 0 },
    { openSeconds: Number.POSITIVE_INFINITY },
  ])('are refused with the options %j', async (more) => {
    const going = run(flow({ nodes: [plain('a')] }), 'refused', more);
    await expect(going).rejects.toMatchObject({ code: 'bad_option' });
  });

  it('report that they were ended on the server', async () => {
    const workflow = flow({ nodes: [plain('a', { seconds: 60 })] });
    const going = run(workflow, 'ended').catch((error: unknown) => error);
    while (!world.calls.includes('a')) await sleep(50);
    await there.client.workflow.getHandle('ended').terminate('enough');
    expect(await going).toMatchObject({ code: 'run_terminated' });
  });

  it('are no shops', async () => {
    await run(flow({ nodes: [plain('b')] }), 'no-shop');
    const opening = openShop({ address: there.address('limits'), runId: 'no-shop' });
    await expect(opening).rejects.toMatchObject({ code: 'no_shop' });
  });

  it('are exported from files with values that are compressed', async () => {
    await runThere(there, 'limits', flow({ nodes: [plain('a')] }), 'long '.repeat(2000), {
      runId: 'long',
      unchecked: true,
    });
    const history = await there.client.workflow.getHandle('long').fetchHistory();
    const entries = await exportHistory(JSON.parse(historyToJSON(history)), fileConverter());
    expect(entries.at(-1)?.eventType).toBe('EndRun');
  });
});
