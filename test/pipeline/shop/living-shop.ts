import { expect, it } from 'vitest';
import { completeEvents } from '../../../src/disruption/apply-events.js';
import type { EventInput } from '../../../src/disruption/index.js';
import { delayAffected } from '../../../src/lcrp/baselines/affected.js';
import { postponed } from '../../../src/lcrp/baselines/postpone.js';
import { simulate } from '../../../src/lcrp/index.js';
import { lcrp } from '../../../src/lcrp/lcrp.js';
import { updateStatus } from '../../../src/lcrp/phases/status.js';
import type { NewShop, Shop } from '../../../src/pipeline/shop/index.js';
import { dispatchBest } from '../../../src/search/index.js';
import { validate } from '../../../src/validator/index.js';
import { isFeasible } from '../../../src/validator/judge.js';
import { ft10 } from './fixtures.js';
import { realEvents, realWorkshop } from './real-workshop.js';

/** A place for shops, wherever they run. */
export interface ShopPlace {
  /** Opens a new shop. */
  open(shop: NewShop): Promise<Shop>;
  /** Seconds that a test may wait without an answer. */
  readonly patience: number;
}

/** The tests that a living shop passes, wherever it runs. */
export function testLivingShops({ open, patience }: ShopPlace): void {
  const asking = { approval: { seconds: 3600, otherwise: 'decline' as const } };

  it('receives events one after the other, and follows the same schedule', async () => {
    const { schedule, events } = ft10();
    const shop = await open({ schedule, seed: 7 });
    const instants = new Map<number, EventInput[]>();
    for (const event of events) {
      instants.set(event.at, [...(instants.get(event.at) ?? []), event]);
    }
    for (const [now, reported] of instants) await shop.report(reported, { now, by: 'kim' });
    const simulated = await simulate({ schedule, events, method: lcrp, seed: 7 });
    expect(shop.schedule.start).toEqual(simulated.schedule.start);
    expect(shop.version).toBe(simulated.steps.length + 1);
    expect((await shop.close()).status).toBe('COMPLETED');
    expect(shop.story.turns[0].instant.by).toBe('kim');
  });

  it('keeps a shop with alternatives, setups, transport and operators, and the machines of its versions', async () => {
    const schedule = dispatchBest(realWorkshop()).schedule;
    const shop = await open({ schedule, seed: 7 });
    const machines = () => [...shop.schedule.instance.machine];
    const planned = machines();
    for (const { now, events } of realEvents) {
      expect(await shop.report(events, { now })).toMatchObject({ status: 'committed' });
      const { instance } = shop.schedule;
      expect(validate(instance, shop.schedule)).toMatchObject({ valid: true });
      expect(instance.setups?.families).toBe(3);
      expect(instance.transport).not.toBeNull();
      expect(instance.resources?.names).toEqual(['Ana', 'Ben', 'Eva', 'turners']);
    }
    expect(shop.version).toBe(3);
    const reassigned = machines().filter((machine, op) => machine !== planned[op]);
    expect(reassigned.length).toBeGreaterThan(0);
    expect([...shop.scheduleAt({ version: 1 }).schedule.instance.machine]).toEqual(planned);
    const undone = await shop.undo(2, { now: 9 * 60 + 5 });
    expect(undone).toMatchObject({ status: 'committed', version: 4 });
    expect(validate(shop.schedule.instance, shop.schedule).valid).toBe(true);
    expect((await shop.close()).status).toBe('COMPLETED');
  });

  it('waits for an approval, and continues as planned after a decline', async () => {
    const { schedule, events } = ft10();
    const shop = await open({ schedule, policy: asking });
    const first = events.slice(0, 2);
    const outcome = await shop.report(first, { now: 100 });
    expect(outcome).toMatchObject({ status: 'waiting', approval: 'version-2' });
    const status = updateStatus({ schedule, events: completeEvents(first), now: 100 });
    const declined = await shop.decline('kim', 'too many moves');
    expect(declined).toMatchObject({ status: 'committed', version: 2 });
    expect(declined).toMatchObject({ proposal: { method: 'affected' } });
    // Nothing moves but what has to, in the order of the plan.
    expect(shop.schedule.start).toEqual(delayAffected(status.task).start);
    await expect(shop.approve('kim')).rejects.toMatchObject({ code: 'no_proposal' });
    const later = await shop.report([events[4]], { now: 240 });
    expect(later).toMatchObject({ status: 'waiting', approval: 'version-3' });
    const done = await shop.approve('kim');
    expect(done).toMatchObject({ status: 'committed', version: 3, turn: { approvedBy: 'kim' } });
    const undone = await shop.undo(1, { now: 250 });
    expect(undone).toMatchObject({ status: 'waiting', approval: 'version-4' });
    expect(await shop.decline('kim', 'stay')).toMatchObject({ status: 'declined' });
    expect(shop.version).toBe(3);
    expect((await shop.close()).status).toBe('COMPLETED');
  });

  it('asks nothing where nothing moves', async () => {
    const { schedule, events } = ft10();
    const shop = await open({ schedule, policy: asking });
    const outcome = await shop.report([events[0]], { now: 100 });
    expect(outcome).toMatchObject({ status: 'committed', version: 2 });
    expect(outcome).toMatchObject({ proposal: { moved: 0, operations: [] } });
    expect(shop.schedule.start).toEqual(schedule.start);
    // An arriving job must be placed.
    const rush = await shop.report([events[2]], { now: 150 });
    expect(rush).toMatchObject({ status: 'waiting', approval: 'version-3' });
    await shop.approve('kim');
    expect((await shop.close()).status).toBe('COMPLETED');
  });

  it.each(['approve', 'decline'] as const)('continues without an answer: %s', async (otherwise) => {
    const { schedule, events } = ft10();
    const policy = { approval: { seconds: patience, otherwise } };
    const shop = await open({ schedule, policy, events: events.slice(0, 2), live: false });
    const { status } = await shop.ended;
    expect(status).toBe('COMPLETED');
    expect(shop.version).toBe(2);
    const [turn] = shop.story.turns;
    expect(turn.committed?.method).toBe(otherwise === 'approve' ? 'lcrp' : 'affected');
  });

  it('goes back to a version as far as nothing that has started is rewritten', async () => {
    const { schedule } = ft10();
    const toCome = schedule.start.filter((start) => start >= 100);
    const shop = await open({ schedule });
    const next = schedule.start.indexOf(Math.min(...toCome));
    const machine = schedule.instance.machine[next];
    await shop.report([{ kind: 'breakdown', machine, from: 100, to: 200 }], { now: 100 });
    await shop.report([{ kind: 'restored', machine }], { now: 110 });
    const before = shop.schedule;
    const outcome = await shop.undo(1, { now: 120, by: 'kim' });
    expect(outcome).toMatchObject({
      status: 'committed',
      version: 4,
      proposal: { method: 'undo' },
    });
    const { instance, start } = shop.schedule;
    expect(isFeasible(instance, start)).toBe(true);
    for (let op = 0; op < start.length; op++) {
      if ((instance.frozen?.[op] ?? -1) >= 0) expect(start[op]).toBe(before.start[op]);
      else expect(start[op]).toBeGreaterThanOrEqual(Math.min(schedule.start[op], 120));
    }
    const back = start.filter((time, op) => time === schedule.start[op]).length;
    const was = before.start.filter((time, op) => time === schedule.start[op]).length;
    expect(back).toBeGreaterThan(was);
    await expect(shop.undo(4, { now: 130 })).rejects.toMatchObject({ code: 'no_version' });
    await shop.close();
  });

  it('withdraws a report, and corrects one', async () => {
    const { schedule, events } = ft10();
    const shop = await open({ schedule });
    await shop.report([events[0]], { now: 100 });
    const withdrawn = await shop.withdraw(2, { now: 110, by: 'kim' });
    expect(withdrawn).toMatchObject({ status: 'committed', version: 3 });
    expect(shop.schedule.instance.calendar).toBe(null);
    expect(isFeasible(shop.schedule.instance, shop.schedule.start)).toBe(true);
    await shop.report([events[2]], { now: 150, key: 'k' });
    const job = { name: 'rush', operations: [{ machine: 0, duration: 9 }], release: 160 };
    const other = { kind: 'arrival' as const, job };
    const context = { now: 155, key: 'k2', instead: [other] };
    await shop.withdraw(4, context);
    expect(await shop.withdraw(4, context)).toMatchObject({ version: 5 });
    expect(shop.schedule.instance.operations).toBe(schedule.instance.operations + 1);
    await expect(shop.withdraw(2, { now: 160 })).rejects.toMatchObject({ code: 'no_report' });
    await shop.close();
  });

  it('is repaired by the row that a report chooses, and by its policy after that', async () => {
    const { schedule, events } = ft10();
    const shop = await open({ schedule });
    const context = { now: 100, row: 'few-moves' as const, key: 'k' };
    const outcome = await shop.report([events[0]], context);
    expect(outcome.turn).toMatchObject({
      instant: { row: 'few-moves' },
      committed: { method: 'postpone' },
    });
    const { task } = updateStatus({ schedule, events: completeEvents([events[0]]), now: 100 });
    expect(shop.schedule.start).toEqual(postponed(task).start);
    expect(await shop.report([events[0]], context)).toMatchObject({ version: 2 });
    const next = await shop.report([events[4]], { now: 240 });
    expect(next.turn.committed?.method).toBe('lcrp');
    await shop.close();
  });

  it('takes a proposal by hand if the validator lets it pass', async () => {
    const { schedule } = ft10();
    const shop = await open({ schedule });
    const last = schedule.end.indexOf(schedule.makespan);
    const job = schedule.instance.jobOf[last];
    const step = last - schedule.instance.jobOffset[job];
    const wish = (start: number) => shop.propose([{ job, step, start }], { now: 5, by: 'kim' });
    expect(await wish(schedule.start[last] + 7)).toMatchObject({ status: 'committed', version: 2 });
    expect(shop.changesSince(1)).toMatchObject([{ job, step, was: schedule.start[last] }]);
    const refused = await wish(5);
    expect(refused.status).toBe('declined');
    expect(shop.version).toBe(2);
    expect(shop.scheduleAt({ version: 1 }).schedule.start).toEqual(schedule.start);
    expect(shop.scheduleAt({ time: 4 }).version).toBe(1);
    expect(shop.scheduleAt({ time: 5 }).version).toBe(2);
    await shop.close();
    await expect(wish(900)).rejects.toMatchObject({ code: 'shop_ended' });
  });

  it('refuses and skips without a new version', async () => {
    const { schedule } = ft10();
    const shop = await open({ schedule });
    const entries = shop.story.entries;
    const unknown: EventInput = { kind: 'restored', machine: 99 };
    await expect(shop.report([unknown], { now: 5 })).rejects.toMatchObject({
      code: 'unknown_machine',
    });
    await expect(shop.report([], { now: 5 })).rejects.toMatchObject({ code: 'no_events' });
    const nameless = shop.report([{ kind: 'delay', job: 0, until: 9 }], { now: 5, by: '' });
    await expect(nameless).rejects.toMatchObject({ code: 'bad_name' });
    expect(shop.story.entries).toBe(entries);
    const late = await shop.report([{ kind: 'delay', job: 0, step: 0, until: 1000 }], { now: 999 });
    expect(late.status).toBe('skipped');
    // Also right after another answer.
    await expect(shop.report([unknown], { now: 999 })).rejects.toMatchObject({
      code: 'unknown_machine',
    });
    expect(shop.story.turns).toHaveLength(1);
    await expect(shop.report([], { now: 3 })).rejects.toMatchObject({ code: 'bad_now' });
    expect(shop.version).toBe(1);
    await shop.close();
  });
}
