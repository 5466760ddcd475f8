import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { kill, pid } from 'node:process';
import { isObject } from '@alas-jssp/core/json-path';
import { once } from '@alas-jssp/core/once';
import type { LogStore } from '../log/store.js';
import type { Lease } from '../log/tables.js';

const process = once(() => `${hostname()}/${pid}/${randomUUID().slice(0, 8)}`);

let owners = 0;

/** A name for an owner of a run in this process: `HOST/PID/NONCE`. */
export function newOwner(): string {
  return `${process()}-${++owners}`;
}

/**
 * Whether the process of an owner is known to have ended. Unknown for processes on other hosts and
 * for process ids that are in use again: their leases must expire.
 */
export function isOwnerGone(owner: string): boolean {
  const [host, number] = owner.split('/');
  if (host !== hostname() || !/^[1-9]\d*$/.test(number ?? '')) return false;
  try {
    kill(Number(number), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/**
 * Whether no handler of earlier owners is running. An owner that never logged its lease gives no
 * information about the owners before it.
 *
 * @param before the last lease
 */
export function isAtRest(
  store: Pick<LogStore, 'read'>,
  before: Lease | undefined,
  isGone: (owner: string) => boolean = isOwnerGone,
): boolean {
  if (before === undefined) return true;
  if (before.owner === null) return before.quiet;
  return isGone(before.owner) && (before.quiet || isNamed(store, before));
}

/** Whether the owner with a lease is the last that the log names. */
function isNamed(store: Pick<LogStore, 'read'>, { runId, token }: Lease): boolean {
  const named = [...store.read({ runId, eventTypes: ['StartRun', 'Resume'] })].at(-1);
  return isObject(named?.payload) && named.payload.token === token;
}
