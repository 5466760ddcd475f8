import { setMaxListeners } from 'node:events';
import { type Clock, systemClock } from '../../core/clock.js';
import { AlasError, InputError } from '../../core/errors.js';
import type { Instance } from '../../jssp/instance.js';
import { asSchedule } from '../../jssp/plan.js';
import type { Schedule } from '../../jssp/schedule.js';
import type { TimeScale } from '../../jssp/shop-clock.js';
import { openShop } from '../../pipeline/shop/open-shop.js';
import type { ShopPace } from '../../pipeline/shop/pace.js';
import type { TellerNote } from '../../pipeline/shop/shop-values.js';
import { isShop } from '../../pipeline/shop/shop-workflow.js';
import type { LogEntry, LogStore, Workflow } from '../../workflow/index.js';
import { requestedInstance, requestedPolicy, requestedSchedule } from '../api/request-parts.js';
import type { ChangeAnswer, NewShopRequest, ShopSummary } from '../api/shop-schemas.js';
import { readWireTime } from '../api/wire.js';
import { type KeptShop, keepShop } from './kept-shop.js';
import { changeOf } from './shop-changes.js';
import type { Teller } from './shop-directory.js';
import { otherRequest, tellerNote } from './tell-once.js';

/** A shop as it stood after its last change, and how its time passes since. */
export interface ShopRecord {
  readonly summary: ShopSummary;
  readonly nowUnits: number;
  readonly timeScale: TimeScale | null;
  readonly clock: ShopPace | null;
  /** When its log begins, in milliseconds since 1970. */
  readonly began: number;
}

/** The shops of a thread. */
export interface ShopHost {
  /** Opens all shops of the log that are pinned here. */
  recover(): Promise<void>;
  create(id: string, request: NewShopRequest, teller: Teller): Promise<ShopSummary>;
  /** An open shop, or one that has ended. @throws InputError `no_shop` */
  get(id: string): Promise<KeptShop>;
  /** Gives all shops back and closes the log. */
  stop(): Promise<void>;
}

/** The means of a host of shops. */
export interface ShopHostOptions {
  readonly store: LogStore;
  readonly clock?: Clock | undefined;
  /** Whether a shop is one of this thread. Default: all are. */
  readonly isMine?: ((id: string) => boolean) | undefined;
  /** Makes a plan. Default: in this thread, by the planners that `plannerFor` knows. */
  readonly plan?:
    | ((instance: Instance, spec: string, seed: number) => Promise<Schedule>)
    | undefined;
  readonly mostOperations?: number | undefined;
  /** Told of every change, and of shops that were found in the log. */
  readonly onChange: (record: ShopRecord, change: ChangeAnswer | null) => void;
}

/** Settled instants of a shop that are kept in memory. */
const KEPT_TURNS = 32;

/** Creates the host of the shops of a thread over a log. */
export function createShopHost(options: ShopHostOptions): ShopHost {
  const { store, clock = systemClock, isMine = () => true, onChange, mostOperations } = options;
  const shops = new Map<string, Promise<KeptShop>>();
  const opening = new Map<string, Opening>();
  const leave = new AbortController();
  // Every shop listens.
  setMaxListeners(0, leave.signal);

  const open = async (id: string, fresh?: Parameters<typeof openShop>[0]): Promise<KeptShop> => {
    let lastChange = 0;
    let changed = deferred();
    let record: (() => ShopRecord) | undefined;
    // Of entries that come before the shop is there, the last change is told of then.
    const early: ChangeAnswer[] = [];
    let timeScale: TimeScale | null = fresh?.schedule?.instance.timeScale ?? null;
    const shop = await openShop({
      ...fresh,
      ...{ store, clock, runId: id, keepTurns: KEPT_TURNS, leave: leave.signal },
      onEntry(entry, story) {
        const change = changeOf(story, entry, timeScale);
        if (change === undefined) return;
        lastChange = entry.version;
        if (record === undefined) early.push(change);
        else queueMicrotask(() => onChange((record as () => ShopRecord)(), change));
        changed.resolve();
        changed = deferred();
      },
    });
    const { instance } = shop.schedule;
    timeScale = instance.timeScale;
    if (lastChange === 0) lastChange = shop.story.turns.at(-1)?.changedAt ?? 0;
    const began = beginOf(store, id);
    const kept = keepShop({
      ...{ id, shop, store, clock, began, mostOperations },
      lastChange: () => lastChange,
      nextChange: () => changed.promise,
    });
    const { summary } = kept;
    record = () => ({
      summary: summary(),
      nowUnits: shop.now,
      timeScale,
      clock: shop.story.input?.clock ?? null,
      began,
    });
    if (early.length === 0) onChange(record(), null);
    for (const change of early) onChange(record(), change);
    return kept;
  };
  const keep = (id: string, shop: Promise<KeptShop>): Promise<KeptShop> => {
    shops.set(id, shop);
    shop.catch(() => shops.delete(id));
    return shop;
  };
  const get = (id: string): Promise<KeptShop> => {
    const known = shops.get(id);
    if (known !== undefined) return known;
    if (!isShopInLog(store, id)) return Promise.reject(noShop(id));
    return keep(id, open(id));
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
  const begin = async (
    id: string,
    request: NewShopRequest,
    opened: TellerNote,
  ): Promise<KeptShop> => {
    const instance = requestedInstance(request.instance, mostOperations);
    const { seed = 0, policy, clock: pace } = request;
    const settings = {
      ...{ store, seed, opened },
      policy: policy === undefined ? undefined : requestedPolicy(policy, instance),
      shopClock: pace ? { speed: pace.speed, start: readStart(instance, pace) } : undefined,
    };
    const schedule =
      request.plan === undefined
        ? await (options.plan ?? planHere)(instance, request.planner ?? 'dispatch:best', seed)
        : requestedSchedule(request.plan, instance);
    return keep(id, open(id, { ...settings, schedule }));
  };
  return {
    get,
    async recover() {
      const owned: string[] = [];
      for (const id of store.runs()) {
        if (leave.signal.aborted) return;
        if (!isMine(id) || !isShopInLog(store, id)) continue;
        await get(id).catch((error) => isOwned(error) && owned.push(id));
      }
      void openLater(owned);
    },
    async create(id, request, teller) {
      const note = tellerNote(teller, request);
      const other = opening.get(id) ?? (isShopInLog(store, id) ? openedBy(store, id) : undefined);
      if (other !== undefined) {
        requireSameRequest(id, other, note);
        return (await (opening.get(id)?.shop ?? get(id))).summary();
      }
      const shop = begin(id, request, note);
      opening.set(id, { ...note, shop });
      return (await shop.finally(() => opening.delete(id))).summary();
    },
    async stop() {
      leave.abort();
      await Promise.allSettled(shops.values());
      // Runs that break off give themselves back a turn later.
      await new Promise((resolve) => setImmediate(resolve));
      store.close();
    },
  };
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

/** Plans in this thread. @throws InputError `unknown_planner` */
async function planHere(instance: Instance, spec: string, seed: number): Promise<Schedule> {
  const { createHeuristicPlanner } = await import('../../search/planners.js');
  const planner = createHeuristicPlanner(spec) ?? (await searchPlanner(spec));
  return asSchedule(instance, await planner.plan(instance, { seed }));
}

async function searchPlanner(spec: string) {
  const budget = /^search:(\d+(?:\.\d+)?)s$/.exec(spec.trim().toLowerCase())?.[1];
  if (budget === undefined || Number(budget) > MOST_SECONDS) {
    const problem = `there is no planner ${JSON.stringify(spec.slice(0, 80))} here`;
    const cure = `use dispatch:best, insertion, dispatch:RULE or search:Ns with at most ${MOST_SECONDS} seconds`;
    throw new InputError('unknown_planner', problem, cure, { path: '$.planner' }, spec);
  }
  const { createSearchPlanner } = await import('../../pipeline/planners/search-planner.js');
  return createSearchPlanner(`${budget}s`);
}

/** Seconds that a plan for a new shop may take in the thread of shops. */
const MOST_SECONDS = 10;

function isShopInLog(store: LogStore, id: string): boolean {
  const { workflow } = (firstEntry(store, id)?.payload ?? {}) as { workflow?: Workflow };
  return workflow !== undefined && isShop(workflow);
}

function firstEntry(store: LogStore, id: string): LogEntry | undefined {
  for (const entry of store.read({ runId: id, to: 0 })) return entry;
  return undefined;
}

function openedBy(store: LogStore, id: string): TellerNote {
  const payload = firstEntry(store, id)?.payload as unknown as { input: { opened?: TellerNote } };
  return payload.input.opened ?? {};
}

/** A shop that is being opened, and by which request. */
type Opening = TellerNote & { readonly shop: Promise<KeptShop> };

/** @throws AlasError `shop_exists`; InputError `other_request` */
function requireSameRequest(id: string, other: TellerNote, { key, asked }: TellerNote): void {
  if (key === undefined || other.key !== key) throw shopExists(id);
  if (other.asked !== asked) throw otherRequest(key);
}

function beginOf(store: LogStore, id: string): number {
  return Date.parse(firstEntry(store, id)?.ts ?? '');
}

/** A shop that there is not. */
export function noShop(id: string): InputError {
  return new InputError(
    'no_shop',
    `there is no shop ${JSON.stringify(id)}`,
    'see GET /shops',
    {},
    id,
  );
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
