import { createMemoryStore, type LogStore, verifyLog } from '@alas-jssp/workflow';
import { InputError } from 'alas-jssp';
import { describe, expect, it } from 'vitest';
import { applyEvent, type CoordinationEvent } from '../../src/events/events.js';
import type { KeyedNotice } from '../../src/execution/execution-values.js';
import { accountOf, openCoordination } from '../../src/index.js';
import { judge } from '../../src/judge/judge.js';
import { parseClock } from '../../src/model/clock.js';
import { readPlan } from '../../src/model/plan.js';
import type { Problem } from '../../src/model/problem.js';
import { bundledEvents, bundledPlan, bundledProblem } from '../../src/papers/bundled.js';
import { randomCase } from '../oracle/generate.js';
import { findFaults } from '../oracle/oracle.js';
import { randomOf } from '../oracle/random.js';
import { randomEvent } from '../repair/events-at-random.js';
import { MIDNIGHT, reactiveCase, ridesCase } from './reactive.js';

const cases = [
  ['wedding', 'wedding', 'wedding-traffic'],
  ['ride-sharing', 'ride-sharing', 'ride-sharing-reactive'],
  ['thanksgiving', 'alas-table-21', 'thanksgiving-delay-noon'],
  ['thanksgiving', 'alas-table-21', 'thanksgiving-delay-1pm'],
] as const;

describe.each(cases)('%s by %s, and then %s', (problem, plan, events) => {
  it('is carried out to the end: every action begins and ends once, as the last version has it', async () => {
    const opened = await openCoordination(reactiveCase(createMemoryStore(), problem, plan, events));
    const { done, underWay, toCome } = await opened.at(MIDNIGHT);
    const { turns } = opened.log();
    expect(done).toEqual(opened.plan().actions);
    expect([underWay, toCome]).toEqual([[], []]);
    const begun = turns.flatMap(({ began }) => began);
    expect(begun).toHaveLength(done.length);
    expect(turns.flatMap(({ ended }) => ended)).toHaveLength(done.length);
    const told = turns.flatMap((turn) => turn.events);
    expect(told).toEqual(bundledEvents(events).events);
  });

  it('follows versions that the judge accepts with all that had begun by then', async () => {
    const opened = await openCoordination(reactiveCase(createMemoryStore(), problem, plan, events));
    await opened.at(MIDNIGHT);
    const { versions, turns } = opened.log();
    const repaired = turns.filter(({ version }) => version !== undefined);
    expect(versions.size).toBe(1 + repaired.length);
    for (const { to, follows, version = 0 } of repaired) {
      const [before, after] = [versions.get(follows), versions.get(version)];
      if (before === undefined || after === undefined) throw new Error('a version is missing');
      const past = { plan: before.plan, now: to };
      expect(judge(after.problem, after.plan, past).violations).toEqual([]);
    }
  });

  it('has a log that nobody has changed, of which a new reader tells the same', async () => {
    const store = createMemoryStore();
    const opened = await openCoordination(reactiveCase(store, problem, plan, events));
    await opened.at(MIDNIGHT);
    expect(verifyLog(store)).toMatchObject({ valid: true, faults: [] });
    const again = await openCoordination({ store });
    expect(accountOf(again.log())).toEqual(accountOf(opened.log()));
    expect(again.state()).toEqual(opened.state());
    expect(again.plan()).toEqual(opened.plan());
  });
});

describe('an execution', () => {
  it('knows where everybody is, also on the road', async () => {
    const store = createMemoryStore();
    const opened = await openCoordination(
      reactiveCase(store, 'wedding', 'wedding', 'wedding-traffic'),
    );
    const { people, vehicles, done, underWay } = await opened.at(parseClock('12:20'));
    const at = (id: string) => [...people, ...vehicles].find((one) => one.id === id)?.at;
    expect([at('pat'), at('pats-car')]).toEqual(['W>B@20', 'W>B@20']);
    expect(done).toEqual([]);
    expect(underWay).toHaveLength(1);
    // A quarter of an hour is lost to traffic: 10 of 30 minutes before it, 15 more at a third of the pace.
    const later = await opened.at(parseClock('13:15'));
    expect(later.people.find(({ id }) => id === 'alex')?.at).toBe('B>T@15');
  });

  it('takes events as they are told, and each key once', async () => {
    const given = await openCoordination(ridesCase(createMemoryStore()));
    await given.at(MIDNIGHT);
    const { events: _, ...rides } = ridesCase(createMemoryStore());
    const opened = await openCoordination(rides);
    const [cancelled, asked] = bundledEvents('ride-sharing-reactive').events;
    await opened.tell([cancelled], { key: 'c-1', by: 'kim' });
    await opened.tell([cancelled], { key: 'c-1', by: 'kim' });
    await opened.tell([asked], { key: 'a-1' });
    await opened.tell([cancelled], { key: 'c-1', by: 'kim' });
    await opened.at(MIDNIGHT);
    const events = opened.log().turns.flatMap((turn) => turn.events);
    expect(events).toEqual([cancelled, asked]);
    expect(opened.plan()).toEqual(given.plan());
    await expect(opened.tell([asked], { key: 'c-1' })).rejects.toMatchObject({
      code: 'other_request',
    });
  });

  it('tells those whom a change concerns, with keys by which they know it again', async () => {
    const sent: KeyedNotice[] = [];
    const options = {
      ...ridesCase(createMemoryStore()),
      inform: (one: KeyedNotice) => void sent.push(one),
    };
    const opened = await openCoordination(options);
    await opened.at(MIDNIGHT);
    expect(sent.map(({ key }) => key)).toEqual([
      ...['k1', 'p1', 'p2'].map((to) => `coordination/version-2/${to}`),
      ...['k1', 'p1', 'p5'].map((to) => `coordination/version-3/${to}`),
    ]);
    expect(sent[1].lines).toContain('pick-up at A (r1): 08:24, not 08:15');
  });

  it('goes on where somebody cannot be told, and says so in its log', async () => {
    const store = createMemoryStore();
    const inform = ({ to }: KeyedNotice) => {
      if (to === 'p2') throw new Error('no answer');
    };
    const opened = await openCoordination({ ...ridesCase(store), inform });
    await opened.at(MIDNIGHT);
    const outputs = [...store.read({ runId: 'coordination', eventTypes: ['EndNode'] })]
      .filter(({ nodeId }) => nodeId.endsWith('/notify'))
      .map(({ payload }) => (payload as { output: unknown }).output);
    const failed = { key: 'coordination/version-2/p2', reason: 'Error: no answer' };
    expect(outputs).toEqual([{ failed: [failed] }, { failed: [] }]);
  });

  it('ends where there is no repair, and keeps its last version', async () => {
    const { events: _, ...dinner } = reactiveCase(
      createMemoryStore(),
      ...(['thanksgiving', 'alas-table-21', 'thanksgiving-delay-noon'] as const),
    );
    const opened = await openCoordination(dinner);
    const late = { kind: 'delay', at: '12:00', person: 'james', until: '17:55' } as const;
    await expect(opened.tell([late])).rejects.toMatchObject({ code: 'no_repair' });
    expect(opened.plan()).toEqual({ ...bundledPlan('alas-table-21'), ...{} });
    expect(accountOf(opened.log()).at(-1)?.text).toMatch(
      /^no repair: .*; version 1 of the plan stays$/,
    );
    await expect(opened.at(MIDNIGHT)).rejects.toMatchObject({ code: 'no_repair' });
  });

  it('refuses what makes no sense before anything is written', async () => {
    const store = createMemoryStore();
    const opened = await openCoordination(ridesCase(store));
    await opened.at(500);
    const entries = opened.log().entries;
    const [cancelled] = bundledEvents('ride-sharing-cancel').events;
    await expect(opened.at(499)).rejects.toMatchObject({ code: 'bad_now' });
    await expect(opened.tell([cancelled])).rejects.toMatchObject({ code: 'bad_now' });
    const wrong = { ...cancelled, at: '09:00', ride: 'r9' } as typeof cancelled;
    await expect(opened.tell([wrong])).rejects.toMatchObject({ code: 'bad_event' });
    await expect(opened.tell([])).rejects.toMatchObject({ code: 'bad_event' });
    expect(opened.log().entries).toBe(entries);
    const [plan, problem] = [bundledPlan('alas-table-25'), bundledProblem('thanksgiving')];
    await expect(
      openCoordination({ store: createMemoryStore(), problem, plan }),
    ).rejects.toMatchObject({ code: 'infeasible_plan' });
    await expect(openCoordination({ store, problem })).rejects.toMatchObject({
      code: 'other_execution',
    });
    await expect(openCoordination({ store, runId: 'other' })).rejects.toMatchObject({
      code: 'no_execution',
    });
  });

  it('takes nothing more once it is closed', async () => {
    const opened = await openCoordination(ridesCase(createMemoryStore()));
    await opened.at(490);
    await opened.close();
    await expect(opened.at(500)).rejects.toMatchObject({ code: 'execution_ended' });
    expect(readPlan(opened.log().input?.plan)).toEqual(opened.log().versions.get(1)?.plan);
  });
});

describe('an execution that broke off', () => {
  /** A store whose writer breaks after so many appends, as if its process were gone. */
  const breaking = (store: LogStore, most: number): LogStore => {
    let appends = 0;
    return {
      ...store,
      append(...all) {
        if (appends++ >= most) throw new Error('broken');
        return store.append(...all);
      },
    };
  };
  const given = async (store: LogStore) => {
    const opened = await openCoordination(ridesCase(store));
    await opened.at(MIDNIGHT);
    await opened.close();
  };
  const told = async (store: LogStore) => {
    const { events = [], ...rides } = ridesCase(store);
    const opened = await openCoordination(rides);
    for (const [i, event] of events.entries()) await opened.tell([event], { key: `event-${i}` });
    await opened.at(MIDNIGHT);
    await opened.close();
  };
  const storyIn = async (store: LogStore) => (await openCoordination({ store })).log();

  it.each([
    ['given beforehand', given],
    ['told with keys', told],
  ])('goes on to the same moments and plans, wherever it broke, with events %s', async (_, run) => {
    const whole = createMemoryStore();
    await run(whole);
    const { turns, state, versions } = await storyIn(whole);
    const plan = versions.get(3)?.plan;
    let most = 0;
    for (let broke = true; broke; most += 5) {
      const store = createMemoryStore();
      broke = await run(breaking(store, most)).then(
        () => false,
        () => true,
      );
      if (broke) await run(store);
      const story = await storyIn(store);
      expect(story.turns).toEqual(turns);
      expect(story.state).toEqual(state);
      expect(story.versions.get(3)?.plan).toEqual(plan);
    }
    expect(most).toBeGreaterThan(60);
  });
});

describe('executions of random problems', () => {
  it('carry out plans that judge and oracle accept, or end at an event without a repair', async () => {
    let [ends, repairs] = [0, 0];
    for (let seed = 1; seed <= 40; seed++) {
      const { problem, plan } = randomCase(seed);
      const random = randomOf(104_729 * seed);
      const event = randomEvent(random, problem, random.int(60, 160));
      if (event === undefined || !isPossible(problem, event)) continue;
      const options = { store: createMemoryStore(), problem, plan, budget: '200-iterations' };
      const opened = await openCoordination({ ...options, events: [event] });
      await opened.at(MIDNIGHT).catch((error) => expect(error.code).toBe('no_repair'));
      const { versions, end, turns } = opened.log();
      if (end?.status === 'FAILED') {
        expect(versions.size).toBe(1);
        continue;
      }
      ends++;
      expect(judge(opened.problem(), opened.plan()).violations).toEqual([]);
      expect(findFaults(opened.problem(), opened.plan())).toEqual([]);
      const moved = opened.plan().actions.filter(({ do: kind }) => kind !== 'stay');
      expect(turns.flatMap(({ began }) => began).length).toBe(moved.length);
      if (turns.some(({ proposal }) => (proposal?.changes.length ?? 0) > 0)) repairs++;
    }
    expect(ends).toBeGreaterThan(10);
    expect(repairs).toBeGreaterThan(0);
  });
});

function isPossible(problem: Problem, event: CoordinationEvent): boolean {
  try {
    applyEvent(problem, event);
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}
