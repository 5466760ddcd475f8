import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { packError, type SentError } from '@alas-jssp/core/sent-error';
import { serveCalls } from '@alas-jssp/core/thread-calls';
import { isOwnerGone, openSqliteStore } from '@alas-jssp/workflow';
import { createBusyMarks } from './busy-marks.js';
import { hasFollowers } from './change-feed.js';
import { callShop, type ShopCall, type ShopThreadTask, threadOf } from './shop-calls.js';
import { createShopHost, type ShopHost, type ShopHostOptions } from './shop-host.js';
import { warmUpShops } from './warm-up-shops.js';

/** The thread that starts a thread of shops. */
interface ShopThreadCaller extends Pick<ShopHostOptions, 'onChange'> {
  /** Aborted when the thread must release its shops. */
  readonly stopped: AbortSignal;
  /** Receives the number of shops of the log that are not yet opened. */
  onOpening(shops: number): void;
  onTrouble(shop: string, error: SentError): void;
}

let host: ShopHost;
let closed: Set<string>;

/** Hosts the shops of this thread until it is stopped. */
async function hostShops(task: ShopThreadTask, caller: ShopThreadCaller): Promise<void> {
  const { file, place, threads, mostOperations, owner, gone, busy, seconds, quarantined } = task;
  const { followers } = task;
  const { stopped, onOpening, onChange, onTrouble } = caller;
  closed = new Set(quarantined);
  host = createShopHost({
    store: openSqliteStore(file),
    mostOperations,
    owner,
    seconds,
    marks: createBusyMarks(busy),
    isQuarantined: (id) => closed.has(id),
    isGone: (other) => gone.includes(other) || isOwnerGone(other),
    isMine: (id) => threadOf(id, threads) === place,
    isFollowed: () => hasFollowers(followers),
    onChange,
    onTrouble: (shop, error) => onTrouble(shop, packError(error)),
  });
  // After the number of its shops was sent, an idle thread warms up.
  void host
    .recover(onOpening)
    .then(() => nextTurn())
    .then(warmUpShops);
  if (!stopped.aborted) await once(stopped, 'abort');
  await host.stop();
}

const functions = {
  hostShops,
  call: (call: ShopCall) => callShop(host, call),
  /** Releases a shop from quarantine. */
  release: (shop: string) => closed.delete(shop),
};
/** The functions of a thread of shops. */
export type ShopFunctions = typeof functions;
serveCalls(functions);
