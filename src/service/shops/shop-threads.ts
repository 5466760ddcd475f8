import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { AlasError } from '../../core/errors.js';
import { unpackError } from '../../core/sent-error.js';
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
  /** Has all threads give their shops back, and ends them. */
  stop(): Promise<void>;
}

/** Those who are told of changes, and of what brought a thread down. */
interface ShopThreadListeners {
  readonly onChange: ShopHostOptions['onChange'];
  readonly onFault: (error: unknown) => void;
}

/** Milliseconds after which a thread that has died begins anew, and a thread that does not stop is ended. */
const PAUSE = 500;
const PATIENCE = 10_000;

/**
 * Starts threads of shops over a log; settles once all shops of the log are open.
 *
 * @throws whatever brings a thread down before that: the others are ended then
 */
export async function startShopThreads(
  task: Omit<ShopThreadTask, 'place'>,
  listeners: ShopThreadListeners,
): Promise<ShopThreads> {
  const threads = Array.from({ length: task.threads }, (_, place) =>
    startShopThread({ ...task, place }, listeners),
  );
  const stop = async () => {
    await Promise.all(threads.map((thread) => thread.stop()));
  };
  try {
    await Promise.all(threads.map(({ recovered }) => recovered));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    call: (shop, method, args) => threads[threadOf(shop, threads.length)].call(shop, method, args),
    stop,
  };
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

function startShopThread(task: ShopThreadTask, { onChange, onFault }: ShopThreadListeners) {
  const pending = new Map<number, Pending>();
  let last = 0;
  let isStopping = false;
  /** Undefined between the end of a thread and the next one. */
  let worker: Worker | undefined;
  let restart: NodeJS.Timeout | undefined;
  let settle: Pending = { resolve: () => {}, reject: () => {} };
  let isRecovered = false;
  const recovered = new Promise<void>((resolve, reject) => {
    settle = { resolve: () => resolve(), reject };
  });
  const take = (message: ShopThreadMessage): void => {
    if (message.kind === 'change') onChange(...message.told);
    if (message.kind === 'recovered') {
      isRecovered = true;
      settle.resolve(undefined);
    }
    if (message.kind !== 'answer' && message.kind !== 'failure') return;
    const one = pending.get(message.number);
    pending.delete(message.number);
    if (message.kind === 'answer') one?.resolve(message.value);
    else one?.reject(unpackError(message.failure));
  };
  const start = (): void => {
    worker = new Worker(createRequire(import.meta.url).resolve('#shop-thread'), {
      workerData: task,
    });
    worker.on('message', take);
    worker.on('error', (error) => {
      if (isRecovered) onFault(error);
      else settle.reject(error);
    });
    worker.once('exit', () => {
      worker = undefined;
      for (const one of pending.values()) one.reject(threadEnded());
      pending.clear();
      if (isRecovered && !isStopping) restart = setTimeout(start, PAUSE);
    });
  };
  const order = (message: ShopThreadOrder): void => worker?.postMessage(message);
  start();
  return {
    recovered,
    call: (shop: string, method: ShopCall['method'], args: readonly unknown[]) =>
      new Promise<unknown>((resolve, reject) => {
        if (worker === undefined) throw threadEnded();
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
