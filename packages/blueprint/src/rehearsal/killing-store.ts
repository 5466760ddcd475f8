import { AlasError } from '@alas-jssp/core/errors';
import { type AuditableLog, createMemoryStore, type LogStore } from '@alas-jssp/workflow';
import type { KillFault } from './fault.js';

/** A log whose appends are counted, and at some of which the process that writes is killed. */
export interface KillingStore {
  readonly store: AuditableLog;
  /** The number of appends so far. */
  appends(): number;
}

/**
 * Creates a log in memory.
 *
 * @param kill kills the process that writes
 * @param onAppend called before each append, with its number from 1
 */
export function createKillingStore(
  kills: readonly KillFault[],
  kill: (fault: KillFault) => void,
  onAppend: (append: number) => void,
): KillingStore {
  const memory = createMemoryStore();
  let appends = 0;
  const killed = new Set<KillFault>();
  const counted = <T>(write: () => T): T => {
    appends++;
    const now = appends;
    onAppend(now);
    const fault = kills.find((one) => one.append === now && !killed.has(one));
    if (fault === undefined) return write();
    killed.add(fault);
    if (fault.when === 'after') write();
    kill(fault);
    throw new AlasError('killed', `killed ${fault.when} append ${now}, as rehearsed`, now);
  };
  const append: LogStore['append'] = (entries, options) =>
    entries.length === 0
      ? memory.append(entries, options)
      : counted(() => memory.append(entries, options));
  const acquire: LogStore['acquire'] = (request) => counted(() => memory.acquire(request));
  return { store: { ...memory, append, acquire }, appends: () => appends };
}
