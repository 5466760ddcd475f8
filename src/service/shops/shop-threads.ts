import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { AlasError } from '../../core/errors.js';
import {
  receiveFailure,
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

/** Milliseconds after which a thread that has died begins anew, and a thread that does not stop is ended. */
const PAUSE = 500;
const PATIENCE = 10_000;

/** Starts threads of shops over a log; settles once all shops of the log are open. */
export async function startShopThreads(
  task: Omit<ShopThreadTask, 'place'>,
  onChange: ShopHostOptions['onChange'],
): Promise<ShopThreads> {
  const threads = Array.from({ length: task.threads }, (_, place) =>
    startShopThread({ ...task, place }, onChange),
  );
  await Promise.all(threads.map(({ recovered }) => recovered));
  return {
    call: (shop, method, args) => threads[threadOf(shop, threads.length)].call(shop, method, args),
    async stop() {
      await Promise.all(threads.map((thread) => thread.stop()));
    },
  };
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

function startShopThread(task: ShopThreadTask, onChange: ShopHostOptions['onChange']) {
  const pending = new Map<number, Pending>();
  let last = 0;
  let isStopping = false;
  let worker: Worker;
  let restart: NodeJS.Timeout | undefined;
  let settle: Pending = { resolve: () => {}, reject: () => {} };
  const recovered = new Promise<void>((resolve, reject) => {
    settle = { resolve: () => resolve(), reject };
  });
  const take = (message: ShopThreadMessage): void => {
    if (message.kind === 'change') onChange(...message.told);
    if (message.kind === 'recovered') settle.resolve(undefined);
    if (message.kind !== 'answer' && message.kind !== 'failure') return;
    const one = pending.get(message.number);
    pending.delete(message.number);
    if (message.kind === 'answer') one?.resolve(message.value);
    else one?.reject(receiveFailure(message.failure));
  };
  const start = (): void => {
    worker = new Worker(createRequire(import.meta.url).resolve('#shop-thread'), {
      workerData: task,
    });
    worker.on('message', take);
    // Its end says all there is to do.
    worker.on('error', (error) => settle.reject(error));
    worker.once('exit', () => {
      const error = new AlasError('shop_opening', 'the thread of the shop has ended; try again');
      for (const one of pending.values()) one.reject(error);
      pending.clear();
      if (!isStopping) restart = setTimeout(start, PAUSE);
    });
  };
  const order = (message: ShopThreadOrder): void => worker.postMessage(message);
  start();
  return {
    recovered,
    call: (shop: string, method: ShopCall['method'], args: readonly unknown[]) =>
      new Promise<unknown>((resolve, reject) => {
        const number = ++last;
        pending.set(number, { resolve, reject });
        order({ kind: 'call', number, shop, method, args });
      }),
    async stop() {
      isStopping = true;
      clearTimeout(restart);
      const ended = new Promise<void>((resolve) => void worker.once('exit', () => resolve()));
      order({ kind: 'stop' });
      const late = setTimeout(() => void worker.terminate(), PATIENCE);
      await ended;
      clearTimeout(late);
    },
  };
}
