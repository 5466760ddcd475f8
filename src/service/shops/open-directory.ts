import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../core/clock.js';
import { AlasError } from '../../core/errors.js';
import { sha256 } from '../../core/sha256.js';
import { createMemoryStore, openSqliteStore } from '../../workflow/index.js';
import type { ChangeAnswer, ShopSummary } from '../api/shop-schemas.js';
import { wireTime } from '../api/wire.js';
import { createChangeFeed } from './change-feed.js';
import type { ShopDirectory } from './shop-directory.js';
import { createShopHost, noShop, type ShopRecord } from './shop-host.js';
import { paceTime } from './shop-time.js';

/** Where shops are kept, and how many. */
export interface ShopDirectoryOptions {
  /** The directory of their log. Default: none, in memory. */
  readonly data?: string | undefined;
  /** Threads that shops are shared among. Default: none, they are in that of the caller. */
  readonly threads?: number | undefined;
  /** Open shops at most. Default 1000. */
  readonly mostShops?: number | undefined;
  /** Operations of an instance at most. */
  readonly mostOperations?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** The log of the shops in the directory of a service. */
const LOG = 'shops.db';

/**
 * Opens the shops of a service: those of its log are gone on with, whatever process had them.
 *
 * @throws InputError as `openSqliteStore` does
 */
export async function openShopDirectory(options: ShopDirectoryOptions): Promise<ShopDirectory> {
  const { data, clock = systemClock, mostShops = 1000, mostOperations } = options;
  if (data !== undefined) mkdirSync(data, { recursive: true });
  const store = data === undefined ? createMemoryStore() : openSqliteStore(join(data, LOG));
  const records = new Map<string, ShopRecord>();
  const feed = createChangeFeed();
  const onChange = (record: ShopRecord, change: ChangeAnswer | null) => {
    records.set(record.summary.id, record);
    if (change !== null) feed.tell(record.summary.id, change);
  };
  const host = createShopHost({ store, clock, mostOperations, onChange });
  await host.recover();
  const summaryNow = (record: ShopRecord): ShopSummary => ({
    ...record.summary,
    now: wireTime(record.timeScale, timeOf(record, clock)),
  });
  return {
    async create(request, teller) {
      const open = [...records.values()].filter(({ summary }) => summary.status === 'open').length;
      if (open >= mostShops) {
        const message = `${open} shops are open, and no more are taken; close some`;
        throw new AlasError('too_many_shops', message);
      }
      return host.create(request.id ?? newId(teller.key), request, teller);
    },
    list: () => [...records.values()].map(summaryNow),
    state: async (id, { next } = {}) => (await host.get(id)).state(next),
    view: async (id, version) => (await host.get(id)).view(version),
    plan: async (id, when) => (await host.get(id)).plan(when),
    report: async (id, request, teller) => (await host.get(id)).report(request, teller),
    tryOut: async (id, request, policies) => (await host.get(id)).tryOut(request, policies),
    wish: async (id, request, teller) => (await host.get(id)).wish(request, teller),
    undo: async (id, request, teller) => (await host.get(id)).undo(request, teller),
    approve: async (id, name, teller) =>
      (await host.get(id)).answer({ name, approved: true, reason: '' }, teller),
    decline: async (id, name, reason, teller) =>
      (await host.get(id)).answer({ name, approved: false, reason }, teller),
    close: async (id, teller) => (await host.get(id)).close(teller),
    story: async (id, most) => (await host.get(id)).story(most),
    async *changes(id, after, signal) {
      if (!records.has(id)) throw noShop(id);
      const backlog = async (from: number) => (await host.get(id)).changesAfter(from);
      const hasEnded = () => records.get(id)?.summary.status !== 'open';
      yield* feed.follow(id, after, backlog, signal, hasEnded);
    },
    async stop() {
      feed.end();
      await host.stop();
    },
  };
}

/** The time of a shop by its clock. */
function timeOf({ nowUnits, clock, began, timeScale, summary }: ShopRecord, wall: Clock): number {
  const time = paceTime(clock, wall.now() - began, timeScale);
  return summary.status === 'open' ? Math.max(nowUnits, time ?? 0) : nowUnits;
}

/** An id for a shop that has none: of one request always the same. */
function newId(key: string | undefined): string {
  return `shop-${(key === undefined ? randomUUID() : sha256(key)).slice(0, 8)}`;
}
