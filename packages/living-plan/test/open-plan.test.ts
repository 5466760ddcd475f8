import { createMemoryStore, type LogStore, replayRun } from '@alas-jssp/workflow';
import { describe, expect, it } from 'vitest';
import {
  commandSchema,
  createPlanMemory,
  type LivingPlan,
  openPlan,
  type PlanBase,
  type PlanCodec,
  type PlanInput,
  type PlanInstant,
  type PlanPort,
  type PlanProposal,
  planHandlers,
  planWorkflow,
  storyReader,
} from '../src/index.js';

/** The smallest plan: a total that must not be negative. Events add to it. */
interface TotalKind {
  readonly Input: PlanInput & { readonly total: number };
  readonly Base: PlanBase<TotalKind>;
  readonly Plan: { readonly total: number };
  readonly Instant: PlanInstant;
  readonly Effect: { readonly total: number };
  readonly Proposal: PlanProposal & { readonly total: number };
  readonly Figures: { readonly total: number };
  readonly Notes: number;
}

const codec: PlanCodec<TotalKind> = {
  noun: 'total',
  open(input) {
    const first = { version: 1, now: 0, total: input.total };
    return { input, first, given: () => 0, asks: true, isClocked: false };
  },
  effectOf: ({ total }, { events }) => ({
    total: events.reduce((sum, { add }) => sum + Number(add), total),
  }),
  patch: (_, { total }) => ({ total }),
  fingerprint: ({ total }) => String(total),
};

const port: PlanPort<TotalKind> = {
  blank: {},
  applyGiven: ({ instant }) => instant,
  applyCommand(command, { instant }) {
    if ('undo' in command) return { ...instant, undo: command.undo, changed: true };
    const events = 'events' in command ? command.events : [];
    return { ...instant, events, changed: events.length > 0 };
  },
  methodsOf: () => ['add', 'forget'],
  repair({ effect, instant, label, previous, tried }) {
    if (instant.undo !== undefined) return { label, method: 'undo', operations: [0], total: 5 };
    const method = ['add', 'forget'][tried];
    return { label, method, operations: [0], total: tried === 0 ? effect.total : previous.total };
  },
  judge: ({ total }) =>
    total < 0 ? { reason: `${total} is negative`, violations: [] } : undefined,
  figuresOf: ({ total }) => ({ total }),
  formatTime: (_, time) => String(time),
};

const reader = storyReader<TotalKind>('total', 0, (sum) => sum + 1);

function handlers(store: LogStore) {
  const memory = createPlanMemory(store, codec);
  return { memory, registry: planHandlers({ memory, port }) };
}

function open(
  store: LogStore,
  { asks = false, visits = false } = {},
): Promise<LivingPlan<TotalKind>> {
  const start = {
    input: { total: 5, live: true },
    workflow: planWorkflow({
      name: 'total',
      description: 'a total',
      meta: {},
      input: { type: 'object' },
      command: commandSchema([
        [{ events: { type: 'array' } }],
        [{ undo: { type: 'integer', minimum: 1 } }],
      ]),
      methods: 2,
      approval: asks ? { seconds: 3600, otherwise: 'decline' } : null,
    }),
  };
  return openPlan(reader, 'sum', { store, visits }, (story) => ({
    ...handlers(store),
    ...(story === undefined && { start }),
  }));
}

const add = (plan: LivingPlan<TotalKind>, n: number, now: number, key?: string) =>
  plan.execute({ add: n }, { now, key }, () => ({ events: [{ add: n }] }));

describe('a living plan', () => {
  it('commits what the judge accepts, by the next method if it refuses one', async () => {
    const plan = await open(createMemoryStore());
    expect(await add(plan, 3, 1)).toMatchObject({ status: 'committed', version: 2 });
    expect(plan.plan.total).toBe(8);
    const { turn } = await add(plan, -20, 2);
    expect(turn.rolledBack).toMatchObject([{ method: 'add', label: '3' }]);
    expect(plan.plan).toMatchObject({ version: 3, total: 8 });
    expect(plan.versionAt({ time: 1 }).total).toBe(8);
    expect(await plan.undo(1, { now: 3 })).toMatchObject({ status: 'committed', version: 4 });
    expect([plan.plan.total, plan.story.notes]).toEqual([5, 3]);
    await plan.close();
  });

  it('executes each key once, and refuses another request with it', async () => {
    const plan = await open(createMemoryStore());
    const first = await add(plan, 3, 1, 'k');
    expect(await add(plan, 3, 1, 'k')).toEqual(first);
    await expect(add(plan, 4, 1, 'k')).rejects.toMatchObject({ code: 'other_request' });
    await expect(add(plan, 4, 0)).rejects.toMatchObject({ code: 'bad_now' });
    expect(plan.version).toBe(2);
    await plan.close();
    await expect(add(plan, 4, 2)).rejects.toMatchObject({ code: 'total_ended' });
  });

  it('waits for an approval, and keeps the version before a declined proposal', async () => {
    const plan = await open(createMemoryStore(), { asks: true });
    expect(await add(plan, 3, 1)).toMatchObject({ status: 'waiting', approval: 'version-2' });
    expect(await plan.approve('ann')).toMatchObject({ status: 'committed', version: 2 });
    await plan.undo(1, { now: 2 });
    expect(await plan.decline('ann', 'no')).toMatchObject({ status: 'declined' });
    expect(plan.plan.total).toBe(8);
    await plan.close();
  });

  it('is the same in the next process, and in a replay', async () => {
    const store = createMemoryStore();
    for (let now = 1; now <= 20; now++) await add(await open(store, { visits: true }), 1, now);
    const plan = await open(store, { visits: true });
    const other = await open(store, { visits: true });
    await add(other, 1, 21);
    plan.catchUp();
    expect([plan.version, plan.plan.total, plan.versionAt({ version: 3 }).total]).toEqual([
      22, 26, 7,
    ]);
    await plan.close();
    expect((await replayRun(store, 'sum', handlers(store))).parity).toBe(true);
  });

  it('executes commands that are sent at once one after the other, also where its run is visited', async () => {
    const plan = await open(createMemoryStore(), { visits: true });
    const outcomes = await Promise.all([1, 2, 3].map((n) => add(plan, n, 1, `k${n}`)));
    expect(outcomes.map(({ status }) => status)).toEqual(Array(3).fill('committed'));
    expect([plan.version, plan.plan.total]).toEqual([4, 11]);
    await plan.close();
  });

  it('finishes what a failed write left, when the request is repeated', async () => {
    for (let lost = 1; lost < 12; lost++) {
      const memory = createMemoryStore();
      let left = Number.POSITIVE_INFINITY;
      const store: LogStore = {
        ...memory,
        append(entries, options) {
          if (--left <= 0) throw new Error('the disk is full');
          return memory.append(entries, options);
        },
      };
      const plan = await open(store, { visits: true });
      left = lost;
      const first = await add(plan, 3, 1, 'k').catch((error: Error) => error.message);
      left = Number.POSITIVE_INFINITY;
      const again = await add(plan, 3, 1, 'k');
      if (typeof first !== 'string') expect(again).toEqual(first);
      expect(again, String(lost)).toMatchObject({ status: 'committed', version: 2 });
      expect(plan.plan.total).toBe(8);
      await plan.close();
    }
  });
});
