import { setMaxListeners } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { monotonicSeconds } from '@alas-jssp/core/clock';
import { AlasError, errorLine } from '@alas-jssp/core/errors';
import { unpackError } from '@alas-jssp/core/sent-error';
import { newOwner } from '@alas-jssp/workflow';
import { createTurns } from '../compute/turns.js';
import { BUSY_BYTES, readBusyMark, watchThread } from './busy-marks.js';
import {
  type ShopCall,
  type ShopThreadMessage,
  type ShopThreadOrder,
  type ShopThreadTask,
  threadOf,
} from './shop-calls.js';
import type { ShopLoad } from './shop-directory.js';
import type { ShopHostOptions } from './shop-host.js';

/** The threads of shops; each shop belongs to one thread. */
export interface ShopThreads {
  /** @param caller the name of the caller, which has its own queue */
  call(call: Omit<ShopCall, 'number'>, caller: string): Promise<unknown>;
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

interface Pending {
  readonly shop: string;
  resolve(value: unknown): void;
  reject(error: Error): void;
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
  const pending = new Map<number, Pending>();
  const turns = createTurns(SENT, isShared ? 1 : SENT);
  const waiting = new Map<string, number>();
  // The owner names of earlier threads, whose leases can be taken over at once.
  const gone: string[] = [];
  let last = 0;
  let opening = 0;
  const ending = new AbortController();
  // Every waiting call adds a listener.
  setMaxListeners(0, ending.signal);
  /** Undefined between the end of a thread and the next one. */
  let worker: Worker | undefined;
  let restart: NodeJS.Timeout | undefined;
  let settle: Omit<Pending, 'shop'> = { resolve: () => {}, reject: () => {} };
  let isStarted = isEmpty;
  let isBegun = false;
  let pause = PAUSE;
  const started = new Promise<void>((resolve, reject) => {
    settle = { resolve: () => resolve(), reject };
  });
  const take = (message: ShopThreadMessage): void => {
    if (message.kind === 'change') onChange(...message.args);
    if (message.kind === 'trouble') onTrouble?.(message.shop, unpackError(message.failure));
    if (message.kind === 'opening') {
      opening = message.shops;
      isStarted = true;
      settle.resolve(undefined);
    }
    if (message.kind !== 'answer' && message.kind !== 'failure') return;
    const one = pending.get(message.number);
    pending.delete(message.number);
    if (message.kind === 'answer') one?.resolve(message.value);
    else one?.reject(unpackError(message.failure));
  };
  /** The shop whose computation did not return. */
  let hanging: string | undefined;
  let watch = watchThread(new SharedArrayBuffer(BUSY_BYTES));
  const look = setInterval(
    () => {
      const { shop, seconds } = watch();
      if (shop === undefined || seconds <= HANGING * task.seconds || hanging !== undefined) return;
      hanging = shop;
      onHang(shop, seconds);
      void worker?.terminate();
    },
    (1000 * task.seconds) / LOOKS,
  ).unref();
  const startAfter = (milliseconds: number): void => {
    if (ending.signal.aborted) return;
    restart = setTimeout(start, milliseconds);
    pause = milliseconds === 0 ? PAUSE : Math.min(2 * pause, LONGEST_PAUSE);
  };
  const fail = (error: unknown): void => {
    if (isStarted) onFault(threadFailed(task.place, error));
    else settle.reject(error as Error);
  };
  const start = (): void => {
    isBegun = true;
    const owner = newOwner();
    const begun = monotonicSeconds();
    const busy = new SharedArrayBuffer(BUSY_BYTES);
    watch = watchThread(busy);
    hanging = undefined;
    const workerData = { ...task, owner, gone, busy, quarantined: quarantined() };
    try {
      worker = new Worker(createRequire(import.meta.url).resolve('#shop-thread'), {
        workerData: workerData satisfies ShopThreadTask,
        resourceLimits: megabytes === undefined ? {} : { maxOldGenerationSizeMb: megabytes },
      });
    } catch (error) {
      // The file of the thread is missing while another version of the program is being installed.
      fail(error);
      if (isStarted) startAfter(pause);
      return;
    }
    let reason = 'it ended';
    worker.on('message', (messages: readonly ShopThreadMessage[]) => messages.forEach(take));
    worker.on('error', (error) => {
      const { code } = error as { code?: string };
      reason = code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out of memory' : 'an error';
      fail(error);
    });
    worker.once('exit', () => {
      worker = undefined;
      gone.push(owner);
      watch = watchThread(new SharedArrayBuffer(BUSY_BYTES));
      const computed = readBusyMark(busy)?.shop;
      const isOurs = hanging !== undefined || ending.signal.aborted;
      if (computed !== undefined && !isOurs) onDeath(computed, reason);
      const closed = new Set(quarantined());
      for (const one of pending.values()) {
        one.reject(closed.has(one.shop) ? computationEnded(one.shop) : threadEnded());
      }
      pending.clear();
      if (!isStarted) return;
      const lived = 1000 * (monotonicSeconds() - begun);
      startAfter(lived > PAUSE ? 0 : pause);
    });
  };
  const order = (message: ShopThreadOrder): void => worker?.postMessage(message);
  const begin = () => {
    if (!isBegun && !ending.signal.aborted) start();
  };
  const send = (call: Omit<ShopCall, 'number'>) =>
    new Promise<unknown>((resolve, reject) => {
      if (worker === undefined) throw threadEnded();
      const number = ++last;
      pending.set(number, { shop: call.shop, resolve, reject });
      order({ kind: 'call', number, ...call });
    });
  if (isEmpty) settle.resolve(undefined);
  else begin();
  return {
    started,
    begin,
    opening: () => opening,
    load: () => ({
      busy_seconds: watch().seconds,
      waiting: Array.from(waiting.values()).reduce((sum, own) => sum + own, 0),
    }),
    release: (shop: string) => order({ kind: 'release', shop }),
    async call(call: Omit<ShopCall, 'number'>, caller: string): Promise<unknown> {
      begin();
      if (worker === undefined) throw threadEnded();
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
      if (worker === undefined) return;
      const running = worker;
      const ended = new Promise<void>((resolve) => void running.once('exit', () => resolve()));
      order({ kind: 'stop' });
      const late = setTimeout(() => void running.terminate(), PATIENCE);
      await ended;
      clearTimeout(late);
    },
  };
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
