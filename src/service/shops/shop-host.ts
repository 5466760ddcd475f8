import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, systemClock } from '../../core/clock.js';
import { AlasError } from '../../core/errors.js';
import type { InEachLanguage } from '../../core/languages.js';
import type { Instance } from '../../jssp/instance.js';
import { otherRequest } from '../../pipeline/shop/news.js';
import { openShop } from '../../pipeline/shop/open-shop.js';
import type { TellerNote } from '../../pipeline/shop/shop-values.js';
import type { LogStore } from '../../workflow/index.js';
import { requireUnchanged } from '../../workflow/log/verify.js';
import { requestedInstance, requestedPolicy, requestedSchedule } from '../api/request-parts.js';
import type { ChangeAnswer, NewShopRequest, ShopSummary } from '../api/shop-schemas.js';
import { readWireTime } from '../api/wire.js';
import { planNewShop } from '../compute/plan-work.js';
import { type BusyMarks, unreadMarks } from './busy-marks.js';
import { noShop } from './caller-shops.js';
import { type KeptShop, keepShop } from './kept-shop.js';
import { clampPolicy } from './policy-limits.js';
import { changeInEachLanguage } from './shop-changes.js';
import type { Teller } from './shop-directory.js';
import {
  beginOf,
  endedRecord,
  isShopInLog,
  openedBy,
  runsInLog,
  type ShopRecord,
} from './shops-in-log.js';
import { tellerNote } from './tell-once.js';

/** The shops of a thread. */
export interface ShopHost {
  /**
   * Opens all shops of the log that are pinned here and have not ended; of the others it only tells.
   *
   * @param onOpening told of how many are still to be opened, first when the others are known
   */
  recover(onOpening: (shops: number) => void): Promise<void>;
  /** @param plan the plan, of a request that has none; default: made in this thread */
  create(
    id: string,
    request: NewShopRequest,
    teller: Teller,
    plan?: NewShopRequest['plan'],
  ): Promise<ShopSummary>;
  /** An open shop, or one that has ended. @throws InputError `no_shop` */
  get(id: string): Promise<KeptShop>;
  /** Marks what is computed for a shop until the function that it gives is called. */
  mark(id: string): () => void;
  /** Gives all shops back and closes the log. */
  stop(): Promise<void>;
}

/** The means of a host of shops. */
export interface ShopHostOptions {
  readonly store: LogStore;
  readonly clock?: Clock | undefined;
  /** Whether a shop is one of this thread. Default: all are. */
  readonly isMine?: ((id: string) => boolean) | undefined;
  /** The owner of its shops in the log, and whether another one is known to have ended. */
  readonly owner?: string | undefined;
  readonly isGone?: ((owner: string) => boolean) | undefined;
  readonly mostOperations?: number | undefined;
  /** Seconds that a repair may take: policies of new shops and of chosen rows are reduced to it. Default 5. */
  readonly seconds?: number | undefined;
  /** Notes what is computed. Default: nothing does. */
  readonly marks?: BusyMarks | undefined;
  /** Whether a shop is not to be opened. */
  readonly isQuarantined?: ((id: string) => boolean) | undefined;
  /** Told of every change, and of shops that were found in the log. */
  readonly onChange: (record: ShopRecord, change: InEachLanguage<ChangeAnswer> | null) => void;
  /** Told of shops of the log that cannot be opened, each time, and why. */
  readonly onTrouble?: ((id: string, error: unknown) => void) | undefined;
}

/** Seconds that a repair may take, unless others are given. */
const USUAL_SECONDS = 5;

/** Settled instants of a shop that are kept in memory. */
const KEPT_TURNS = 32;

/** Creates the host of the shops of a thread over a log. */
export function createShopHost(options: ShopHostOptions): ShopHost {
  const { store, clock = systemClock, isMine = () => true, onChange, mostOperations } = options;
  const { owner, isGone, onTrouble = () => {}, isQuarantined = () => false } = options;
  const { seconds = USUAL_SECONDS, marks = unreadMarks() } = options;
  const shops = new Map<string, Promise<KeptShop>>();
  const opening = new Map<string, Opening>();
  const leave = new AbortController();
  // Every shop listens.
  setMaxListeners(0, leave.signal);

  const open = async (id: string, fresh?: Parameters<typeof openShop>[0]): Promise<KeptShop> => {
    let lastChange = 0;
    let changed = deferred();
    let lost: { readonly error: unknown } | undefined;
    let record: (() => ShopRecord) | undefined;
    // Of entries that come before the shop is there, the last change is told of then.
    const early: InEachLanguage<ChangeAnswer>[] = [];
    let shifts: Parameters<typeof changeInEachLanguage>[2] = fresh?.schedule?.instance ?? null;
    const end = marks.mark(id);
    const opened = openShop({
      ...fresh,
      ...{
        store,
        clock,
        runId: id,
        keepTurns: KEPT_TURNS,
        onCompute: () => marks.mark(id),
        limitRow: (policy, instance) => clampPolicy(policy, seconds, instance).policy,
        leave: leave.signal,
        owner,
        isGone,
      },
      onEntry(entry, story) {
        const change = changeInEachLanguage(story, entry, shifts);
        if (change === undefined) return;
        lastChange = entry.version;
        if (record === undefined) early.push(change);
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
      if (!leave.signal.aborted) void openAnew(id);
    });
    const { timeScale, calendar } = shop.schedule.instance;
    shifts = { timeScale, calendar };
    if (lastChange === 0) lastChange = shop.story.turns.at(-1)?.changedAt ?? 0;
    const began = beginOf(store, id);
    const kept = keepShop({
      ...{ id, shop, store, clock, began, mostOperations, seconds },
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
    shops.set(id, shop);
    shop.catch(() => shops.delete(id));
    return shop;
  };
  /** Opens a shop of the log; what was changed in it may stumble anywhere before that is found out. */
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
  /** Opens a shop whose run broke off: what was in memory may be more, or less, than the log has. */
  const openAnew = async (id: string): Promise<void> => {
    shops.delete(id);
    await clock.sleep(LOOK, leave.signal).catch(() => {});
    await openLater([id]);
  };
  /** Opens shops that somebody else had, once their leases have run out. */
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
    opened: TellerNote,
  ): Promise<KeptShop> => {
    const instance = requestedInstance(request.instance, mostOperations);
    const { seed = 0, clock: pace } = request;
    const { policy } = clampRequested(request.policy, instance);
    const settings = {
      ...{ store, seed, opened },
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
        // Who asks for a shop meanwhile comes first.
        await nextTurn();
        if (leave.signal.aborted) return;
        await get(id).catch((error) => isOwned(error) && owned.push(id));
        onOpening(toOpen.length - i - 1);
      }
      void openLater(owned);
    },
    async create(id, request, teller, plan = request.plan) {
      const note = tellerNote(teller, request);
      const other = opening.get(id) ?? (isShopInLog(store, id) ? openedBy(store, id) : undefined);
      if (other !== undefined) {
        requireSameRequest(id, other, note);
        return (await (opening.get(id)?.shop ?? get(id))).summary();
      }
      const shop = begin(id, { ...request, plan }, note);
      opening.set(id, { ...note, shop });
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
      await Promise.allSettled(shops.values());
      // Runs that break off give themselves back a turn later.
      await nextTurn();
      store.close();
    },
  };
}

/** The error of a log of a shop that is not what was written; undefined if it is. */
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

/** Milliseconds between two looks at a shop that somebody else has. */
const LOOK = 1000;

function isOwned(error: unknown): boolean {
  return error instanceof AlasError && error.code === 'run_owned';
}

/** A shop that is being opened, and by which request. */
type Opening = TellerNote & { readonly shop: Promise<KeptShop> };

/** @throws AlasError `shop_exists`; InputError `other_request` */
function requireSameRequest(id: string, other: TellerNote, { key, asked }: TellerNote): void {
  if (key === undefined || other.key !== key) throw shopExists(id);
  if (other.asked !== asked) throw otherRequest(key);
}

/** A shop that is not opened until it is released. */
function quarantinedShop(id: string): AlasError {
  const message = `the shop ${JSON.stringify(id)} is in quarantine, because its computation did not return; GET /shops says why, POST /shops/${id}/release has it opened again`;
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
