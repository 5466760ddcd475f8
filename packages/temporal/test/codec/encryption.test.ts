import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { WORKFLOW_SCHEMA, workflowSchema } from '@alas-jssp/workflow';
import { Context } from '@temporalio/activity';
import type { Client, WorkflowFailedError } from '@temporalio/client';
import proto from '@temporalio/proto';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { find, startServer } from '../../server.mjs';
import { parseAddress } from '../../src/address.js';
import { getBlob, putBlob } from '../../src/blobs/blob.js';
import { KEYS_VARIABLE } from '../../src/codec/keys.js';
import { connect, connectWorker } from '../../src/connection.js';
import { readEntries, runWorkflow } from '../../src/run/run-workflow.js';
import { startWorker } from '../../src/worker.js';
import { inEnvironment } from '../../src/workflow-code.js';
import { change, recall, secrets, send } from './secrets-workflow.js';

const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

/** A workflow whose step says a secret. */
const SAYING = workflowSchema.parse({
  ...{ schema: WORKFLOW_SCHEMA, name: 'saying', policies: { plain: {} }, defaultPolicy: 'plain' },
  nodes: [{ id: 'say', type: 'task', handler: 'say' }],
  edges: [],
});

/** Every secret that the workflow, its starter and its activities say. */
const SECRETS = [
  'secret-input',
  'secret-memo',
  'secret-signal',
  'secret-update',
  'secret-update-result',
  'secret-answer',
  'secret-heartbeat',
  'secret-failure',
  'secret-message',
  'secret-details',
];

describe.skipIf(find() === undefined)('payloads', () => {
  let server: Awaited<ReturnType<typeof startServer>>;

  let code: string;

  beforeAll(async () => {
    server = await startServer();
    ({ code } = await bundleWorkflowCode({
      workflowsPath: fileURLToPath(new URL('secrets-workflow.ts', import.meta.url)),
      failureConverterPath: fileURLToPath(new URL('../../dist/codec/failures.js', import.meta.url)),
      logger: new DefaultLogger('WARN'),
    }));
  });

  afterAll(async () => {
    await server.stop();
  });

  afterEach(() => {
    vi.unstubAllEnvs();
  });

  /** Runs the workflow of secrets to its end, and gives what can be read on the server. */
  async function readable(queue: string) {
    const address = parseAddress(server.address(queue));
    const client = await connect(address);
    const { connection, dataConverter } = await connectWorker(address);
    let release = () => {};
    const worker = await Worker.create({
      connection,
      dataConverter,
      taskQueue: queue,
      workflowBundle: { code: inEnvironment(code) },
      activities: {
        answer: async () => 'secret-answer',
        fail: async () => {
          Context.current().heartbeat('secret-heartbeat');
          await new Promise<void>((resolve) => {
            release = resolve;
          });
          throw new Error('secret-failure');
        },
      },
    });
    const seen = await worker.runUntil(async () => {
      const handle = await client.workflow.start(secrets, {
        workflowId: `w-${queue}`,
        taskQueue: queue,
        args: ['secret-input'],
        memo: { note: 'secret-memo' },
      });
      expect(await handle.executeUpdate(change, { args: ['secret-update'] })).toContain('result');
      await handle.signal(send, 'secret-signal');
      // Heartbeats are outside the history, as long as an activity runs.
      const beating = await heartbeatOf(client, handle.workflowId);
      expect(await handle.query(recall)).toBe('secret-signal');
      release();
      const error = await handle.result().catch((thrown: unknown) => thrown);
      const { cause } = error as WorkflowFailedError;
      expect(String(cause)).toMatch(/secret-message after .*secret-failure/);
      expect(cause).toMatchObject({ details: ['secret-details'] });
      expect((await handle.describe()).memo).toEqual({ note: 'secret-memo' });
      const { History } = proto.temporal.api.history.v1;
      const history = History.encode(await handle.fetchHistory()).finish();
      return Buffer.concat([history, beating]).toString('latin1');
    });
    await client.connection.close();
    await connection.close();
    return SECRETS.filter((secret) => seen.includes(secret));
  }

  async function heartbeatOf(client: Client, workflowId: string): Promise<Uint8Array> {
    for (;;) {
      const { raw } = await client.workflow.getHandle(workflowId).describe();
      const [payload] = raw.pendingActivities?.[0]?.heartbeatDetails?.payloads ?? [];
      if (payload) return proto.temporal.api.common.v1.Payload.encode(payload).finish();
      await sleep(20);
    }
  }

  it('cannot be read on the server where there are keys, whatever they are of', async () => {
    vi.stubEnv(KEYS_VARIABLE, newKey('2026-11'));
    expect(await readable('encrypted')).toEqual([]);
  });

  it('can be read where there are none, so that this test would see it', async () => {
    expect(await readable('plain')).toEqual(SECRETS);
  });

  it('of runs cannot be read either, and the runs end as they do without keys', async () => {
    vi.stubEnv(KEYS_VARIABLE, newKey('runs'));
    const address = parseAddress(server.address('runs'));
    const client = await connect(address);
    const handlers = { say: { run: (input: string) => `${input} secret-answer` } };
    const worker = await startWorker({ address, slots: 1, registry: { handlers } });
    const result = await runWorkflow(SAYING, 'secret-input', {
      address,
      client,
      runId: 'said',
      unchecked: true,
    });
    expect(result.status).toBe('COMPLETED');
    expect(result.outputOf('say')).toBe('secret-input secret-answer');
    const handle = client.workflow.getHandle('said');
    const entries = await readEntries(handle);
    expect(JSON.stringify(entries)).toContain('secret-answer');
    const { History } = proto.temporal.api.history.v1;
    const history = History.encode(await handle.fetchHistory()).finish();
    expect(Buffer.from(history).toString('latin1')).not.toContain('secret-');
    await worker.stop();
    await client.connection.close();
  });

  it('of more than a megabyte go another way, and are encrypted there', async () => {
    vi.stubEnv(KEYS_VARIABLE, newKey('k'));
    const address = parseAddress(server.address('large'));
    const client = await connect(address);
    const large = [...randomBytes(2_000_000).toString('base64')].join('');
    const { connection, dataConverter } = await connectWorker(address);
    const worker = await Worker.create({
      connection,
      dataConverter,
      taskQueue: 'large',
      workflowBundle: { code: inEnvironment(code) },
      activities: { answer: async (text: string) => text, fail: async () => {} },
    });
    await worker.runUntil(async () => {
      const handle = await client.workflow.start(secrets, {
        workflowId: 'large',
        taskQueue: 'large',
        args: [large],
      });
      await handle.signal(send, large);
      await handle.result().catch(() => {});
      expect(await handle.query(recall)).toBe(large);
      const history = await handle.fetchHistory();
      const size = proto.temporal.api.history.v1.History.encode(history).finish().length;
      expect(size).toBeLessThan(50_000);
    });
    await client.connection.close();
    await connection.close();
  });

  it('are read with older keys, and not without them', async () => {
    const [older, newer] = [newKey('older'), newKey('newer')];
    const address = parseAddress(server.address('rotated'));
    const put = async (keys: string) => {
      vi.stubEnv(KEYS_VARIABLE, keys);
      const client = await connect(address);
      const ref = await putBlob(client, address.queue, randomBytes(100));
      await client.workflow.start('none', {
        workflowId: 'rotated',
        taskQueue: 'q',
        memo: { note: 'secret-memo' },
        workflowIdConflictPolicy: 'USE_EXISTING',
      });
      await client.connection.close();
      return ref;
    };
    const read = async (keys: string | undefined) => {
      vi.stubEnv(KEYS_VARIABLE, keys);
      const client = await connect(address);
      const { memo } = await client.workflow
        .getHandle('rotated')
        .describe()
        .finally(() => client.connection.close());
      return memo;
    };
    const ref = await put(older);
    expect(await read(`${newer},${older}`)).toEqual({ note: 'secret-memo' });
    await expect(read(newer)).rejects.toThrow(
      /encrypted with key 'older', which is not in ALAS_JSSP_TEMPORAL_KEYS \(keys there: newer\)/,
    );
    await expect(read(undefined)).rejects.toThrow(/ALAS_JSSP_TEMPORAL_KEYS is not set/);
    await expect(read(newKey('older'))).rejects.toThrow(/cannot be decrypted with key 'older'/);
    vi.stubEnv(KEYS_VARIABLE, newer);
    const client = await connect(address);
    await expect(getBlob(client, ref)).rejects.toMatchObject({ code: 'unknown_key' });
    await client.connection.close();
  });
});
