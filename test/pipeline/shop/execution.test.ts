import { InputError } from '@alas-jssp/core/errors';
import { virtualClock } from '@alas-jssp/core/virtual-clock';
import { describe, expect, it } from 'vitest';
import {
  checkWorkflow,
  createMemoryStore,
  type LogStore,
  replayRun,
  resumeRun,
  verifyLog,
} from '../../../packages/workflow/src/index.js';
import { completeEvents } from '../../../src/disruption/apply-events.js';
import type { EventInput } from '../../../src/disruption/index.js';
import { delayAffected } from '../../../src/lcrp/baselines/affected.js';
import { policy, simulate } from '../../../src/lcrp/index.js';
import { lcrp } from '../../../src/lcrp/lcrp.js';
import { updateStatus } from '../../../src/lcrp/phases/status.js';
import { openShop } from '../../../src/pipeline/shop/open-shop.js';
import { createShopMemory, fingerprint } from '../../../src/pipeline/shop/shop-memory.js';
import { isShop, shopWorkflow } from '../../../src/pipeline/shop/shop-workflow.js';
import { readStory } from '../../../src/pipeline/shop/story.js';
import { formatStory } from '../../../src/pipeline/shop/story-lines.js';
import { isFeasible } from '../../../src/validator/judge.js';
import { execute, freshRegistry, ft10 } from './fixtures.js';
import { testLivingShops } from './living-shop.js';

/** The last schedule of a shop, by the log alone. */
function lastOf(store: LogStore, runId = 'shop') {
  const version = readStory(store, runId).version;
  return createShopMemory(store).versionOf(runId, version);
}

describe('an execution', () => {
  it('ends with the schedule of a simulation of the same events', async () => {
    const { schedule, events } = ft10();
    const store = createMemoryStore();
    const result = await execute(store, { schedule, events, seed: 7 });
    expect(result.status).toBe('COMPLETED');
    const simulated = await simulate({ schedule, events, method: lcrp, seed: 7 });
    const last = lastOf(store);
    expect(last.schedule.start).toEqual(simulated.schedule.start);
    expect(last.version).toBe(simulated.steps.length + 1);
    expect(isFeasible(last.schedule.instance, last.schedule.start)).toBe(true);
    const skipped = readStory(store, 'shop').turns.flatMap(({ instant }) => instant.skipped);
    expect(skipped).toHaveLength(simulated.skipped.length);
    expect(skipped[0].reason).toContain('the operation was done at');
    expect(verifyLog(store).valid).toBe(true);
  });

  it('reaches the same schedule wherever it is interrupted', async () => {
    const { schedule, events } = ft10();
    const whole = createMemoryStore();
    // What is repaired in the end matters here, not how well.
    const hasty = { budget: { passes: 2, evaluations: 500 } };
    await execute(whole, { schedule, events, policy: hasty });
    const wanted = lastOf(whole);
    let appends = 0;
    const run = async (lasts: number) => {
      const log = createMemoryStore();
      appends = 0;
      const append: LogStore['append'] = (entries, options) => {
        if (appends++ >= lasts) throw new Error('power cut');
        return log.append(entries, options);
      };
      const store = { ...log, append };
      const result = await execute(store, { schedule, events, policy: hasty }).catch((error) => {
        expect(error.message).toBe('power cut');
        return resumeRun(log, 'shop', { registry: freshRegistry(log) });
      });
      expect(result.status).toBe('COMPLETED');
      return log;
    };
    await run(Number.POSITIVE_INFINITY);
    const all = appends;
    expect(all).toBeGreaterThan(100);
    for (let lasts = 1; lasts < all; lasts++) {
      const log = await run(lasts);
      const { version, schedule: last } = lastOf(log);
      expect([version, fingerprint(last)], `after ${lasts} appends`).toEqual([
        wanted.version,
        fingerprint(wanted.schedule),
      ]);
    }
  }, 120_000);

  it('is replayed with parity, and a change of its log is found', async () => {
    const { schedule, events } = ft10();
    const store = createMemoryStore();
    await execute(store, { schedule, events });
    const replayed = await replayRun(store, 'shop', { registry: freshRegistry(store) });
    expect(replayed).toMatchObject({ parity: true });
    // Every repair was made again.
    expect(replayed.rerun).toBeGreaterThan(5 * (readStory(store, 'shop').version - 1));
  });

  it('that no method can repair fails, and its last version stays', async () => {
    const { schedule, events } = ft10();
    const store = createMemoryStore();
    const result = await execute(store, { schedule, events, policy: { methods: ['none'] } });
    expect(result.status).toBe('FAILED');
    expect(result.error).toMatchObject({ code: 'no_repair' });
    expect(result.error?.message).toContain('the shop stays at version 1');
    expect(readStory(store, 'shop').version).toBe(1);
  });

  it('tries the next method when one is refused', async () => {
    const { schedule, events } = ft10();
    const store = createMemoryStore();
    const methods = ['none', 'affected'];
    const result = await execute(store, { schedule, events, policy: { methods } });
    expect(result.status).toBe('COMPLETED');
    const { turns } = readStory(store, 'shop');
    const first = turns[0];
    expect(first.rolledBack).toMatchObject([{ method: 'none' }]);
    expect(first.rolledBack[0].reason).toContain('the validator refuses it');
    expect(first.proposal).toMatchObject({ method: 'affected', label: '2.2' });
  });

  it('keeps the number of edits that its policy allows, and only delays the plan if no method does', async () => {
    const { schedule } = ft10();
    const store = createMemoryStore();
    const late: EventInput = { kind: 'delay', at: 100, job: 5, until: 2000 };
    const few = { limits: { mostEdited: 0 } };
    const result = await execute(store, { schedule, events: [late], policy: few });
    const [{ rolledBack, committed }] = readStory(store, 'shop').turns;
    expect(rolledBack.map(({ method }) => method)).toEqual(['lcrp', 'affected', 'right-shift']);
    expect(rolledBack[1].reason).toContain('operations, and the policy allows 0');
    expect(result.status).toBe('COMPLETED');
    expect(committed).toMatchObject({ version: 2, method: 'affected' });
    const { task } = updateStatus({ schedule, events: completeEvents([late]), now: 100 });
    const followed = createShopMemory(store).versionOf('shop', 2).schedule;
    expect(followed.start).toEqual(delayAffected(task).start);
    const replayed = await replayRun(store, 'shop', { registry: freshRegistry(store) });
    expect(replayed).toMatchObject({ parity: true });
  });

  it('a living shop outlives a breakdown that its limit on edits does not allow', async () => {
    const { schedule } = ft10();
    const breakdown: EventInput = { kind: 'breakdown', machine: 3, from: 100, to: 300 };
    for (const approval of [null, { seconds: 3600, otherwise: 'decline' as const }]) {
      const policy = { limits: { mostEdited: 1 }, approval };
      const shop = await openShop({ store: createMemoryStore(), schedule, policy });
      const outcome = await shop.report([breakdown], { now: 100 });
      expect(outcome).toMatchObject({ status: 'committed', version: 2 });
      expect(outcome).toMatchObject({ proposal: { method: 'affected' } });
      expect(formatStory(shop.story)[1]).toContain('the repair by lcrp was not accepted: no sched');
      expect(shop.story.end).toBeNull();
      await shop.close();
    }
  });

  it('refuses what makes no sense before anything is written', async () => {
    const { schedule } = ft10();
    const store = createMemoryStore();
    const bad = { kind: 'breakdown', machine: 3, from: 200, to: 100 } as EventInput;
    expect(() => execute(store, { schedule, events: [bad] })).toThrow(InputError);
    expect(() => execute(store, { schedule, policy: { methods: ['lcrb'] } })).toThrow(/lcrb/);
    const nowhere: EventInput = { kind: 'breakdown', machine: 33, from: 100, to: 120 };
    expect(() => execute(store, { schedule, events: [nowhere] })).toThrow('no machine 33');
    const unknownJob: EventInput = { kind: 'cancellation', job: 10, at: 90 };
    expect(() => execute(store, { schedule, events: [unknownJob] })).toThrow('no job 11');
    const operations = [{ machine: 3, duration: 4 }];
    const rush: EventInput = { kind: 'arrival', at: 90, job: { operations } };
    expect(() => execute(store, { schedule, events: [unknownJob, rush] })).toThrow('no job 11');
    expect(store.runs()).toEqual([]);
  });
});

describe('the workflow of a shop', () => {
  it.each([{}, { approval: { seconds: 60, otherwise: 'decline' as const } }])(
    'is sound: %j',
    (changes) => {
      const workflow = shopWorkflow(policy(changes));
      const { handlers } = freshRegistry(createMemoryStore());
      const findings = checkWorkflow(workflow, { handlers });
      expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(isShop(workflow)).toBe(true);
    },
  );
});

describe('a living shop', () => {
  testLivingShops({
    patience: 60,
    open: (shop) => {
      const clock = shop.policy?.approval?.seconds === 60 ? virtualClock() : undefined;
      return openShop({ ...shop, store: createMemoryStore(), clock });
    },
  });

  it('is replayed with parity, approvals and all', async () => {
    const { schedule, events } = ft10();
    const store = createMemoryStore();
    const asking = { approval: { seconds: 3600, otherwise: 'decline' as const } };
    const shop = await openShop({ store, schedule, policy: asking });
    await shop.report(events.slice(0, 2), { now: 100 });
    await shop.decline('kim', 'too many moves');
    await shop.report([events[4]], { now: 240 });
    await shop.approve('kim');
    await shop.close();
    expect(await replayRun(store, 'shop', { registry: freshRegistry(store) })).toMatchObject({
      parity: true,
    });
  });

  it('resumes in another process', async () => {
    const { schedule, events } = ft10();
    const log = createMemoryStore();
    let dead = false;
    const append: LogStore['append'] = (...all) => {
      if (dead) throw new Error('power cut');
      return log.append(...all);
    };
    const shop = await openShop({ store: { ...log, append }, schedule });
    await shop.report([events[0]], { now: 100 });
    dead = true;
    await expect(shop.report([events[3]], { now: 170 })).rejects.toThrow('power cut');
    const again = await openShop({ store: log });
    // The message was sent; the next owner of the shop processes it.
    expect(again.version).toBeGreaterThanOrEqual(2);
    await again.report([events[4]], { now: 240 });
    expect(again.story.turns.map(({ instant }) => instant.now)).toEqual([100, 170, 240]);
    await again.close();
  });
});
