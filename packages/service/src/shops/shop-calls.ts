import type { Language } from '@alas-jssp/core/languages';
import type { NewShopRequest } from '../api/shop-schemas.js';
import type { KeptShop } from './kept-shop.js';
import type { KeyedCaller } from './shop-directory.js';
import type { ShopHost } from './shop-host.js';

/** The name of a method of {@link KeptShop}, for calls to this or another thread. */
export type ShopMethod = Exclude<keyof KeptShop, 'in'>;

/** A call to the thread of a shop. */
export interface ShopCall {
  readonly shop: string;
  readonly method: ShopMethod | 'create';
  readonly args: readonly unknown[];
  /** The language of sentences in its answer. */
  readonly language: Language;
  /** Whether the answer is JSON text: a thread makes and sends it in less time than a copy. */
  readonly asJson?: boolean | undefined;
}

/** The task of a thread of shops. */
export interface ShopThreadTask {
  /** The file of the log. */
  readonly file: string;
  /** The index of the thread, and the number of threads. */
  readonly place: number;
  readonly threads: number;
  readonly mostOperations: number | undefined;
  /** The owner of its shops in the log, and the owners that are known to have ended. */
  readonly owner: string;
  readonly gone: readonly string[];
  /** Memory shared with the watching thread: see `createBusyMarks`. */
  readonly busy: SharedArrayBuffer;
  /** Time limit of a repair, in seconds. */
  readonly seconds: number;
  /** Shops that are not opened. */
  readonly quarantined: readonly string[];
  /** Shared memory with the number of followers of changes. */
  readonly followers: SharedArrayBuffer;
}

/** The thread of a shop, by its id: FNV-1a (Fowler, Noll, Vo). */
export function threadOf(id: string, threads: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193) >>> 0;
  return hash % threads;
}

/** Calls a method of a shop of a host. */
export async function callShop(
  host: ShopHost,
  { shop: id, method, args, language, asJson = false }: ShopCall,
): Promise<unknown> {
  if (method === 'create') {
    const [request, by, plan] = args as [NewShopRequest, KeyedCaller, NewShopRequest['plan']];
    return marked(host, id, () => host.create(id, request, by, plan));
  }
  const shop = (await host.get(id)).in(language);
  const answer = await marked(host, id, () =>
    (shop[method] as (...all: readonly unknown[]) => unknown)(...args),
  );
  return asJson ? JSON.stringify(answer) : answer;
}

/** Computes for a shop, with a busy mark. */
function marked<T>(host: ShopHost, id: string, compute: () => T): T {
  const end = host.mark(id);
  try {
    return compute();
  } finally {
    end();
  }
}
