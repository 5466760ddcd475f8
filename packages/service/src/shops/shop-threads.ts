import { setMaxListeners } from 'node:events';
import { monotonicSeconds } from '@alas-jssp/core/clock';
import { AlasError, errorLine } from '@alas-jssp/core/errors';
import { type SentError, unpackError } from '@alas-jssp/core/sent-error';
import { startThread, type Thread, ThreadEnd } from '@alas-jssp/core/thread-calls';
import { newOwner } from '@alas-jssp/workflow';
import { createTurns } from '../compute/turns.js';
import { BUSY_BYTES, readBusyMark, watchThread } from './busy-marks.js';
import { type ShopCall, type ShopThreadTask, threadOf } from './shop-calls.js';
import type { ShopLoad } from './shop-directory.js';
import type { ShopHostOptions } from './shop-host.js';
import type { ShopFunctions } from './shop-thread.js';

/** The threads of shops; each shop belongs to one thread. */
export interface ShopThreads {
  /** @param caller the name of the caller, which has its own queue */
  call(call: ShopCall, caller: string): Promise<unknown>;
  /** The number of shops of the log that are not yet opened. */
  readonly opening: number;
  /** Seconds since the thread of a shop began its computation; 0 if it is idle. */
  busySeconds(shop: string): number;
  readonly load: Omit<ShopLoad, 'quarantined'>;
  /** Releases a shop from quarantine. */
  release(shop: string): void;
  /** Starts the threads that no call has started. */
  warmUp(): void;
  /** Makes all threads release their shops, and ends them. */
  stop(): Promise<void>;
}

/** The listeners for changes and for failures of threads. */
interface ShopThreadListeners {
  readonly onChange: ShopHostOptions['onChange'];
  readonly onTrouble?: ShopHostOptions['onTrouble'];
  readonly onFault: (error: unknown) => void;
  /** Notified of a shop whose computation did not return within these seconds; its thread is ended. */
  readonly onHang: (shop: string, seconds: number) => void;
  /** Notified of a shop that was computed when its thread ended by itself, and why it ended. */
  readonly onDeath: (shop: string, reason: string) => void;
  /** Shops that are not opened. */
  readonly quarantined: () => readonly string[];
}

/** The common task of all threads, and the limits of calls. */
type ThreadsTask = Omit<ShopThreadTask, 'place' | 'owner' | 'gone' | 'busy' | 'quarantined'> & {
  /** The most waiting calls of one caller per thread. */
  readonly mostWaiting: number;
  /** Whether there are several callers. */
  readonly isShared?: boolean;
  /** Memory of each thread, in megabytes. Default: that of Node. */
  readonly megabytes?: number | undefined;
  /** Whether the log has no shops; then each thread starts with its first call. */
  readonly isEmpty?: boolean;
};

/** The pause before a thread that ended early restarts, in milliseconds; doubled each time up to the longest pause. */
const PAUSE = 500;
const LONGEST_PAUSE = 8_000;
/** Milliseconds after which a thread that does not stop is terminated. */
const PATIENCE = 10_000;

/** Checks per time limit of a repair, and the multiple of the limit after which a thread is terminated. */
const LOOKS = 10;
const HANGING = 2;

/** The most concurrent calls of a thread, one per caller if there are several; other calls are queued. */
const SENT = 4;

/**
 * Starts threads of shops over a log; settles once all are warm and know their shops, which they continue to open.
 *
 * @throws the error that ends a thread before that; the other threads are then ended
 */
export async function startShopThreads(
  task: ThreadsTask,
  listeners: ShopThreadListeners,
): Promise<ShopThreads> {
  const threads = Array.from({ length: task.threads }, (_, place) =>
    startShopThread({ ...task, place }, listeners),
  );
  const stop = async () => {
    await Promise.all(threads.map((thread) => thread.stop()));
  };
  try {
    await Promise.all(threads.map(({ started }) => started));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    call: (call, caller) => threads[threadOf(call.shop, threads.length)].call(call, caller),
    busySeconds: (shop) => threads[threadOf(shop, threads.length)].load().busy_seconds,
    get load() {
      const loads = threads.map((thread) => thread.load());
      const isHanging = loads.some(({ busy_seconds }) => busy_seconds > task.seconds);
      return { threads: loads, isHanging };
    },
    release: (shop) => threads[threadOf(shop, threads.length)].release(shop),
    warmUp: () => {
      for (const thread of threads) thread.begin();
    },
    get opening() {
      return threads.reduce((sum, { opening }) => sum + opening(), 0);
    },
    stop,
  };
}

function startShopThread(
  {
    mostWaiting,
    isShared = false,
    isEmpty = false,
    megabytes,
    ...task
  }: ThreadsTask & Pick<ShopThreadTask, 'place'>,
  { onChange, onTrouble, onFault, onHang, onDeath, quarantined }: ShopThreadListeners,
) {
  const turns = createTurns(SENT, isShared ? 1 : SENT);
  const waiting = new Map<string, number>();
  // The owner names of earlier threads, whose leases can be taken over at once.
  const gone: string[] = [];
  let opening = 0;
  const ending = new AbortController();
  // Every waiting call adds a listener.
  setMaxListeners(0, ending.signal);
  /** Undefined between the end of a thread and the next one. */
  let thread: Thread<ShopFunctions> | undefined;
  /** Resolves when the end of the thread is dealt with. */
  let life = Promise.resolve();
  let restart: NodeJS.Timeout | undefined;
  let isStarted = isEmpty;
  let isBegun = false;
  let pause = PAUSE;
  let first = { resolve: () => {}, reject: (_: Error) => {} };
  const started = new Promise<void>((resolve, reject) => {
    first = { resolve, reject };
  });
  /** The shop whose computation did not return. */
  let hanging: string | undefined;
  let watch = watchThread(new SharedArrayBuffer(BUSY_BYTES));
  const look = setInterval(
    () => {
      const { shop, seconds } = watch();
      if (shop === undefined || seconds <= HANGING * task.seconds || hanging !== undefined) return;
      hanging = shop;
      onHang(shop, seconds);
      void thread?.close();
    },
    (1000 * task.seconds) / LOOKS,
  ).unref();
  const caller = {
    stopped: ending.signal,
    onOpening(shops: number) {
      opening = shops;
      isStarted = true;
      first.resolve();
    },
    onChange,
    onTrouble: (shop: string, error: SentError) => onTrouble?.(shop, unpackError(error)),
  };
  const host = async (): Promise<void> => {
    const owner = newOwner();
    const begun = monotonicSeconds();
    const busy = new SharedArrayBuffer(BUSY_BYTES);
    watch = watchThread(busy);
    hanging = undefined;
    const own = startThread<ShopFunctions>('#shop-thread', import.meta.url, { megabytes });
    thread = own;
    const error = await own.calls
      .hostShops({ ...task, owner, gone, busy, quarantined: quarantined() }, caller)
      .catch((thrown: Error) => thrown);
    await own.close();
    thread = undefined;
    gone.push(owner);
    watch = watchThread(new SharedArrayBuffer(BUSY_BYTES));
    const isOurs = hanging !== undefined || ending.signal.aborted;
    if (error !== undefined && !isOurs) {
      const computed = readBusyMark(busy)?.shop;
      if (computed !== undefined) onDeath(computed, reasonOf(error));
      if (!isStarted) first.reject(error);
      else if (!isExit(error)) onFault(threadFailed(task.place, error));
    }
    if (!isStarted || ending.signal.aborted) return;
    const lived = 1000 * (monotonicSeconds() - begun);
    restart = setTimeout(start, lived > PAUSE ? 0 : pause);
    pause = lived > PAUSE ? PAUSE : Math.min(2 * pause, LONGEST_PAUSE);
  };
  const start = (): void => {
    isBegun = true;
    life = host();
  };
  const begin = () => {
    if (!isBegun && !ending.signal.aborted) start();
  };
  const send = async (call: ShopCall): Promise<unknown> => {
    if (thread === undefined) throw threadEnded();
    const ended = life;
    try {
      return await thread.calls.call(call);
    } catch (error) {
      if (!(error instanceof ThreadEnd)) throw error;
      await ended;
      throw quarantined().includes(call.shop) ? computationEnded(call.shop) : threadEnded();
    }
  };
  if (isEmpty) first.resolve();
  else begin();
  return {
    started,
    begin,
    opening: () => opening,
    load: () => ({
      busy_seconds: watch().seconds,
      waiting: Array.from(waiting.values()).reduce((sum, own) => sum + own, 0),
    }),
    release: (shop: string) => void thread?.calls.release(shop).catch(() => {}),
    async call(call: ShopCall, caller: string): Promise<unknown> {
      begin();
      if (thread === undefined) throw threadEnded();
      const own = waiting.get(caller) ?? 0;
      if (own >= mostWaiting) throw threadBusy(own, caller);
      waiting.set(caller, own + 1);
      try {
        return await turns.take(caller, ending.signal, () => send(call));
      } finally {
        const left = (waiting.get(caller) ?? 1) - 1;
        if (left > 0) waiting.set(caller, left);
        else waiting.delete(caller);
      }
    },
    async stop() {
      ending.abort(threadEnded());
      clearInterval(look);
      clearTimeout(restart);
      const late = setTimeout(() => void thread?.close(), PATIENCE);
      await life;
      clearTimeout(late);
    },
  };
}

function isExit(error: Error): boolean {
  return error instanceof ThreadEnd && error.code === 'thread_exited';
}

/** Why a thread ended, in words. */
function reasonOf(error: Error): string {
  if (isExit(error)) return 'it ended';
  return 'code' in error && error.code === 'thread_out_of_memory' ? 'out of memory' : 'an error';
}

function threadFailed(place: number, error: unknown): AlasError {
  const message = `thread ${place + 1} of the shops ended and is restarted: ${errorLine(error)}`;
  return new AlasError('thread_failed', message);
}

function computationEnded(shop: string): AlasError {
  const message = `the computation of the shop ${JSON.stringify(shop)} did not return; the shop is in quarantine: GET /shops says why`;
  return new AlasError('shop_quarantined', message);
}

function threadEnded(): AlasError {
  return new AlasError('shop_opening', 'the thread of the shop has ended; try again');
}

/** The error for too many waiting calls of a caller: the call was not started and can be repeated. */
export function threadBusy(waiting: number, caller = ''): AlasError {
  const by = caller === '' ? '' : ` of '${caller}'`;
  const message = `${waiting} requests${by} wait for the thread of the shop, which is the limit; nothing was written, try again`;
  return new AlasError('busy', message);
}
