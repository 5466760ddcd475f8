import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createMemoryStore,
  type LogStore,
  replayRun,
} from '../../../packages/workflow/src/index.js';
import type { EventInput } from '../../../src/disruption/index.js';
import { downtimesOf } from '../../../src/jssp/calendar.js';
import { type Instance, instanceFromJobs, replaceInstance } from '../../../src/jssp/instance.js';
import { createSchedule, type Schedule } from '../../../src/jssp/schedule.js';
import {
  createShopMemory,
  formatStory,
  openShop,
  readStory,
  type Shop,
} from '../../../src/pipeline/shop/index.js';
import { readLoggedEvents } from '../../../src/pipeline/shop/log-values.js';
import { dispatch } from '../../../src/search/index.js';
import { validate } from '../../../src/validator/validate.js';
import { freshRegistry, ft10 } from './fixtures.js';

const QUICK = { methods: ['right-shift', 'affected'] };

/** A shop of three jobs on two machines, with names. */
function workshop(): Schedule {
  const instance = instanceFromJobs(
    'workshop',
    [
      [
        [0, 10],
        [1, 10],
      ],
      [
        [0, 10],
        [1, 10],
      ],
      [
        [1, 10],
        [0, 10],
      ],
    ],
    2,
  );
  const names = {
    jobs: ['WO-1', 'WO-2', 'WO-3'],
    machines: ['Lathe', 'Mill'],
    operations: ['turn', 'mill', 'turn', 'mill', 'mill', 'turn'],
  };
  return dispatch(replaceInstance(instance, { names, due: Int32Array.of(40, 50, 60) }), {
    rule: 'spt',
  });
}

async function opened(schedule: Schedule, more = {}): Promise<{ shop: Shop; store: LogStore }> {
  const store = createMemoryStore();
  return { shop: await openShop({ store, schedule, policy: QUICK, ...more }), store };
}

/** The facts of an instance that events change: jobs without operations are none. */
function factsOf(instance: Instance) {
  const { jobs, jobOffset, machine, duration, release, due, weight, frozen, names } = instance;
  const listed = Array.from({ length: jobs }, (_, job) => {
    const ops = Array.from(
      { length: jobOffset[job + 1] - jobOffset[job] },
      (_, step) => jobOffset[job] + step,
    );
    return {
      name: names?.jobs?.[job],
      due: due?.[job] ?? -1,
      weight: weight?.[job] ?? 1,
      steps: ops.map((op) => [machine[op], duration[op], release?.[op] ?? 0, frozen?.[op] ?? -1]),
    };
  });
  const calendar = Array.from({ length: instance.machines }, (_, k) =>
    downtimesOf(instance.calendar, k),
  );
  return { jobs: listed.filter(({ steps }) => steps.length > 0), calendar };
}

const cancelled = { kind: 'cancellation', job: 1 } as const;
const broken = { kind: 'breakdown', machine: 0, from: 5, to: 100, resumable: false } as const;
const rush = {
  kind: 'arrival',
  job: { name: 'WO-9', operations: [{ machine: 1, duration: 5 }], release: 5, due: 30 },
} as const;

describe('a report that is withdrawn', () => {
  it('brings back an order that was cancelled by mistake', async () => {
    const schedule = workshop();
    const { shop } = await opened(schedule);
    await shop.report([cancelled], { now: 5 });
    expect(shop.schedule.instance.operations).toBe(4);
    const outcome = await shop.withdraw(2, { now: 5, by: 'kim' });
    expect(outcome).toMatchObject({ status: 'committed', version: 3 });
    const { instance } = shop.schedule;
    expect(instance.operations).toBe(6);
    expect(instance.names).toEqual(schedule.instance.names);
    expect([...(instance.due ?? [])]).toEqual([40, 50, 60]);
    expect(validate(instance, shop.schedule).valid).toBe(true);
    expect(formatStory(shop.story).at(-2)).toMatch(
      /^at 5 kim withdrew the report of version 2 \(WO-2 was cancelled\); .*2 new ones are placed.*; version 3$/,
    );
    expect(shop.changesSince(2).map(({ was }) => was)).toContain(null);
  });

  it('takes away an order that was entered by mistake, and its name is free', async () => {
    const { shop } = await opened(workshop());
    await shop.report([rush], { now: 5 });
    const { instance: before } = shop.schedule;
    expect(before.names?.jobs).toContain('WO-9');
    await shop.withdraw(2, { now: 5 });
    expect(shop.schedule.instance.operations).toBe(6);
    expect(await shop.report([rush], { now: 5 })).toMatchObject({ status: 'committed' });
    expect(shop.schedule.instance.names?.jobs).toEqual(['WO-1', 'WO-2', 'WO-3', '', 'WO-9']);
  });

  it('is corrected in one step: other events in its place', async () => {
    const { shop, store } = await opened(workshop());
    await shop.report([rush], { now: 5 });
    const other = { ...rush, job: { ...rush.job, operations: [{ machine: 0, duration: 7 }] } };
    await shop.withdraw(2, { now: 6, by: 'kim', instead: [other] });
    const { instance } = shop.schedule;
    expect(instance.names?.jobs).toEqual(['WO-1', 'WO-2', 'WO-3', '', 'WO-9']);
    expect([instance.machine.at(-1), instance.duration.at(-1)]).toEqual([0, 7]);
    expect(formatStory(readStory(store, 'shop')).at(-2)).toMatch(
      /\(the job WO-9 arrived with 1 operation\); instead the job WO-9 arrived with 1 operation; /,
    );
    // What was reported in its place can be withdrawn, too; the withdrawal itself cannot.
    await shop.withdraw(3, { now: 7 });
    expect(shop.schedule.instance.operations).toBe(6);
    await expect(shop.withdraw(4, { now: 7 })).rejects.toMatchObject({
      code: 'no_report',
      message: expect.stringMatching(/^a withdrawal created version 4, not a report; /),
    });
  });

  it('lets an interrupted operation continue, unless it has restarted', async () => {
    const schedule = workshop();
    const first = schedule.start.findIndex(
      (start, op) => start === 0 && schedule.instance.machine[op] === 0,
    );
    const { shop } = await opened(schedule);
    await shop.report([broken], { now: 5 });
    expect(shop.schedule.start[first]).toBe(100);
    await shop.withdraw(2, { now: 8 });
    expect(shop.schedule.start[first]).toBe(0);
    expect(shop.schedule.instance.frozen?.[first]).toBe(0);
    expect(shop.schedule.start).toEqual(schedule.start);

    const again = await opened(schedule);
    await again.shop.report([{ ...broken, to: 6 }], { now: 5 });
    await again.shop.withdraw(2, { now: 8 });
    expect(again.shop.schedule.start[first]).toBe(6);
  });

  it('is refused in one line, and nothing is written, where that cannot be', async () => {
    const { shop } = await opened(workshop());
    const withdraw = (version: number, now = 5) => shop.withdraw(version, { now });
    const refusal = (code: string, message: RegExp) => ({
      code,
      message: expect.stringMatching(message),
    });
    await expect(withdraw(1)).rejects.toMatchObject(
      refusal('no_report', /^version 1 is the plan, and no report created it; /),
    );
    await expect(withdraw(7)).rejects.toMatchObject(
      refusal('no_report', /^there is no version 7; /),
    );
    await shop.report([{ ...rush, job: { ...rush.job, release: 0 } }], { now: 0 });
    await shop.undo(1, { now: 1 });
    await expect(withdraw(3)).rejects.toMatchObject(
      refusal('no_report', /^an undo created version 3, not a report; /),
    );
    await shop.report([{ kind: 'duration', job: 2, step: 0, duration: 3 }], { now: 2 });
    await withdraw(4, 2);
    const { entries } = shop.story;
    await expect(withdraw(4)).rejects.toMatchObject(
      refusal('no_report', /^the report of version 4 was withdrawn already, with version 5; /),
    );
    await expect(withdraw(2, 90)).rejects.toMatchObject(
      refusal(
        'built_upon',
        /^work that has started since depends on the report: WO-9, .* has started at \d+; /,
      ),
    );
    await expect(withdraw(2, 1)).rejects.toMatchObject({ code: 'bad_now' });
    expect(shop.story.entries).toBe(entries);
  });

  it('is refused where work has started in the time that it gained', async () => {
    const { shop } = await opened(workshop());
    await shop.report([{ kind: 'duration', job: 0, step: 0, duration: 4 }], { now: 2 });
    await shop.propose([{ job: 1, step: 0, start: 5 }], { now: 3 });
    const now = 6;
    await expect(shop.withdraw(2, { now })).rejects.toMatchObject({ code: 'built_upon' });
    // A withdrawal during another report is refused in the story.
    const [, late] = await Promise.all([
      shop.report([{ ...rush, job: { ...rush.job, release: 9 } }], { now: now + 1 }),
      shop.withdraw(2, { now: now + 1 }),
    ]);
    expect(late).toMatchObject({
      status: 'skipped',
      reasons: [expect.stringMatching(/depends on the report/)],
    });
    expect(formatStory(shop.story).at(-2)).toMatch(
      /wanted to withdraw the report of version 2; too late or refused: /,
    );
    expect(shop.version).toBe(4);
  });

  it('applies directly behind other commands, without waiting for them', async () => {
    const { shop } = await opened(workshop());
    const [, , last] = await Promise.all([
      shop.report([cancelled], { now: 5 }),
      shop.report([rush], { now: 5 }),
      shop.withdraw(2, { now: 5 }),
    ]);
    expect(last).toMatchObject({ status: 'committed', version: 4 });
    expect(shop.schedule.instance.operations).toBe(7);
  });

  it('waits for an approval like any report; declined, it counts and little moves', async () => {
    const approval = { seconds: 3600, otherwise: 'decline' as const };
    const { shop } = await opened(workshop(), { policy: { ...QUICK, approval } });
    await shop.report([broken], { now: 5 });
    await shop.approve('kim');
    const asked = await shop.withdraw(2, { now: 8 });
    expect(asked).toMatchObject({ status: 'waiting', approval: 'version-3' });
    const declined = await shop.decline('kim', 'no');
    expect(declined).toMatchObject({ status: 'committed', proposal: { method: 'affected' } });
    expect(downtimesOf(shop.schedule.instance.calendar, 0)).toEqual([]);
  });

  it('is in the log: another process makes the same versions, and a replay has parity', async () => {
    const { schedule, events } = ft10();
    const { shop, store } = await opened(schedule);
    for (const [i, event] of events.slice(0, 5).entries()) {
      await shop.report([event], { now: event.at });
      if (i % 2 === 1) await shop.withdraw(shop.version, { now: event.at });
    }
    await shop.report(events.slice(5, 7), { now: 420 });
    await expect(shop.withdraw(2, { now: 430 })).resolves.toMatchObject({ status: 'committed' });
    expect(shop.version).toBe(10);
    expectSameVersions(shop, store);
    const replayed = await replayRun(store, 'shop', { registry: freshRegistry(store) });
    expect(replayed).toMatchObject({ parity: true });
    await shop.close();
    const later = await openShop({ store });
    expect(later.schedule.start).toEqual(shop.schedule.start);
  });
});

function expectSameVersions(shop: Shop, store: LogStore): void {
  for (let version = 1; version <= shop.version; version++) {
    const fresh = createShopMemory(store).versionOf('shop', version).schedule;
    const known = shop.scheduleAt({ version }).schedule;
    expect(fresh.start).toEqual(known.start);
    expect(factsOf(fresh.instance)).toEqual(factsOf(known.instance));
  }
}

/** A shop in which nothing starts before 100, with events and withdrawals until then. */
const commands = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ event: eventIn(), pause: fc.nat(6) }) },
    { weight: 3, arbitrary: fc.record({ withdraw: fc.nat(20), pause: fc.nat(6) }) },
    { weight: 1, arbitrary: fc.record({ undo: fc.nat(20), pause: fc.nat(6) }) },
  ),
  { minLength: 2, maxLength: 12 },
);

type DrawnCommand = { pause: number; event?: EventInput; withdraw?: number; undo?: number };

/** Events of every kind in the shop of three jobs, relative to the time at which they are reported. */
function eventIn(): fc.Arbitrary<EventInput> {
  const job = fc.nat(2);
  const step = fc.nat(1);
  const machine = fc.nat(1);
  const ahead = fc.nat(40);
  const span = fc.integer({ min: 1, max: 30 });
  return fc.oneof(
    fc.record({
      ...{ kind: fc.constant('breakdown' as const), machine, from: ahead, resumable: fc.boolean() },
      to: fc.option(span, { nil: undefined }),
    }),
    fc.record({ kind: fc.constant('restored' as const), machine }),
    fc.record({ kind: fc.constant('duration' as const), job, step, duration: span }),
    fc.record({ kind: fc.constant('delay' as const), job, step, until: ahead }),
    fc.record({ kind: fc.constant('cancellation' as const), job }),
    fc.record({
      kind: fc.constant('arrival' as const),
      job: fc.record({
        operations: fc.array(fc.record({ machine, duration: span }), {
          ...{ minLength: 1, maxLength: 2 },
        }),
        release: ahead,
        due: fc.integer({ min: 41, max: 90 }),
      }),
    }),
  ) as fc.Arbitrary<EventInput>;
}

/** An event whose times count from when it is reported. */
function reportedAt(event: EventInput, now: number): EventInput {
  if (event.kind === 'breakdown') {
    const from = now + event.from;
    return { ...event, from, ...(event.to !== undefined && { to: from + event.to }) };
  }
  if (event.kind === 'delay') return { ...event, until: now + event.until };
  if (event.kind !== 'arrival') return event;
  return { ...event, job: { ...event.job, release: now + (event.job.release ?? 0) } };
}

/** Sends commands to a shop; returns the logged events that took effect and were not withdrawn. */
async function sendAll(shop: Shop, list: readonly DrawnCommand[]) {
  const applied = new Map<number, { now: number; events: EventInput[] }>();
  let now = 0;
  for (const { pause, event, withdraw, undo } of list) {
    now += pause;
    const { version, schedule } = shop;
    if (event !== undefined) {
      const { turn, status } = await shop.report([reportedAt(event, now)], { now });
      const { events } = turn.instant;
      const effective = readLoggedEvents(events, schedule.instance, now);
      if (status === 'committed') applied.set(version + 1, { now, events: effective });
    } else if (withdraw !== undefined && applied.size > 0) {
      const one = [...applied.keys()][withdraw % applied.size];
      try {
        expect(await shop.withdraw(one, { now })).toMatchObject({ status: 'committed' });
        applied.delete(one);
      } catch (error) {
        expect(error).toMatchObject({ code: 'built_upon' });
      }
    } else if (undo !== undefined && version > 1) {
      await shop.undo(1 + (undo % (version - 1)), { now });
    }
    expectStartsKept(schedule, shop, now);
    expect(validate(shop.schedule.instance, shop.schedule).valid).toBe(true);
  }
  return { now, applied: [...applied.values()] };
}

/** Expects that what had started by now has the start that it had, but for what was lost. */
function expectStartsKept({ instance, start }: Schedule, shop: Shop, now: number): void {
  const { instance: next, start: later } = shop.schedule;
  const moved = [...start.keys()].filter((op) => {
    const job = instance.jobOf[op];
    const to = next.jobOffset[job] + op - instance.jobOffset[job];
    return start[op] < now && (to >= next.jobOffset[job + 1] || later[to] !== start[op]);
  });
  expect(moved).toHaveLength(shop.story.turns.at(-1)?.instant.lost ?? 0);
}

describe('an event that is planned', () => {
  it('keeps a machine free from then on, and a job from starting before; it can be dropped', async () => {
    const schedule = workshop();
    const { shop } = await opened(schedule);
    const maintenance = { ...broken, from: 12, to: 40 };
    const order = { ...rush, job: { ...rush.job, release: 25 } };
    await shop.report([maintenance], { now: 2 });
    await shop.report([order], { now: 2 });
    const { instance, start, end } = shop.schedule;
    const onLathe = [...start.keys()].filter((op) => instance.machine[op] === 0);
    expect(onLathe.every((op) => end[op] <= 12 || start[op] >= 40)).toBe(true);
    expect(onLathe.some((op) => end[op] <= 12)).toBe(true);
    expect(start[instance.operations - 1]).toBeGreaterThanOrEqual(25);
    await shop.withdraw(2, { now: 3 });
    expect(shop.schedule.instance.calendar).toBe(null);
    expect(shop.schedule.start.slice(0, 6)).toEqual(schedule.start);
  });
});

describe('withdrawals among random events', () => {
  const base = workshop();
  const later = createSchedule(
    base.instance,
    base.start.map((start) => start + 100),
  );

  it('leave the shop as if they had not been reported, if nothing has started', async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (list) => {
        const { shop, store } = await opened(later);
        const { now, applied } = await sendAll(shop, list as DrawnCommand[]);
        const { shop: other } = await opened(later);
        for (const { now: at, events } of applied) await other.report(events, { now: at });
        for (const one of [shop, other]) {
          // Until the same time: what has not started is not released before it.
          const { jobOf, jobOffset, operations } = one.schedule.instance;
          if (operations === 0) continue;
          const last = operations - 1;
          const [job, start] = [jobOf[last], one.schedule.start[last]];
          await one.propose([{ job, step: last - jobOffset[job], start }], { now });
        }
        expect(factsOf(shop.schedule.instance)).toEqual(factsOf(other.schedule.instance));
        expectSameVersions(shop, store);
      }),
      { numRuns: 15 },
    );
  });

  it('rewrite nothing that has started, and the log makes the same versions', async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (list) => {
        const { shop, store } = await opened(base);
        await sendAll(shop, list as DrawnCommand[]);
        expectSameVersions(shop, store);
        const replayed = await replayRun(store, 'shop', { registry: freshRegistry(store) });
        expect(replayed).toMatchObject({ parity: true });
      }),
      { numRuns: 15 },
    );
  });
});

it('many withdrawals in a row look into the log about as often as they are', async () => {
  const whole = createMemoryStore();
  let reads = 0;
  const store: LogStore = {
    ...whole,
    read: (query) => {
      reads++;
      return whole.read(query);
    },
  };
  const { shop } = await opened(workshop(), { store });
  const versions: number[] = [];
  for (let i = 0; i < 10; i++) {
    const event: EventInput = { kind: 'breakdown', machine: 0, from: 200 + i, to: 300 + i };
    await shop.report([event], { by: 'kim', now: 5 });
    versions.push(shop.version);
  }
  const readsOf: number[] = [];
  for (const version of versions) {
    reads = 0;
    await shop.withdraw(version, { by: 'kim', now: 6 });
    readsOf.push(reads);
  }
  expect(readsOf[9]).toBeLessThan(10 * readsOf[2]);
});
