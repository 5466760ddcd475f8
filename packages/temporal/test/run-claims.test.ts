import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  createWorld,
  effect,
  flow,
  SAGA,
} from '../../../packages/workflow/test/interpreter/world.js';
import { startLastingServer } from '../bench/processes.mjs';
import { find, startServer } from '../server.mjs';
import { parseAddress } from '../src/address.js';
import { connect } from '../src/connection.js';
import { runWorkflow } from '../src/run/run-workflow.js';
import { startWorker } from '../src/worker.js';

describe.skipIf(find() === undefined)('keys that several runs want', () => {
  it('do not hold a step that is stopped, or has waited for long enough', async () => {
    const server = await startServer();
    const address = parseAddress(server.address('claims'));
    const world = createWorld();
    const worker = await startWorker({ address, slots: 1, registry: world.registry });
    const client = await connect(address);
    const shared = { template: 'room', scope: 'resource' };
    const wanting = (seconds: number) =>
      flow({
        nodes: [{ ...effect('room', { seconds: 300 }), policyRef: 'shared' }],
        policies: { shared: { ...SAGA, idempotencyKey: shared, wait: { seconds } } },
      });
    const options = { address, client, unchecked: true, leaseSeconds: 10 };
    const start = (runId: string, seconds: number) =>
      runWorkflow(wanting(seconds), 7, { ...options, runId });
    const cancel = (runId: string) =>
      client.workflow.getHandle(runId).executeUpdate('post', {
        args: [{ kind: 'cancel', data: { by: 'me', reason: 'enough' } }],
      });
    try {
      const first = start('first', 600);
      while (world.calls.length === 0) await sleep(50);
      const patient = start('patient', 600);
      const hasty = await start('hasty', 1);
      expect(hasty).toMatchObject({ status: 'FAILED', error: { code: 'ClaimTimeout' } });
      await cancel('patient');
      // The first has its key all the while: no other step waits until it is released.
      expect(await patient).toMatchObject({ status: 'CANCELLED' });
      expect(world.calls.length).toBe(1);
      await cancel('first');
      await first;
    } finally {
      await worker.stop();
      await client.connection.close();
      await server.stop();
    }
  });

  it('are waited for while the server is killed and started again', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'alas-claims-'));
    const server = await startLastingServer(join(directory, 'temporal.db'));
    const address = parseAddress(server.address('claims'));
    const world = createWorld();
    const worker = await startWorker({ address, slots: 1, registry: world.registry });
    const client = await connect(address);
    const shared = { template: 'room', scope: 'resource' };
    const workflow = flow({
      nodes: [{ ...effect('room', { seconds: 4 }), policyRef: 'shared' }],
      policies: { shared: { ...SAGA, idempotencyKey: shared, wait: { seconds: 60 } } },
    });
    const options = { address, client, unchecked: true, leaseSeconds: 10 };
    const start = (runId: string) => runWorkflow(workflow, 7, { ...options, runId });
    try {
      const going = [start('first'), start('second')];
      // Who has the key is at work, and the other waits for it.
      while (world.calls.length === 0) await sleep(50);
      await sleep(1000);
      await server.restart();
      const ends = await Promise.all(going);
      expect(ends.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED']);
      expect([...world.made.values()]).toEqual([1]);
    } finally {
      await worker.stop();
      await client.connection.close();
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
