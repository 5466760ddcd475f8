import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { monotonicSeconds } from '../../core/clock.js';
import { AlasError } from '../../core/errors.js';
import { unpackError } from '../../core/sent-error.js';
import { newOwner } from '../../workflow/hosts/owner.js';
import {
  type ShopCall,
  type ShopThreadMessage,
  type ShopThreadOrder,
  type ShopThreadTask,
  threadOf,
} from './shop-calls.js';
import type { ShopHostOptions } from './shop-host.js';

/** Shops in other threads, by the thread that each is pinned to. */
export interface ShopThreads {
  call(shop: string, method: ShopCall['method'], args: readonly unknown[]): Promise<unknown>;
  /** Shops of the log that are still to be opened. */
  readonly opening: number;
  /** Has all threads give their shops back, and ends them. */
  stop(): Promise<void>;
}

/** Those who are told of changes, and of what brought a thread down. */
interface ShopThreadListeners {
  readonly onChange: ShopHostOptions['onChange'];
  readonly onTrouble?: ShopHostOptions['onTrouble'];
  readonly onFault: (error: unknown) => void;
}

/** The parts of the task of threads that are the same for all of them, and how many calls of each may wait. */
type ThreadsTask = Omit<ShopThreadTask, 'place' | 'owner' | 'gone'> & {
  readonly mostWaiting: number;
};

/** Milliseconds between two begins of a thread that dies soon, and until one that does not stop is ended. */
const PAUSE = 500;
const PATIENCE = 10_000;

/**
 * Starts threads of shops over a log; settles once all are warm and know their shops, which they go on opening.
 *
 * @throws whatever brings a thread down before that: the others are ended then
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
    call: (shop, method, args) => threads[threadOf(shop, threads.length)].call(shop, method, args),
    get opening() {
      return threads.reduce((sum, { opening }) => sum + opening(), 0);
    },
    stop,
  };
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

function startShopThread(
  { mostWaiting, ...task }: ThreadsTask & Pick<ShopThreadTask, 'place'>,
  { onChange, onTrouble, onFault }: ShopThreadListeners,
) {
  const pending = new Map<number, Pending>();
  // The names under which threads before this one had the shops: nobody has to wait for their leases.
  const gone: string[] = [];
  let last = 0;
  let opening = 0;
  let isStopping = false;
  /** Undefined between the end of a thread and the next one. */
  let worker: Worker | undefined;
  let restart: NodeJS.Timeout | undefined;
  let settle: Pending = { resolve: () => {}, reject: () => {} };
  let isStarted = false;
  const started = new Promise<void>((resolve, reject) => {
    settle = { resolve: () => resolve(), reject };
  });
  const take = (message: ShopThreadMessage): void => {
    if (message.kind === 'change') onChange(...message.told);
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
  const start = (): void => {
    const owner = newOwner();
    const begun = monotonicSeconds();
    const workerData: ShopThreadTask = { ...task, owner, gone };
    worker = new Worker(createRequire(import.meta.url).resolve('#shop-thread'), { workerData });
    worker.on('message', (messages: readonly ShopThreadMessage[]) => messages.forEach(take));
    worker.on('error', (error) => {
      if (isStarted) onFault(error);
      else settle.reject(error);
    });
    worker.once('exit', () => {
      worker = undefined;
      gone.push(owner);
      for (const one of pending.values()) one.reject(threadEnded());
      pending.clear();
      if (!isStarted || isStopping) return;
      const lived = 1000 * (monotonicSeconds() - begun);
      restart = setTimeout(start, lived > PAUSE ? 0 : PAUSE);
    });
  };
  const order = (message: ShopThreadOrder): void => worker?.postMessage(message);
  start();
  return {
    started,
    opening: () => opening,
    call: (shop: string, method: ShopCall['method'], args: readonly unknown[]) =>
      new Promise<unknown>((resolve, reject) => {
        if (worker === undefined) throw threadEnded();
        if (pending.size >= mostWaiting) throw threadBusy(pending.size);
        const number = ++last;
        pending.set(number, { resolve, reject });
        order({ kind: 'call', number, shop, method, args });
      }),
    async stop() {
      isStopping = true;
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

function threadEnded(): AlasError {
  return new AlasError('shop_opening', 'the thread of the shop has ended; try again');
}

/** A call beyond those that may wait: nothing of it was begun, and it may be made again. */
export function threadBusy(waiting: number): AlasError {
  const message = `${waiting} requests wait for the thread of the shop, and no more may; nothing was written, try again`;
  return new AlasError('busy', message);
}
