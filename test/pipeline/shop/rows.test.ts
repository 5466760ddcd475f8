import { describe, expect, it } from 'vitest';
import {
  createMemoryStore,
  type LogStore,
  replayRun,
  signalRun,
} from '../../../packages/workflow/src/index.js';
import { generateRandom } from '../../../src/jssp/generator.js';
import { replaceInstance } from '../../../src/jssp/instance.js';
import { totalWeightedTardiness } from '../../../src/jssp/objectives.js';
import type { Schedule } from '../../../src/jssp/schedule.js';
import { postponed } from '../../../src/lcrp/baselines/postpone.js';
import { updateStatus } from '../../../src/lcrp/phases/status.js';
import {
  formatStory,
  openShop,
  policyOfRow,
  ROW_NAMES,
  readStory,
  type ShopOptions,
} from '../../../src/pipeline/shop/index.js';
import { requireFewEdits } from '../../../src/pipeline/shop/shop-steps.js';
import { dispatchBest } from '../../../src/search/construct/dispatch.js';
import { isFeasible } from '../../../src/validator/judge.js';
import { freshRegistry, ft10 } from './fixtures.js';

/** 25 orders with due dates that the plan meets, and a rush order. */
function rushed(): { schedule: Schedule; rush: Parameters<typeof updateStatus>[0]['events'][0] } {
  const plain = generateRandom({ jobs: 25, machines: 5, seed: 7 });
  const { schedule } = dispatchBest(plain, 1);
  const due = plain.jobOffset.slice(1).map((after) => schedule.end[after - 1] + 300);
  const instance = replaceInstance(plain, { due: Int32Array.from(due) });
  const operations = [0, 1, 2, 3, 4].map((machine) => ({ machine, duration: 15 }));
  return {
    schedule: dispatchBest(instance, 1).schedule,
    rush: {
      ...({ kind: 'arrival', at: 40 } as const),
      job: { name: 'RUSH', due: 140, weight: 5, operations },
    },
  };
}

const open = (options: Partial<ShopOptions> & { readonly store: LogStore }) => openShop(options);

/** The seconds of a search, of which a test has few. */
const limitRow: ShopOptions['limitRow'] = (policy) =>
  policy.budget.seconds === null
    ? policy
    : { ...policy, budget: { ...policy.budget, seconds: 0.05 } };

describe('a report that chooses a row', () => {
  it.each(ROW_NAMES)('is repaired by %s, and replays with parity', async (row) => {
    const { schedule, rush } = rushed();
    const store = createMemoryStore();
    const shop = await open({ store, schedule, limitRow });
    const outcome = await shop.report([rush], { now: 40, row });
    expect(outcome).toMatchObject({ status: 'committed', version: 2 });
    expect(outcome.turn.instant.row).toBe(row === 'shop' ? undefined : row);
    const { methods } = policyOfRow(shop.story.input?.policy as never, row);
    expect(methods[0]).toBe(outcome.turn.committed?.method);
    const { instance, start } = shop.schedule;
    expect(isFeasible(instance, start)).toBe(true);
    await shop.close();
    const replayed = await replayRun(store, 'shop', { registry: freshRegistry(store) });
    expect(replayed).toMatchObject({ parity: true });
    const line = formatStory(readStory(store, 'shop'))[1];
    if (row === 'shop') expect(line).not.toContain('the row');
    else expect(line).toContain(`repaired by the row ${row}`);
  });

  it('moves as few operations as the row does', async () => {
    const { schedule, rush } = rushed();
    const own = await open({ store: createMemoryStore(), schedule });
    await own.report([rush], { now: 40 });
    const few = await open({ store: createMemoryStore(), schedule });
    const { turn } = await few.report([rush], { now: 40, row: 'few-moves' });
    const { task } = updateStatus({ schedule, events: [rush], now: 40 });
    expect(few.schedule.start).toEqual(postponed(task).start);
    expect(few.schedule.start).not.toEqual(own.schedule.start);
    expect(turn.proposal?.moved).toBeGreaterThan(0);
    const nothing = await open({ store: createMemoryStore(), schedule });
    await nothing.report([rush], { now: 40, row: 'do-nothing' });
    const late = [few, nothing].map((shop) => totalWeightedTardiness(shop.schedule));
    expect(late[0]).toBeLessThan(late[1]);
    // The next report is the shop's own again.
    const next = await few.report([{ kind: 'delay', job: 9, until: 120 }], { now: 50 });
    expect(next.turn.instant.row).toBeUndefined();
    expect(next.turn.committed?.method).toBe('lcrp');
  });

  it('is not understood if there is no such row, and its key belongs to the row', async () => {
    const { schedule, rush } = rushed();
    const shop = await open({ store: createMemoryStore(), schedule });
    const context = { now: 40, key: 'k' };
    await expect(
      shop.report([rush], { ...context, row: 'few-move' as never }),
    ).rejects.toMatchObject({
      code: 'no_row',
      hint: 'did you mean few-moves?',
    });
    expect(shop.story.turns).toHaveLength(0);
    await shop.report([rush], { ...context, row: 'few-moves' });
    expect(await shop.report([rush], { ...context, row: 'few-moves' })).toMatchObject({
      version: 2,
    });
    await expect(shop.report([rush], { ...context, row: 'do-nothing' })).rejects.toMatchObject({
      code: 'other_request',
    });
    await expect(shop.report([rush], context)).rejects.toMatchObject({ code: 'other_request' });
    expect(shop.version).toBe(2);
  });

  it('may come as a message of another process, and is skipped there if there is no such row', async () => {
    const { schedule, events } = ft10();
    const store = createMemoryStore();
    const shop = await open({ store, schedule });
    const { at: _, ...down } = { ...events[0], machine: 'Machine3' };
    const send = async (row: string, now: number) => {
      const data = { events: [{ ...down, from: now } as never], now, row };
      const { id } = await signalRun(store, 'shop', { name: 'command', data });
      await shop.report([{ kind: 'delay', job: 5, until: 900 }], { now: now + 1 });
      return shop.story.turns.find(({ message }) => message === id);
    };
    expect(await send('do-nothing', 100)).toMatchObject({
      instant: { row: 'do-nothing' },
      committed: { method: 'affected' },
    });
    const unknown = await send('do-nothin', 110);
    expect(unknown?.committed).toBeUndefined();
    expect(unknown?.instant.skipped[0].reason).toContain('did you mean do-nothing?');
    await shop.close();
  });

  it('is proposed by that row if an approval is needed', async () => {
    const { schedule, rush } = rushed();
    const store = createMemoryStore();
    const policy = { approval: { seconds: 3600, otherwise: 'decline' as const } };
    const shop = await open({ store, schedule, policy });
    const asked = await shop.report([rush], { now: 40, row: 'few-moves' });
    expect(asked).toMatchObject({ status: 'waiting', proposal: { method: 'postpone' } });
    const { task } = updateStatus({ schedule, events: [rush], now: 40 });
    expect(shop.repairOf(asked.turn)?.schedule.start).toEqual(postponed(task).start);
    await shop.approve('kim');
    expect(shop.schedule.start).toEqual(postponed(task).start);
    const next = { kind: 'delay', job: 9, until: 200 } as const;
    await shop.report([next], { now: 50, row: 'from-scratch' });
    expect(await shop.decline('kim', 'no')).toMatchObject({ proposal: { method: 'affected' } });
    await shop.close();
    const replayed = await replayRun(store, 'shop', { registry: freshRegistry(store) });
    expect(replayed).toMatchObject({ parity: true });
  });

  it('keeps the limits of the shop, whatever the row', async () => {
    const { schedule, rush } = rushed();
    for (const row of ROW_NAMES) {
      const policy = { limits: { mostEdited: 2 } };
      const shop = await open({ store: createMemoryStore(), schedule, policy, limitRow });
      const { turn } = await shop.report([rush], { now: 40, row });
      expect(shop.story.end, row).toBeNull();
      // If no method of the row keeps the limit, the plan is only delayed.
      const { methods } = policyOfRow(shop.story.input?.policy as never, row);
      if (turn.rolledBack.length === methods.length) {
        expect(turn.committed?.method, row).toBe('affected');
        continue;
      }
      const { task } = updateStatus({ schedule, events: [rush], now: 40 });
      expect(() => requireFewEdits({ task }, shop.schedule, 2), row).not.toThrow();
    }
  });

  it('is repaired by it also if the process ends before the repair does', async () => {
    const { schedule, rush } = rushed();
    const whole = await open({ store: createMemoryStore(), schedule });
    await whole.report([rush], { now: 40, row: 'few-moves' });
    const all = whole.story.entries;
    for (let kept = 3; kept < all; kept += 2) {
      const store = createMemoryStore();
      let left = kept;
      const dying: LogStore = {
        ...store,
        append(entries, options) {
          if (entries.length > left) throw new Error('killed');
          left -= entries.length;
          return store.append(entries, options);
        },
      };
      const killed = await open({ store: dying, schedule, owner: 'a' }).catch(() => undefined);
      if (killed === undefined) continue;
      killed.ended.catch(() => {});
      const context = { now: 40, row: 'few-moves' as const, key: 'k' };
      await killed.report([rush], context).catch(() => {});
      const shop = await open({ store, isGone: () => true, owner: 'b' });
      // Whether or not it had arrived, it has one effect.
      await shop.report([rush], context);
      expect(shop.version).toBe(2);
      expect(shop.schedule.start).toEqual(whole.schedule.start);
      await shop.close();
      const replayed = await replayRun(store, 'shop', { registry: freshRegistry(store) });
      expect(replayed).toMatchObject({ parity: true });
    }
  });
});
