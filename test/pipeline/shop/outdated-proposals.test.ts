import { type Clock, systemClock } from '@alas-jssp/core/clock';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryStore, replayRun } from '../../../packages/workflow/src/index.js';
import type { EventInput } from '../../../src/disruption/index.js';
import type { Schedule } from '../../../src/jssp/schedule.js';
import { openShop } from '../../../src/pipeline/shop/open-shop.js';
import { createShopRegistry } from '../../../src/pipeline/shop/shop-steps.js';
import { formatStory } from '../../../src/pipeline/shop/story-lines.js';
import { isFeasible } from '../../../src/validator/judge.js';
import { ft10 } from './fixtures.js';

const { schedule } = ft10();
const BEGIN = Date.parse('2026-11-23T06:00:00Z');

/** A clock that only advances by calls. */
function handClock(): Clock & { at(seconds: number): void } {
  let now = BEGIN;
  return {
    now: () => now,
    at: (seconds) => {
      now = BEGIN + seconds * 1000;
    },
    // Looking for messages takes no time of the shop; waiting for an approval does.
    async sleep(milliseconds, signal) {
      const until = now + milliseconds;
      do await systemClock.sleep(1, signal);
      while (milliseconds > 60_000 && now < until);
    },
  };
}

/** A shop with one unit of time per second, in which every repair needs approval. */
async function livingShop() {
  const clock = handClock();
  const store = createMemoryStore();
  const policy = { approval: { seconds: 1_000_000, otherwise: 'decline' as const } };
  const shopClock = { speed: 1, start: 0 };
  const shop = await openShop({ store, schedule, clock, policy, shopClock });
  return { clock, store, shop };
}

const rush = (release: number): EventInput => ({
  kind: 'arrival',
  job: {
    name: 'rush',
    release,
    operations: [2, 5, 7].map((machine) => ({ machine, duration: 40 })),
  },
});

type OpenedShop = Awaited<ReturnType<typeof openShop>>;

/** Approves until no proposal waits. */
async function approve(shop: OpenedShop, status: string): Promise<void> {
  if (status === 'waiting') await approve(shop, (await shop.approve('lee')).status);
}

/** The operations that a schedule starts before a time, by job and step. */
function startedBefore({ instance, start }: Schedule, time: number): [number, number, number][] {
  return Array.from(start.entries())
    .filter(([, at]) => at >= 0 && at < time)
    .map(([op, at]) => [instance.jobOf[op], op - instance.jobOffset[instance.jobOf[op]], at]);
}

describe('a proposal that is approved when its time has passed', () => {
  it('is recomputed for the current time: started operations stay', async () => {
    const { clock, store, shop } = await livingShop();
    clock.at(100);
    const asked = await shop.report([rush(100)], { now: 100, by: 'kim' });
    if (asked.status !== 'waiting') throw new Error(asked.status);
    const early = asked.proposal.starts.filter((start) => start < 180);
    expect(early.length).toBeGreaterThan(0);
    clock.at(180);
    const outcome = await shop.approve('lee');
    expect(outcome).toMatchObject({ status: 'committed', version: 2, turn: { approvedBy: 'lee' } });
    expect(shop.now).toBe(180);
    expect(startedBefore(shop.schedule, 180)).toEqual(startedBefore(schedule, 180));
    expect(isFeasible(shop.schedule.instance, shop.schedule.start)).toBe(true);
    expect(formatStory(shop.story).join('\n')).toContain('it was 180 by then');
    const first = shop.schedule;
    await shop.close();
    const again = await openShop({ store, clock });
    expect(again.schedule.start).toEqual(first.start);
    const replay = await replayRun(store, 'shop', { registry: createShopRegistry(store) });
    expect(replay.divergence).toBeUndefined();
  });

  it('is committed as it is if nothing of it has begun', async () => {
    const { clock, shop } = await livingShop();
    clock.at(100);
    const asked = await shop.report([rush(900)], { now: 100 });
    if (asked.status !== 'waiting') throw new Error(asked.status);
    clock.at(101);
    expect(await shop.approve('lee')).toMatchObject({
      status: 'committed',
      turn: { rolledBack: [] },
    });
  });

  it('never rewrites the past, for any events and any time of the approval', async () => {
    const events = fc.array(
      fc.record({
        machine: fc.nat(9),
        length: fc.integer({ min: 1, max: 200 }),
        isRush: fc.boolean(),
      }),
      { minLength: 1, maxLength: 3 },
    );
    const waits = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 3, maxLength: 3 });
    const run = async (
      happens: typeof events extends fc.Arbitrary<infer T> ? T : never,
      wait: number[],
    ) => {
      const { clock, shop } = await livingShop();
      let time = 20;
      for (const [i, { machine, length, isRush }] of happens.entries()) {
        clock.at(time);
        const event: EventInput = isRush
          ? rush(time)
          : { kind: 'breakdown', machine, from: time, to: time + length };
        const asked = await shop.report([event], { now: time });
        // Another event is reported while the proposal waits.
        const meanwhile = time + wait[i];
        clock.at(meanwhile);
        const queued = shop.report(
          [{ kind: 'breakdown', machine: (machine + 1) % 10, from: meanwhile, to: meanwhile + 9 }],
          { now: meanwhile },
        );
        time = meanwhile + 5;
        clock.at(time);
        const before = shop.schedule;
        await approve(shop, asked.status);
        expect(isFeasible(shop.schedule.instance, shop.schedule.start)).toBe(true);
        const { frozen } = before.instance;
        for (const [job, step, at] of startedBefore(before, time)) {
          const op = before.instance.jobOffset[job] + step;
          if (frozen !== null && frozen[op] >= 0) {
            expect(shop.schedule.start[shop.schedule.instance.jobOffset[job] + step]).toBe(at);
          }
        }
        const outcome = await queued;
        clock.at(++time);
        if (outcome.status === 'waiting') await approve(shop, outcome.status);
        // What moves nothing asks for nothing.
        else expect(outcome).toMatchObject({ status: 'committed', proposal: { operations: [] } });
        expect(shop.story.turns.every(({ instant }) => instant.skipped.length === 0)).toBe(true);
        time += 20;
      }
      expect((await shop.close()).status).toBe('COMPLETED');
    };
    const twice = [
      { machine: 3, length: 112, isRush: false },
      { machine: 1, length: 91, isRush: false },
    ];
    // An overdue operation competes with one that started just before the approval.
    const examples: [typeof twice, number[]][] = [[twice, [143, 224, 4]]];
    await fc.assert(fc.asyncProperty(events, waits, run), { numRuns: 15, examples });
  }, 60_000);
});
