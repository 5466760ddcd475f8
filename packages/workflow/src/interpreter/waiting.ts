import type { Failure } from './entries.js';
import { type CallAnswer, type Calling, isPromise, type Maybe } from './host.js';
import { receiveMessages } from './inbox.js';
import type { Ended, Run, Scope, Waiter } from './run.js';

/** Options of waiting for a call. */
interface Watch {
  readonly seconds: number | undefined;
  /** Callbacks that stop the wait from outside. */
  readonly stops: Set<(failure: Failure) => void>;
  timeout(seconds: number): Failure;
  /** Receives an answer that is no longer awaited. */
  late?(answer: CallAnswer): void;
}

/**
 * Waits for an answer until its time is up or it is stopped; then aborts the handler and leaves it.
 */
export function watch(run: Run, calling: Calling, options: Watch): Maybe<Ended> {
  const { answer } = calling;
  if (!isPromise(answer)) return answer;
  const { host } = run;
  const { seconds, stops, timeout, late } = options;
  return new Promise((resolve) => {
    let over = false;
    let callOff: (() => void) | undefined;
    begin(run);
    const finish = (ended: Ended) => {
      over = true;
      callOff?.();
      stops.delete(stop);
      resolve(ended);
      end(run);
    };
    const stop = (failure: Failure) => {
      if (over) return;
      finish({ status: 'stopped', failure: { ...failure, unanswered: true } });
      calling.abort(failure);
    };
    const take = (given: CallAnswer) => (over ? late?.(given) : finish(given));
    (answer as Promise<CallAnswer>).then(take, (error) => take({ status: 'error', error }));
    stops.add(stop);
    if (seconds !== undefined) {
      callOff = host.at(host.now() + seconds * 1000, () => stop(timeout(seconds)));
    }
  });
}

/**
 * Waits until a moment, or until `ready` returns true after an event; returns the failure that
 * stopped it, if one did.
 */
export function pause(
  run: Run,
  until: number,
  stops: Set<(failure: Failure) => void> | undefined,
  ready?: () => boolean,
): Maybe<Failure | undefined> {
  const { host, listeners } = run;
  if (until <= host.now() || ready?.() === true) return undefined;
  return new Promise((resolve) => {
    begin(run);
    const finish = (stopped: Failure | undefined) => {
      callOff();
      stops?.delete(finish);
      listeners.delete(listen);
      resolve(stopped);
      end(run);
    };
    const listen = () => {
      if (run.broken !== undefined || ready?.() === true) finish(undefined);
    };
    const callOff = host.at(until, () => finish(undefined));
    stops?.add(finish);
    listeners.add(listen);
  });
}

/** The end of waiting for a message: the message, too late, nothing to stay for, or stopped. */
export type WaitEnd<T> =
  | { readonly status: 'arrived'; readonly value: T }
  | { readonly status: 'late' }
  | { readonly status: 'left' }
  | { readonly status: 'stopped'; readonly failure: Failure };

/**
 * Waits for a message. If only messages can make progress, all waiters leave, unless the run shall
 * stay.
 *
 * @param find the message, once one has arrived in time
 */
export function awaitMessage<T>(
  run: Run,
  scope: Scope,
  find: () => T | undefined,
  until: number | undefined,
): Promise<WaitEnd<T>> {
  const { host, waiters } = run;
  return new Promise((resolve) => {
    let callOff: (() => void) | undefined;
    const finish = (arrival: WaitEnd<T>) => {
      callOff?.();
      scope.stops.delete(stop);
      waiters.delete(waiter);
      resolve(arrival);
    };
    const stop = (failure: Failure) => finish({ status: 'stopped', failure });
    const waiter: Waiter = {
      look: () => {
        const value = find();
        if (value !== undefined) finish({ status: 'arrived', value });
      },
      leave: () => finish({ status: 'left' }),
    };
    waiters.add(waiter);
    scope.stops.add(stop);
    const ring = () => {
      // A message that was sent in time may not have been received yet.
      receiveMessages(run);
      if (waiters.has(waiter)) finish({ status: 'late' });
    };
    if (until !== undefined) callOff = host.at(until, ring);
    waiter.look();
    if (run.active === 0) leaveIfIdle(run);
  });
}

function begin(run: Run): void {
  run.active++;
}

function end(run: Run): void {
  run.active--;
  notifyDrained(run);
  if (run.active === 0 && run.waiters.size > 0) leaveIfIdle(run);
}

/** Notifies the drainer, a moment later, that nothing is in flight any more. */
export function notifyDrained(run: Run): void {
  if (run.drained === undefined || run.active > 0) return;
  run.host.at(run.host.now(), () => {
    if (run.active === 0 && !run.over) run.drained?.();
  });
}

/**
 * Makes the waiters leave, a moment later: only then is the work started by an answer in flight.
 */
function leaveIfIdle(run: Run): void {
  if (run.stay) return;
  run.host.at(run.host.now(), () => {
    if (run.active > 0 || run.over) return;
    for (const waiter of [...run.waiters]) waiter.leave();
  });
}

/** Waits for a free slot and acquires it. */
export function acquireSlot({ slots, drained }: Run): Maybe<void> {
  if (slots.free > 0 && drained === undefined) {
    slots.free--;
    return;
  }
  return new Promise<void>((resolve) => slots.waiting.push(resolve));
}

/** Releases a slot, or passes it on to the next waiter. */
export function releaseSlot({ slots, drained }: Run): void {
  const next = drained === undefined ? slots.waiting.shift() : undefined;
  if (next === undefined) slots.free++;
  else next();
}
