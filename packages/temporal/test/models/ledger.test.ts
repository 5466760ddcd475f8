import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Usage } from 'alas-jssp/llm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { find, startServer } from '../../server.mjs';
import { parseAddress } from '../../src/address.js';
import { connect } from '../../src/connection.js';
import { type LedgerClient, openLedger } from '../../src/models/ledger-client.js';
import type { LedgerReport } from '../../src/models/ledger-messages.js';
import type { LedgerInput } from '../../src/models/ledger-workflow.js';
import { startWorker, type TemporalWorker } from '../../src/worker.js';

const usage = (input: number, output = 0): Usage => ({
  answers: 1,
  tokens: { input, output, estimated: false },
  usd: 0,
  seconds: 0,
});

describe.skipIf(find() === undefined)('the ledger of a run', () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  let worker: TemporalWorker;
  let client: Client;
  let number = 0;
  const open: LedgerClient[] = [];

  beforeAll(async () => {
    server = await startServer();
    const address = parseAddress(server.address());
    worker = await startWorker({ address, slots: 1 });
    client = await connect(address);
  });

  afterAll(async () => {
    for (const ledger of open) ledger.close();
    await worker.stop();
    await client.connection.close();
    await server.stop();
  });

  /** A ledger, and so many workers of it. */
  async function begin(input: Partial<LedgerInput>, workers: number) {
    const workflowId = `ledger-${++number}`;
    const args: [LedgerInput] = [{ budget: {}, limits: {}, ...input }];
    const handle = await client.workflow.start('alasLedger', {
      workflowId,
      taskQueue: 'alas-jssp',
      args,
    });
    const { budget, lease } = args[0];
    const clients = Array.from({ length: workers }, () =>
      openLedger(client, { workflowId, budget, lease }),
    );
    open.push(...clients);
    const end = async (): Promise<LedgerReport> => {
      await client.workflow.getHandle(workflowId).cancel();
      return client.workflow.getHandle(workflowId).result();
    };
    return { handle, clients, end };
  }

  it('admits no more than the budget allows for any worker, and continues as new', async () => {
    const { clients, end } = await begin(
      { budget: { tokens: 400 }, limits: { concurrency: 3 }, turn: 10 },
      3,
    );
    let running = 0;
    let busiest = 0;
    let reserved = 0;
    let taken = 0;
    const ask = async (i: number): Promise<string> => {
      const admission = clients[i % 3].admissionOf('a');
      try {
        const leave = await admission.reserve(usage(10), { key: `${i}` });
        busiest = Math.max(busiest, ++running);
        reserved += 10;
        expect(taken + reserved).toBeLessThanOrEqual(400);
        await sleep(20);
        running--;
        reserved -= 10;
        taken += 15;
        await leave({ kind: 'answered', tokens: 15 }, usage(10, 5));
        return 'answered';
      } catch (error) {
        return (error as Error).message;
      }
    };
    const ends = await Promise.all(Array.from({ length: 40 }, (_, i) => ask(i)));
    const answered = ends.filter((one) => one === 'answered').length;
    expect(busiest).toBeLessThanOrEqual(3);
    expect(answered).toBeGreaterThanOrEqual(24);
    expect(ends.find((one) => one !== 'answered')).toContain('the budget of 400 tokens is spent');
    const { spent, stopped, underWay } = await end();
    expect(spent).toMatchObject({
      answers: answered,
      tokens: { input: answered * 10, output: answered * 5 },
    });
    expect([stopped, underWay]).toEqual(['the budget of 400 tokens is spent', 0]);
  });

  it('lets equal questions through one after the other, and others past them', async () => {
    const { clients, end } = await begin({ limits: { concurrency: 4 } }, 2);
    const [one, two] = clients.map((ledger) => ledger.admissionOf('a'));
    const leave = await one.reserve(usage(1), { key: 'same' });
    let isIn = false;
    const second = two.reserve(usage(1), { key: 'same' }).then((leaves) => {
      isIn = true;
      return leaves;
    });
    const other = await two.reserve(usage(1), { key: 'other' });
    expect(isIn).toBe(false);
    await other({ kind: 'failed' }, null);
    await leave({ kind: 'answered', tokens: 1 }, usage(1));
    await (await second)({ kind: 'not sent' }, null);
    expect((await end()).spent.answers).toBe(1);
  });

  it('reclaims the budget of silent workers, and books late usage', async () => {
    const lease = 1.5;
    const { clients, end } = await begin(
      { budget: { tokens: 100 }, limits: { concurrency: 1 }, lease },
      2,
    );
    const [dead, living] = clients;
    const late = await dead.admissionOf('a').reserve(usage(80), { key: 'a' });
    // A process that was killed sends no signs of life.
    dead.close();
    const leave = await living.admissionOf('a').reserve(usage(90), { key: 'b' });
    // Longer than a lease, but with signs of life.
    await sleep(2 * lease * 1000);
    await leave({ kind: 'answered', tokens: 5 }, usage(5));
    await late({ kind: 'answered', tokens: 80 }, usage(80));
    await late({ kind: 'answered', tokens: 80 }, usage(80));
    await expect(living.admissionOf('a').reserve(usage(20), { key: 'c' })).rejects.toMatchObject({
      code: 'BudgetSpent',
      value: { limit: 'the budget of 100 tokens is spent' },
    });
    expect((await end()).spent.tokens.input).toBe(85);
  });

  it('keeps the pace of a provider, reports waits, and drops requests that are withdrawn', async () => {
    const { clients, end } = await begin({ limits: { concurrency: 2 } }, 2);
    const [one, two] = clients.map((ledger) => ledger.admissionOf('slow'));
    const leave = await one.reserve(usage(1), { key: 'a' });
    await leave({ kind: 'rate limited', retryAfterSeconds: 600 }, null);
    const controller = new AbortController();
    const waiting = two.reserve(usage(1), { key: 'b', signal: controller.signal });
    const refused = expect(waiting).rejects.toThrow('enough');
    await expect
      .poll(async () => (await clients[0].report()).waits)
      .toMatchObject([{ provider: 'slow', reason: 'rate limited' }]);
    await clients[1].note('worker 1', 'there is no key');
    controller.abort(new Error('enough'));
    await refused;
    await expect.poll(async () => (await clients[0].report()).underWay).toBe(0);
    // Another provider has a pace of its own.
    await (await clients[0].admissionOf('other').reserve(usage(1), { key: 'd' }))(
      { kind: 'answered', tokens: 2 },
      usage(1, 1),
    );
    expect(await end()).toMatchObject({
      notes: { 'worker 1': 'there is no key' },
      spent: { answers: 1 },
    });
  });

  it('is closed to those who come when its run is over', async () => {
    const { clients, end } = await begin({}, 1);
    await end();
    await expect(clients[0].admissionOf('a').reserve(usage(1), { key: 'a' })).rejects.toMatchObject(
      {
        code: 'no_ledger',
      },
    );
    expect((await clients[0].report()).spent.answers).toBe(0);
  });
});
