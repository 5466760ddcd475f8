import type { Json, NewEntry } from '@alas-jssp/workflow';
import {
  applyEntry,
  cancel,
  decodeState,
  emptyState,
  encodeState,
  forgetTurns,
  interpret,
  openRun,
  type Payloads,
  type Run,
  type RunState,
  receiveMessages,
} from '@alas-jssp/workflow/interpreter';
import {
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  CancelledFailure,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  proxyLocalActivities,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { RunMessage } from '../run/protocol.js';
import { createShopHost } from './shop-host.js';
import { createShopLog, type ShopLog } from './shop-log.js';
import { shopMessageFault } from './shop-messages.js';
import type {
  KeyedMessage,
  LogPage,
  ShopActivities,
  ShopFacts,
  ShopMessage,
  ShopStart,
  TimetableRow,
} from './shop-values.js';

/** Sends a shop a message; an invalid one is ignored. */
export const shopSignal = defineSignal<[RunMessage]>('message');
/**
 * Sends a shop a message, and waits until the shop waits for the next one, for an approval, or has
 * ended. Returns the number of the message. A message with the key of one of the last ones is that
 * one.
 */
export const shopPost = defineUpdate<number, [KeyedMessage]>('post');
/** A part of the log, from an entry on. */
export const shopEntries = defineQuery<LogPage, [from: number]>('entries');
/** The followed version, and what the shop waits for. */
export const shopStatus = defineQuery<ShopFacts>('status');
/** The followed timetable. */
export const shopSchedule = defineQuery<ShopTimetable>('schedule');

/** The present schedule: jobs and steps from 0. */
export interface ShopTimetable extends Pick<ShopFacts, 'version' | 'makespan' | 'lateness'> {
  /** Null for shops of more operations than a history should hold: use a client of alas-jssp. */
  readonly rows: readonly TimetableRow[] | null;
}

const { alasShopKeep } = proxyLocalActivities<ShopActivities>({
  startToCloseTimeout: '10 minutes',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
});

/** Number of message keys that a shop remembers: a retry must arrive within as many messages. */
const KEYS = 64;

/** Maximum duration of a history: the data outside of it are then retained for another period. */
const LASTS = '14 days';

const NOTHING: ShopFacts = {
  version: 0,
  now: 0,
  makespan: null,
  lateness: null,
  waitsFor: null,
  entries: 0,
  end: null,
  problem: null,
  sha256: null,
};

/** A shop in one of its histories. */
interface LivingShop {
  readonly run: Run;
  readonly log: ShopLog;
  /** All messages that arrived, or were carried on. */
  readonly inbox: ShopMessage[];
  readonly attributes: Attributes;
  readonly keys: Map<string, number>;
  posted: number;
  isOver: boolean;
}

/**
 * A living shop: the workflow of alas-jssp, interpreted here, over steps that any worker can make.
 * It continues in a new history from time to time.
 *
 * @returns the entry that ended it, if it completed; it fails, or is cancelled, with that entry as its details
 */
export async function alasShop(start: ShopStart): Promise<Payloads['EndRun']> {
  const shield = new CancellationScope({ cancellable: false });
  const shop = openShop(start, shield);
  const { run } = shop;
  const interpreting = shield
    .run(() => interpret(run))
    .then(() => {
      shop.isOver = true;
    });
  receive(shop, interpreting);
  CancellationScope.current().cancelRequested.catch(() =>
    cancel(run, { reason: 'it was cancelled on the server' }),
  );
  await shield.run(() => Promise.race([interpreting, timeToGoOn(shop, start)]));
  while (!shop.isOver) {
    for (const waiter of [...run.waiters]) waiter.leave();
    await shield.run(() => Promise.race([interpreting, condition(() => isAtRest(shop))]));
  }
  await shield.run(() => condition(allHandlersFinished));
  const { end } = run.state;
  if (end === undefined) return shield.run(() => goOn(shop, start));
  if (end.status === 'COMPLETED') return end;
  const message = end.error?.message ?? `the shop ended ${end.status}`;
  if (end.status === 'CANCELLED') throw new CancelledFailure(message, [end]);
  throw ApplicationFailure.create({
    message,
    type: end.status,
    nonRetryable: true,
    details: [end],
  });
}

function openShop(start: ShopStart, shield: CancellationScope): LivingShop {
  const { workflowId, firstExecutionRunId } = workflowInfo();
  const { carried, workflow, input, seed, software } = start;
  const begin: NewEntry = {
    runId: workflowId,
    ts: carried?.startedAt ?? new Date().toISOString(),
    nodeId: '',
    eventType: 'StartRun',
    payload: { workflow, input, seed, software },
    correlationId: workflowId,
  };
  const first = emptyState(workflowId);
  applyEntry(first, { ...begin, version: 0, hash: '' });
  const fresh = { versions: 0, segments: [], facts: NOTHING, timetable: [] };
  const log = createShopLog(input, carried ?? fresh);
  let state: RunState = first;
  if (carried === undefined) log.append([begin]);
  else state = { ...decodeState(first, carried.state), versions: carried.versions };
  const inbox = [...(carried?.inbox ?? [])];
  const attributes = createAttributes(log, carried?.searchable === true);
  const host = createShopHost(
    {
      runId: workflowId,
      append(entries) {
        const written = log.append(entries);
        attributes.look();
        return written;
      },
      messages: (after) => inbox.filter(({ id }) => id > after),
      common: () => {
        const { version, sha256 } = log.facts;
        return { runId: workflowId, chain: firstExecutionRunId, version, sha256 };
      },
      log: log.forStep,
      noteProblem: log.noteProblem,
      note({ version }) {
        if (version === undefined) return;
        log.noteMade(version);
        if (version.searchable) attributes.found();
      },
    },
    shield,
  );
  const run = openRun(host, state, { stay: true });
  const keys = new Map(carried?.keys);
  return { run, log, inbox, attributes, keys, posted: carried?.posted ?? 0, isOver: false };
}

/** Whether only a message, or the end of its patience, can continue a shop. */
function isAtRest({ run, isOver }: LivingShop): boolean {
  return isOver || (run.active === 0 && run.waiters.size > 0);
}

function receive(shop: LivingShop, interpreting: Promise<void>): void {
  const { run, log, inbox, keys } = shop;
  const take = (kind: string, data: Json): number => {
    const id = ++shop.posted;
    inbox.push({ id, ts: new Date().toISOString(), kind, data });
    receiveMessages(run);
    return id;
  };
  setHandler(shopSignal, (message: RunMessage | null | undefined) => {
    if (message == null) return;
    const { kind, data } = message;
    if (shopMessageFault(kind, data) === undefined) take(kind, data);
  });
  setHandler(
    shopPost,
    async ({ kind, data, key }) => {
      const id = (key !== undefined && keys.get(key)) || take(kind, data);
      if (key !== undefined) keys.set(key, id);
      for (const oldest of keys.keys()) {
        if (keys.size <= KEYS) break;
        keys.delete(oldest);
      }
      await CancellationScope.nonCancellable(() =>
        Promise.race([interpreting, condition(() => isAtRest(shop))]),
      );
      return id;
    },
    {
      validator({ kind, data }) {
        const fault = shopMessageFault(kind, data);
        if (fault !== undefined) throw ApplicationFailure.nonRetryable(fault, 'bad_message');
        if (run.state.end !== undefined) {
          throw ApplicationFailure.nonRetryable('the shop has ended', 'shop_ended');
        }
      },
    },
  );
  setHandler(shopEntries, (from = 0) => log.page(from));
  setHandler(shopStatus, () => log.facts);
  setHandler(shopSchedule, () => {
    const { version, makespan, lateness } = log.facts;
    const rows = log.timetable === null ? null : [...log.timetable.values()];
    return { version, makespan, lateness, rows };
  });
  // Those that were carried on.
  receiveMessages(run);
}

/** Waits until the history is long enough and the shop is at rest. */
async function timeToGoOn(shop: LivingShop, { historyEvents }: ShopStart): Promise<void> {
  const isLong = () => {
    const { historyLength, continueAsNewSuggested } = workflowInfo();
    return continueAsNewSuggested || historyLength > (historyEvents ?? Number.POSITIVE_INFINITY);
  };
  const canLeave = () => isAtRest(shop) && allHandlersFinished();
  const isFull = await condition(() => isLong() && canLeave(), LASTS);
  if (!isFull) await condition(canLeave);
}

/** Continues in a new history. */
async function goOn(shop: LivingShop, start: ShopStart): Promise<never> {
  const { run, log, inbox, attributes } = shop;
  forgetTurns(run);
  const { startedAt, versions, inbox: taken } = run.state;
  const state = encodeState(run.state);
  const before = log.page(0).segments;
  const segments = await alasShopKeep(log.entries, before);
  return continueAsNew<typeof alasShop>({
    ...start,
    carried: {
      startedAt,
      state,
      versions,
      segments,
      inbox: inbox.filter(({ id }) => id > taken),
      posted: shop.posted,
      keys: [...shop.keys],
      facts: log.facts,
      searchable: attributes.areKnown(),
      timetable: [...(log.timetable?.values() ?? [])],
    },
  });
}

/** The search attributes of a shop, for the list of the server. */
interface Attributes {
  areKnown(): boolean;
  /** Whether the server knows them: one that does not rejects the whole shop. */
  found(): void;
  look(): void;
}

function createAttributes(log: ShopLog, areKnown: boolean): Attributes {
  let known = areKnown;
  let last = '';
  return {
    areKnown: () => known,
    found() {
      known = true;
    },
    look() {
      const { makespan, lateness, waitsFor } = log.facts;
      if (!known || makespan === null || lateness === null) return;
      const open = waitsFor !== null && waitsFor !== 'command' ? 1 : 0;
      const all = { AlasMakespan: [makespan], AlasLateness: [lateness], AlasOpenProposals: [open] };
      const now = JSON.stringify(all);
      if (now === last) return;
      last = now;
      upsertSearchAttributes(all);
    },
  };
}
