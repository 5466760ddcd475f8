import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Clock, systemClock } from '@alas-jssp/core/clock';
import { AlasError, InputError, printableLine } from '@alas-jssp/core/errors';
import { isoTime } from '@alas-jssp/core/iso-time';
import { LANGUAGES, type Language } from '@alas-jssp/core/languages';
import { sha256 } from '@alas-jssp/core/sha256';
import { createMemoryStore, openSqliteStore } from '@alas-jssp/workflow';
import { paceTime } from 'alas-jssp/internal/service';
import type { DryRunAnswer, NewShopRequest, ShopSummary } from '../api/shop-schemas.js';
import { wireTime } from '../api/wire.js';
import type { TrialWork } from '../compute/thread.js';
import { noShop } from './caller-shops.js';
import { createChangeFeed, FOLLOWERS_BYTES } from './change-feed.js';
import type { KeptShop } from './kept-shop.js';
import { createLastReads } from './last-reads.js';
import { openQuarantine } from './quarantine.js';
import { callShop, type ShopMethod } from './shop-calls.js';
import type { KeyedCaller, ShopDirectory } from './shop-directory.js';
import { createShopHost, type ShopHostOptions } from './shop-host.js';
import { type ShopThreads, startShopThreads, threadBusy } from './shop-threads.js';
import type { ShopTrial } from './shop-trial.js';
import { runsInLog, type ShopRecord } from './shops-in-log.js';
import { tryOutPolicies } from './try-out.js';

/** The location and the limits of shops. */
export interface ShopDirectoryOptions {
  /** The directory of their log. Default: a temporary one that is removed with the service; without threads, memory. */
  readonly data?: string | undefined;
  /** The number of shop threads. Default: 0, shops run in the thread of the caller, without a watchdog. */
  readonly threads?: number | undefined;
  /** The most open shops. Default 1000. */
  readonly mostShops?: number | undefined;
  /** The most waiting requests of one caller per shop thread: beyond, `busy`. Default 64. */
  readonly mostWaiting?: number | undefined;
  /** Whether there are several callers, which share the threads fairly. */
  readonly isShared?: boolean | undefined;
  /** Computes the plan of a new shop without one. Default: the thread of the shop does. */
  readonly plan?:
    | ((request: NewShopRequest, by: KeyedCaller) => Promise<NewShopRequest['plan']>)
    | undefined;
  /** Computes a dry run. Default: the thread of the caller does. */
  readonly tryOut?: ((work: TrialWork, by: KeyedCaller) => Promise<DryRunAnswer>) | undefined;
  /** Time limit of a repair, in seconds; after twice as long the thread is ended, the shop quarantined. Default 5. */
  readonly seconds?: number | undefined;
  /** Memory of a thread, in megabytes. Default: that of Node. */
  readonly megabytes?: number | undefined;
  /** The most operations of an instance. */
  readonly mostOperations?: number | undefined;
  readonly clock?: Clock | undefined;
  /** Receives errors that ended a thread, which is restarted, and shops that cannot be opened. */
  readonly onFault?: ((error: unknown) => void) | undefined;
}

/** The log of shops in the data directory of a service. */
const LOG = 'shops.db';
/** The quarantined shops of that log. */
const QUARANTINE = 'quarantine.json';
/** The default time limit of a repair, in seconds. */
const USUAL_SECONDS = 5;
/** A shop is quarantined after its thread has ended this many times during its computation. */
const MOST_DEATHS = 2;

/**
 * Opens the shops of a service, and resumes those of its log. The directory is available before all of them are open
 * ({@link ShopDirectory.counts}).
 *
 * @throws InputError as `openSqliteStore` does
 */
export async function openShopDirectory(options: ShopDirectoryOptions): Promise<ShopDirectory> {
  const { clock = systemClock, threads = 0, mostShops = 1000, mostOperations } = options;
  const { mostWaiting = 64, isShared = false, plan, onFault = () => {} } = options;
  const { seconds = USUAL_SECONDS, megabytes } = options;
  const tryOut =
    options.tryOut ??
    (({ trial, policies }: TrialWork) => tryOutPolicies(trial, policies, { seconds }));
  // Threads share the log in a file, also without a data directory.
  const isTemporary = options.data === undefined && threads > 0;
  const data = isTemporary ? mkdtempSync(join(tmpdir(), 'alas-jssp-shops-')) : options.data;
  if (data !== undefined) mkdirSync(data, { recursive: true });
  const records = new Map<string, ShopRecord>();
  const quarantine = openQuarantine(data === undefined ? undefined : join(data, QUARANTINE));
  const troubles = new Map<string, string>();
  const followers = new SharedArrayBuffer(FOLLOWERS_BYTES);
  const feed = createChangeFeed(followers);
  const lastReads = createLastReads((id) => shops.busySeconds(id));
  const onChange: ShopHostOptions['onChange'] = (record, change) => {
    records.set(record.summary.id, record);
    troubles.delete(record.summary.id);
    lastReads.noteChange(record.summary.id);
    if (change === null) feed.rereadLog(record.summary.id);
    else feed.publish(record.summary.id, change);
  };
  const file = data === undefined ? undefined : join(data, LOG);
  const onTrouble = (id: string, error: unknown) => {
    const trouble = troubleOf(error);
    if (troubles.get(id) === trouble) return;
    troubles.set(id, trouble);
    const message = `the shop ${JSON.stringify(id)} cannot be opened: ${trouble}`;
    onFault(error instanceof AlasError ? new AlasError(error.code, message) : error);
  };
  const putInQuarantine = (id: string, reason: string) => {
    quarantine.add({ id, since: isoTime(clock.now()), reason });
    onFault(new AlasError('shop_quarantined', `the shop ${JSON.stringify(id)}: ${reason}`));
  };
  const onHang = (id: string, elapsed: number) =>
    putInQuarantine(id, `its computation did not return in ${elapsed.toFixed(1)} seconds`);
  const deaths = new Map<string, number>();
  const onDeath = (id: string, why: string) => {
    const count = (deaths.get(id) ?? 0) + 1;
    deaths.set(id, count);
    if (count < MOST_DEATHS) return;
    deaths.delete(id);
    putInQuarantine(id, `its thread ended ${count} times while it was computed: ${why}`);
  };
  const quarantined = () => quarantine.list().map(({ id }) => id);
  // The file is created and checked before several threads open it.
  const isEmpty = file !== undefined && isEmptyLog(file);
  const shops: ShopThreads =
    threads === 0 || file === undefined
      ? await startHere(file, {
          clock,
          mostOperations,
          mostWaiting,
          seconds,
          onChange,
          onTrouble,
          isQuarantined: (id) => quarantine.find(id) !== undefined,
        })
      : await startShopThreads(
          {
            file,
            threads,
            mostOperations,
            mostWaiting,
            isShared,
            seconds,
            megabytes,
            isEmpty,
            followers,
          },
          { onChange, onTrouble, onFault, onHang, onDeath, quarantined },
        );
  const summaryNow = (record: ShopRecord): ShopSummary => ({
    ...record.summary,
    now: wireTime(record.timeScale, timeOf(record, clock)),
  });
  let isStopped = false;
  const counts = () => {
    const open = [...records.values()].filter(({ summary }) => summary.status === 'open').length;
    return { open, opening: shops.opening };
  };
  const opened = async () => {
    while (shops.opening > 0 && !isStopped) await wait(LOOK, undefined, { ref: false });
  };
  void opened().then(() => {
    if (troubles.size > 0) onFault(manyTroubles(troubles.size, troubles.size + records.size));
  });
  const directoryFor = (caller: string, language: Language): ShopDirectory => {
    const ask = <M extends ShopMethod>(shop: string, method: M, ...args: Parameters<KeptShop[M]>) =>
      shops.call({ shop, method, args, language }, caller) as Promise<
        Awaited<ReturnType<KeptShop[M]>>
      >;
    const look = <M extends ShopMethod>(id: string, method: M, ...args: Parameters<KeptShop[M]>) =>
      lastReads.read(id, [language, method, ...args], () => ask(id, method, ...args));
    return {
      as: (other) => directoryFor(other, language),
      in: (other) => directoryFor(caller, other),
      counts,
      async create(request, by) {
        const { open } = counts();
        if (open >= mostShops) {
          const message = `${open} shops are open, which is the limit; close some`;
          throw new AlasError('too_many_shops', message);
        }
        const id = request.id ?? newId(by.key);
        const isPlanned = request.plan !== undefined || records.has(id);
        const made = isPlanned ? undefined : await plan?.(request, by);
        const args = [request, by, made];
        const answer = shops.call({ shop: id, method: 'create', args, language }, caller);
        return answer as Promise<ShopSummary>;
      },
      async list() {
        await opened();
        const well = [...records.values()].filter(
          ({ summary }) => !troubles.has(summary.id) && quarantine.find(summary.id) === undefined,
        );
        return [
          ...well.map(summaryNow),
          ...quarantine.list().map(({ id, since, reason }) => ({
            id,
            status: 'quarantined' as const,
            trouble: `${reason}, at ${since}`,
          })),
          ...[...troubles].map(([id, trouble]) => ({
            id,
            status: 'unavailable' as const,
            trouble,
          })),
        ];
      },
      state: (id, { next } = {}) => look(id, 'state', next),
      view: (id, version) => look(id, 'view', version),
      moves: (id, version, from) => look(id, 'moves', version, from),
      plan: (id, when) => look(id, 'plan', when),
      schedule: (id, version) => look(id, 'schedule', version),
      report: (id, request, by) => ask(id, 'report', request, by),
      reportJson(id, request, by) {
        const args = [request, by];
        const call = { shop: id, method: 'report', args, language, asJson: true } as const;
        return shops.call(call, caller) as Promise<string>;
      },
      async tryOut(id, request, by, policies) {
        const trial: ShopTrial = await ask(id, 'trial', request);
        return tryOut({ trial, policies, seconds }, by);
      },
      wish: (id, request, by) => ask(id, 'wish', request, by),
      undo: (id, request, by) => ask(id, 'undo', request, by),
      withdraw: (id, request, by) => ask(id, 'withdraw', request, by),
      approve: (id, name, by) => ask(id, 'answer', { name, approved: true, reason: '' }, by),
      decline: (id, name, reason, by) => ask(id, 'answer', { name, approved: false, reason }, by),
      close: (id, by) => ask(id, 'close', by),
      lastChanges: (id, instants) => ask(id, 'lastChanges', instants),
      story: (id, most) => ask(id, 'story', most),
      async *changes(id, after, signal) {
        if (records.get(id)?.isResting ?? !records.has(id)) await ask(id, 'summary');
        const hasEnded = () => records.get(id)?.summary.status !== 'open';
        const backlog = (from: number) => ask(id, 'changesAfter', from);
        yield* feed.follow(id, language, after, backlog, signal, hasEnded);
      },
      async release(id) {
        const isKnown = quarantine.find(id) !== undefined || records.has(id) || troubles.has(id);
        if (!isKnown) throw noShop(id);
        quarantine.release(id);
        shops.release(id);
      },
      load: () => ({ ...shops.load, quarantined: quarantine.list().length }),
      warmUp: () => shops.warmUp(),
      async stop() {
        isStopped = true;
        feed.end();
        await shops.stop();
        if (isTemporary) rmSync(data as string, { recursive: true, force: true });
      },
    };
  };
  return directoryFor('', LANGUAGES[0]);
}

/** The interval of checks whether all shops are open, in milliseconds. */
const LOOK = 20;

/** Runs shops in the thread of the caller. */
async function startHere(
  file: string | undefined,
  { mostWaiting, ...options }: Omit<ShopHostOptions, 'store'> & { readonly mostWaiting: number },
): Promise<ShopThreads> {
  const store = file === undefined ? createMemoryStore() : openSqliteStore(file);
  const host = createShopHost({ ...options, store });
  let opening = 0;
  await new Promise<void>((resolve, reject) => {
    const onOpening = (shops: number) => {
      opening = shops;
      resolve();
    };
    host.recover(onOpening).catch(reject);
  });
  let waiting = 0;
  return {
    get opening() {
      return opening;
    },
    async call(call, caller) {
      if (waiting >= mostWaiting) throw threadBusy(waiting, caller);
      waiting++;
      return callShop(host, call).finally(() => waiting--);
    },
    busySeconds: () => 0,
    load: { threads: [], isHanging: false },
    release: () => {},
    warmUp: () => {},
    stop: () => host.stop(),
  };
}

/** Creates the file of a log if there is none; returns whether it has no runs. */
function isEmptyLog(file: string): boolean {
  const store = openSqliteStore(file);
  try {
    return runsInLog(store).size === 0;
  } finally {
    store.close();
  }
}

/** Why a shop cannot be opened, without paths of this machine. */
function troubleOf(error: unknown): string {
  if (error instanceof InputError) return printableLine(error.problem);
  if (error instanceof AlasError) return printableLine(error.message);
  return 'this is an error of the service, see its log';
}

function manyTroubles(lost: number, all: number): AlasError {
  const message = `${lost} of ${all} shops of the log cannot be opened; check it with alas-jssp log verify`;
  return new AlasError('lost_shops', message);
}

/** The current time of a shop. */
function timeOf({ nowUnits, clock, began, timeScale, summary }: ShopRecord, wall: Clock): number {
  const time = paceTime(clock, wall.now() - began, timeScale);
  return summary.status === 'open' ? Math.max(nowUnits, time ?? 0) : nowUnits;
}

/** An id for a new shop without one; a repeated request gets the same id. */
function newId(key: string | undefined): string {
  return `shop-${(key === undefined ? randomUUID() : sha256(key)).slice(0, 8)}`;
}
