import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { kill, pid } from 'node:process';
import { once } from '../../core/once.js';

const process = once(() => `${hostname()}/${pid}/${randomUUID().slice(0, 8)}`);

let owners = 0;

/** A name for an owner of a run in this process: `HOST/PID/NONCE`. */
export function newOwner(): string {
  return `${process()}-${++owners}`;
}

/**
 * Whether the process of an owner is known to have ended. Of processes on other hosts nothing is
 * known, nor of one whose number another process has by now: their leases must run out.
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
