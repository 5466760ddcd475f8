import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, systemClock } from '@alas-jssp/core/clock';
import { AlasError } from '@alas-jssp/core/errors';
import type { InEachLanguage } from '@alas-jssp/core/languages';
import { type CommandMeta, otherRequest } from '@alas-jssp/living-plan';
import type { LogStore } from '@alas-jssp/workflow';
import { requireUnchanged } from '@alas-jssp/workflow';
import type { Instance } from 'alas-jssp/jssp';
import { openShop } from 'alas-jssp/shop';
import { requestedInstance, requestedPolicy, requestedSchedule } from '../api/request-parts.js';
import type { ChangeAnswer, NewShopRequest, ShopSummary } from '../api/shop-schemas.js';
import { readWireTime } from '../api/wire.js';
import { planNewShop } from '../compute/plan-work.js';
import { type BusyMarks, unreadMarks } from './busy-marks.js';
import { noShop } from './caller-shops.js';
import { commandMeta } from './execute-once.js';
import { type KeptShop, keepShop } from './kept-shop.js';
import { clampPolicy } from './policy-limits.js';
import { createRestingShops } from './resting-shops.js';
import { changeInEachLanguage, isChange } from './shop-changes.js';
import type { KeyedCaller } from './shop-directory.js';
import {
  beginOf,
  endedRecord,
  isShopInLog,
  openedBy,
  runsInLog,
  type ShopRecord,
} from './shops-in-log.js';

/** The shops of a thread. */
export interface ShopHost {
  /**
   * Reads all shops of the log that belong to this thread. Those that have something to do are opened; the others are
   * opened by the first request or message, and ended ones only by a request.
   *
   * @param onOpening receives the number of shops not yet read; first called after the ended ones were reported
   */
  recover(onOpening: (shops: number) => void): Promise<void>;
  /** @param plan the plan for a request without one; default: computed in this thread */
  create(
    id: string,
    request: NewShopRequest,
    by: KeyedCaller,
    plan?: NewShopRequest['plan'],
  ): Promise<ShopSummary>;
  /** An open shop, or one that has ended. @throws InputError `no_shop` */
  get(id: string): Promise<KeptShop>;
  /** Marks the computation of a shop until the returned function is called. */
  mark(id: string): () => void;
  /** Releases all shops and closes the log. */
  stop(): Promise<void>;
}

/** The log, the limits and the listeners of a shop host. */
export interface ShopHostOptions {
  readonly store: LogStore;
  readonly clock?: Clock | undefined;
  /** Whether a shop belongs to this thread. Default: all do. */
  readonly isMine?: ((id: string) => boolean) | undefined;
  /** The owner of its shops in the log, and whether another one is known to have ended. */
  readonly owner?: string | undefined;
  readonly isGone?: ((owner: string) => boolean) | undefined;
  readonly mostOperations?: number | undefined;
  /** Time limit of a repair in seconds, to which policies of new shops and chosen rows are reduced. Default 5. */
  readonly seconds?: number | undefined;
  /** Marks computations. Default: none. */
  readonly marks?: BusyMarks | undefined;
  /** Whether a shop must not be opened. */
  readonly isQuarantined?: ((id: string) => boolean) | undefined;
  /** Whether anyone follows changes; without followers, they are not described. Default: always. */
  readonly isFollowed?: (() => boolean) | undefined;
  /** Receives every change, and the shops found in the log; null for changes that are only in the log. */
  readonly onChange: (record: ShopRecord, change: InEachLanguage<ChangeAnswer> | null) => void;
  /** Receives each failure to open a shop of the log. */
  readonly onTrouble?: ((id: string, error: unknown) => void) | undefined;
}

/** The default time limit of a repair, in seconds. */
const USUAL_SECONDS = 5;

/** The number of settled instants of a shop kept in memory. */
const KEPT_TURNS = 32;

/** Creates the host of the shops of a thread over a log. */
export function createShopHost(options: ShopHostOptions): ShopHost {
  const { store, clock = systemClock, isMine = () => true, onChange, mostOperations } = options;
  const { owner, isGone, onTrouble = () => {}, isQuarantined = () => false } = options;
  const { isFollowed = () => true } = options;
  const { seconds = USUAL_SECONDS, marks = unreadMarks() } = options;
  const shops = new Map<string, Promise<KeptShop>>();
  const opening = new Map<string, Opening>();
  const resting = createRestingShops({
    store,
    clock,
    marks,
    isGone,
    onRecord: (record) => onChange(record, null),
    onMessage: (id) => void openLater([id]),
  });
  const leave = new AbortController();
  // Every shop adds a listener.
  setMaxListeners(0, leave.signal);

  const open = async (id: string, fresh?: Parameters<typeof openShop>[0]): Promise<KeptShop> => {
    let lastChange = 0;
    let changed = deferred();
    let lost: { readonly error: unknown } | undefined;
    let record: (() => ShopRecord) | undefined;
    // Changes from before the shop is open are published afterwards.
    const early: InEachLanguage<ChangeAnswer>[] = [];
    let shifts: Parameters<typeof changeInEachLanguage>[2] = fresh?.schedule?.instance ?? null;
    const end = marks.mark(id);
    const opened = openShop({
      ...fresh,

      store,
      clock,
      runId: id,
      keepTurns: KEPT_TURNS,
      onCompute: () => marks.mark(id),
      limitRow: (policy, instance) => clampPolicy(policy, seconds, instance).policy,
      leave: leave.signal,
      owner,
      isGone,
      onEntry(entry, story) {
        if (!isChange(story, entry)) return;
        lastChange = entry.version;
        const isDescribed = record === undefined || isFollowed();
        const change = isDescribed ? (changeInEachLanguage(story, entry, shifts) ?? null) : null;
        if (record === undefined) early.push(change as InEachLanguage<ChangeAnswer>);
        else queueMicrotask(() => onChange((record as () => ShopRecord)(), change));
        changed.resolve();
        changed = deferred();
      },
    });
    end();
    const shop = await opened;
    const endReading = marks.mark(id);
    shop.ended.catch((error: unknown) => {
      lost = { error };
      changed.resolve();
      if (!leave.signal.aborted) void reopen(id);
    });
    const { timeScale, calendar } = shop.schedule.instance;
    shifts = { timeScale, calendar };
    if (lastChange === 0) lastChange = shop.story.turns.at(-1)?.changedAt ?? 0;
    const began = beginOf(store, id);
    const kept = keepShop({
      id,
      shop,
      store,
      clock,
      began,
      mostOperations,
      seconds,
      lastChange: () => lastChange,
      async nextChange() {
        if (lost === undefined) await changed.promise;
        if (lost !== undefined) throw lost.error;
      },
    });
    const { summary } = kept;
    record = () => ({
      summary: summary(),
      nowUnits: shop.now,
      timeScale,
      clock: shop.story.input?.clock ?? null,
      began,
    });
    // Changes of a reopened shop are read from the log: a follower may have missed some.
    if (fresh === undefined || early.length === 0) onChange(record(), null);
    else for (const change of early) onChange(record(), change);
    endReading();
    return kept;
  };
  const keep = (id: string, shop: Promise<KeptShop>): Promise<KeptShop> => {
    resting.delete(id);
    shops.set(id, shop);
    shop.catch(() => shops.delete(id));
    return shop;
  };
  /** Opens a shop of the log. A manipulated log can cause any error, so the integrity check comes after it. */
  const openKnown = async (id: string): Promise<KeptShop> => {
    try {
      return await open(id);
    } catch (error) {
      if (isOwned(error) || leave.signal.aborted) throw error;
      const found = changeIn(store, id) ?? error;
      onTrouble(id, found);
      throw found;
    }
  };
  const get = (id: string): Promise<KeptShop> => {
    if (isQuarantined(id)) return Promise.reject(quarantinedShop(id));
    const known = shops.get(id);
    if (known !== undefined) return known;
    try {
      if (!isShopInLog(store, id)) throw noShop(id);
    } catch (error) {
      return Promise.reject(error);
    }
    return keep(id, openKnown(id));
  };
  /** Reopens a shop whose run broke off, because its memory may differ from the log. */
  const reopen = async (id: string): Promise<void> => {
    shops.delete(id);
    await clock.sleep(LOOK, leave.signal).catch(() => {});
    await openLater([id]);
  };
  /** Opens shops of another owner after their leases have expired. */
  const openLater = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids) {
      while (!leave.signal.aborted) {
        const shop = await get(id).catch((error) => error);
        if (!isOwned(shop)) break;
        await clock.sleep(LOOK, leave.signal).catch(() => {});
      }
    }
  };
  const clampRequested = (policy: unknown, instance: Instance) =>
    policy === undefined
      ? { policy: undefined, clamped: [] }
      : clampPolicy(requestedPolicy(policy, instance), seconds, instance);
  const begin = async (
    id: string,
    request: NewShopRequest,
    opened: CommandMeta,
  ): Promise<KeptShop> => {
    const instance = requestedInstance(request.instance, mostOperations);
    const { seed = 0, clock: pace } = request;
    const { policy } = clampRequested(request.policy, instance);
    const settings = {
      store,
      seed,
      opened,
      policy,
      shopClock: pace ? { speed: pace.speed, start: readStart(instance, pace) } : undefined,
    };
    const schedule =
      request.plan === undefined
        ? await planNewShop(instance, request)
        : requestedSchedule(request.plan, instance);
    return keep(id, open(id, { ...settings, schedule }));
  };
  return {
    get,
    mark: (id) => marks.mark(id),
    async recover(onOpening) {
      const owned: string[] = [];
      const toOpen: string[] = [];
      for (const id of runsInLog(store)) {
        if (!isMine(id) || isQuarantined(id)) continue;
        const end = marks.mark(id);
        try {
          if (!isShopInLog(store, id)) continue;
          const ended = endedRecord(store, id);
          if (ended === undefined) toOpen.push(id);
          else onChange(ended, null);
        } catch (error) {
          onTrouble(id, changeIn(store, id) ?? error);
        } finally {
          end();
        }
      }
      onOpening(toOpen.length);
      for (const [i, id] of toOpen.entries()) {
        // Pending requests for a shop are served first.
        await nextTurn();
        if (leave.signal.aborted) return;
        const isResting = !shops.has(id) && resting.add(id);
        if (!isResting) {
          await get(id).catch((error) => isOwned(error) && owned.push(id));
        }
        onOpening(toOpen.length - i - 1);
      }
      void openLater(owned);
    },
    async create(id, request, by, plan = request.plan) {
      const meta = commandMeta(by, request);
      const other = opening.get(id) ?? (isShopInLog(store, id) ? openedBy(store, id) : undefined);
      if (other !== undefined) {
        requireSameRequest(id, other, meta);
        return (await (opening.get(id)?.shop ?? get(id))).summary();
      }
      const shop = begin(id, { ...request, plan }, meta);
      opening.set(id, { ...meta, shop });
      const summary = (await shop.finally(() => opening.delete(id))).summary();
      const end = marks.mark(id);
      const { clamped } =
        request.policy === undefined
          ? { clamped: [] }
          : clampRequested(request.policy, requestedInstance(request.instance, mostOperations));
      end();
      return clamped.length === 0 ? summary : { ...summary, clamped: [...clamped] };
    },
    async stop() {
      leave.abort();
      resting.clear();
      await Promise.allSettled(shops.values());
      // Interrupted runs release their leases in the next turn.
      await nextTurn();
      store.close();
    },
  };
}

/** The error of a manipulated log of a shop; undefined if it is intact. */
function changeIn(store: LogStore, id: string): unknown {
  try {
    requireUnchanged(store, id);
    return undefined;
  } catch (error) {
    return error;
  }
}

function readStart(instance: Instance, clock: { readonly start?: unknown }): number {
  if (clock.start === undefined) return 0;
  return readWireTime(instance.timeScale, clock.start, ['clock', 'start']);
}

/** The interval of attempts to open a shop of another owner, in milliseconds. */
const LOOK = 1000;

function isOwned(error: unknown): boolean {
  return error instanceof AlasError && error.code === 'run_owned';
}

/** A shop that is being opened, and its request. */
type Opening = CommandMeta & { readonly shop: Promise<KeptShop> };

/** @throws AlasError `shop_exists`; InputError `other_request` */
function requireSameRequest(id: string, other: CommandMeta, { key, digest }: CommandMeta): void {
  if (key === undefined || other.key !== key) throw shopExists(id);
  if (other.digest !== digest) throw otherRequest(key);
}

/** The refusal of a quarantined shop. */
function quarantinedShop(id: string): AlasError {
  const message = `the shop ${JSON.stringify(id)} is in quarantine, because its computation did not return; GET /shops says why, POST /shops/${id}/release opens it again`;
  return new AlasError('shop_quarantined', message);
}

function shopExists(id: string): AlasError {
  return new AlasError(
    'shop_exists',
    `there is a shop ${JSON.stringify(id)} already; give another id`,
  );
}

function deferred(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
