import { isoTime } from '@alas-jssp/core/iso-time';
import type { Host } from './host.js';
import { entriesOfMessages } from './messages.js';
import { stopFailure } from './policies.js';
import { append, type Run, stopScope } from './run.js';

/** Moves the messages of the inbox into the log, and applies them. */
export function receiveMessages(run: Run): void {
  const { host, state, waiters, listeners } = run;
  if (run.over || run.broken !== undefined) return;
  let messages: ReturnType<Host['messages']>;
  try {
    messages = host.messages(run.seen);
  } catch (error) {
    breakOff(run, error);
    return;
  }
  if (messages.length === 0) return;
  const entries = entriesOfMessages(state, messages, isoTime(host.now()));
  run.seen = messages[messages.length - 1].id;
  for (const entry of entries) {
    try {
      append(run, [entry]);
    } catch {
      // This error interrupts the run, unless this message alone causes it.
    }
  }
  // A waiting run would not notice.
  const { broken } = run as Run;
  if (broken !== undefined) {
    breakOff(run, broken.error);
    return;
  }
  const { stop } = state;
  if (stop !== undefined) stopScope(run.root, stop.error);
  for (const waiter of [...waiters]) waiter.look();
  for (const listen of [...listeners]) listen();
}

/** Interrupts a run from outside: its owner has lost it. */
export function breakOff(run: Run, error: unknown): void {
  if (run.over) return;
  run.broken ??= { error };
  stopScope(run.root, stopFailure('Cancelled', 'the run was interrupted'));
  for (const listen of [...run.listeners]) listen();
}
