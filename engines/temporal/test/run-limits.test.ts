import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, flow, plain } from '../../../test/workflow/interpreter/world.js';
import { find } from '../server.mjs';
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
});
