import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService } from '../../examples/booking-service.mjs';
import { kinds, refundAt } from '../../examples/refund-workflow.mjs';
import { fateOf } from '../../examples/table.mjs';
import { type Bridge, startBridge } from '../bridge.mjs';
import { machineOf } from './blueprint.mjs';
import { type Engine, find, start } from './engine.mjs';

const plain = { encode: (value: unknown) => value, decode: (value: unknown) => value };

/** The saga of the refund with its real steps, on services of the same moods: here, and converted on ASL. */
describe.skipIf(find() === undefined)('the refund saga on ASL', () => {
  let bridge: Bridge;
  let engine: Engine;

  beforeAll(async () => {
    bridge = await startBridge();
    engine = await start({ stub: bridge.url });
  });

  afterAll(async () => {
    await engine.stop();
    await bridge.stop();
  });

  async function runOn(where: 'here' | 'asl', moods: Record<string, string>, days: number) {
    const service = await startService(moods);
    const hasty = kinds.find((kind: string) => moods[kind] === 'mute');
    const { workflow, registry, run } = refundAt(service.url, hasty);
    const input = { order: 'A-1041', amount: 59.9, days };
    if (where === 'here') {
      const { status, output, error, remaining, inDoubt } = await run(input);
      const fates = kinds.map((kind: string) => fateOf(service, kind));
      await service.stop();
      const paths = (list: readonly { nodeId: string }[]) => list.map(({ nodeId }) => nodeId);
      const left = { remaining: paths(remaining), inDoubt: paths(inDoubt) };
      return { status, output, code: error?.code, fates, ...left };
    }
    const runId = `refund-${Math.random()}`;
    bridge.add(runId, { workflow, registry, codec: plain });
    const text = await machineOf(workflow);
    const result = await engine.execute({ runId, text, input });
    const {
      status,
      output,
      error,
      remaining = [],
      inDoubt = [],
    } = result as never as {
      [key: string]: unknown;
      error: { code: string } | null;
    };
    const fates = kinds.map((kind: string) => fateOf(service, kind));
    bridge.remove(runId);
    await service.stop();
    return { status, output, code: error?.code, fates, remaining, inDoubt };
  }

  test.each<[string, string, Record<string, string>, number?]>([
    ['nothing', 'COMPLETED', {}],
    ['the order is too old', 'FAILED', {}, 90],
    ['refund is down', 'COMPENSATED', { refund: 'down' }],
    ['ticket is down', 'COMPENSATED', { ticket: 'down' }],
    ['ledger is down', 'COMPENSATED', { ledger: 'down' }],
    ['confirmation is down', 'COMPENSATED', { confirmation: 'down' }],
    ['ticket is busy once', 'COMPLETED', { ticket: 'busy' }],
    ["refund's answer is lost", 'COMPLETED', { refund: 'lost' }],
    ["confirmation's answer is lost", 'COMPLETED', { confirmation: 'lost' }],
    ['confirmation never answers', 'IN_DOUBT', { confirmation: 'mute' }],
    ['ledger is down, refund stuck', 'COMPENSATION_FAILED', { ledger: 'down', refund: 'stuck' }],
  ])('ends as here if what goes wrong is: %s', async (_, status, moods, days = 3) => {
    const here = await runOn('here', moods, days);
    expect(here.status).toBe(status);
    expect(await runOn('asl', moods, days)).toEqual(here);
  });

  test('leaves in doubt what nobody could stop: a call on ASL is not told that its time is over', async () => {
    const moods = { ledger: 'mute' };
    const here = await runOn('here', moods, 3);
    expect(here).toMatchObject({ status: 'COMPENSATED', inDoubt: [] });
    const there = await runOn('asl', moods, 3);
    expect(there).toEqual({ ...here, status: 'IN_DOUBT', inDoubt: ['ledger'] });
  });
});
