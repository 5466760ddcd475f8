import { AlasError, InputError } from '../../core/errors.js';
import type { NewShopRequest } from '../api/shop-schemas.js';
import type { KeptShop } from './kept-shop.js';
import type { Teller } from './shop-directory.js';
import type { ShopHost, ShopHostOptions } from './shop-host.js';

/** The calls that shops answer, in this thread or another: by the name of a method of {@link KeptShop}. */
export type ShopMethod = keyof KeptShop;

/** A call as it goes to the thread of a shop. */
export interface ShopCall {
  readonly number: number;
  readonly shop: string;
  readonly method: ShopMethod | 'create';
  readonly args: readonly unknown[];
}

/** An error as it comes from another thread. */
interface SentFailure {
  readonly code: string;
  readonly message: string;
  /** Of errors of requests. */
  readonly input?: Pick<InputError, 'problem' | 'cure' | 'location'>;
  /** Of faults of ours. */
  readonly stack?: string | undefined;
}

/** The task of a thread of shops. */
export interface ShopThreadTask {
  /** The file of the log. */
  readonly file: string;
  /** The place of the thread among so many. */
  readonly place: number;
  readonly threads: number;
  readonly mostOperations: number | undefined;
}

/** A message from a thread of shops. */
export type ShopThreadMessage =
  | { readonly kind: 'recovered' }
  | { readonly kind: 'answer'; readonly number: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly number: number; readonly failure: SentFailure }
  | {
      readonly kind: 'change';
      readonly told: Parameters<ShopHostOptions['onChange']>;
    };

/** A message to a thread of shops. */
export type ShopThreadOrder = ({ readonly kind: 'call' } & ShopCall) | { readonly kind: 'stop' };

/** The thread of a shop, by its id: FNV-1a (Fowler, Noll, Vo). */
export function threadOf(id: string, threads: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193) >>> 0;
  return hash % threads;
}

/** Makes a call to a shop of a host. */
export async function callShop(
  host: ShopHost,
  { shop: id, method, args }: Pick<ShopCall, 'shop' | 'method' | 'args'>,
): Promise<unknown> {
  if (method === 'create') return host.create(id, args[0] as NewShopRequest, args[1] as Teller);
  const shop = await host.get(id);
  return (shop[method] as (...args: readonly unknown[]) => unknown)(...args);
}

/** An error for another thread: values that it names stay here. */
export function sendFailure(error: unknown): SentFailure {
  if (error instanceof InputError) {
    const { code, message, problem, cure, location } = error;
    return { code, message, input: { problem, cure, location } };
  }
  if (error instanceof AlasError) return { code: error.code, message: error.message };
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { code: '', message, stack };
}

/** The error that another thread has sent. */
export function receiveFailure({ code, message, input, stack }: SentFailure): Error {
  if (input !== undefined) return new InputError(code, input.problem, input.cure, input.location);
  if (code !== '') return new AlasError(code, message);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
