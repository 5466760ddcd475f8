import type { Failure } from './entries.js';
import { type CallAnswer, type Calling, isPromise, type Maybe } from './host.js';
import { takeMessages } from './inbox.js';
import type { Ended, Run, Scope, Waiter } from './run.js';

/** How a call is waited for. */
interface Watch {
  readonly seconds: number | undefined;
  /** Callbacks that stop the waiting from outside. */
  readonly stops: Set<(failure: Failure) => void>;
  timeout(seconds: number): Failure;
  /** Takes an answer for which nobody waits any longer. */
  late?(answer: CallAnswer): void;
}

/** Waits for an answer until its time is up or it is stopped; then tells the handler so and leaves it. */
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
 * Waits until a moment, or until `ready` says so whenever something was heard of; gives the failure
 * that stopped it, if one did.
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
 * Waits for a message. If nothing but messages can bring the run on, all that wait leave, unless
 * the run is to stay.
 *
 * @param find the message, once one is there that came in time
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
      // A message that was sent in time may not have been taken yet.
      takeMessages(run);
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
  restLater(run);
  if (run.active === 0 && run.waiters.size > 0) leaveIfIdle(run);
}

/** Tells who drains a run that nothing is in flight any more, a moment later. */
export function restLater(run: Run): void {
  if (run.drained === undefined || run.active > 0) return;
  run.host.at(run.host.now(), () => {
    if (run.active === 0 && !run.over) run.drained?.();
  });
}

/** Makes the waiters leave, a moment later: what an answer sets going is in flight only then. */
function leaveIfIdle(run: Run): void {
  if (run.stay) return;
  run.host.at(run.host.now(), () => {
    if (run.active > 0 || run.over) return;
    for (const waiter of [...run.waiters]) waiter.leave();
  });
}

/** Waits for a free slot and takes it. */
export function takeSlot({ slots, drained }: Run): Maybe<void> {
  if (slots.free > 0 && drained === undefined) {
    slots.free--;
    return;
  }
  return new Promise<void>((resolve) => slots.waiting.push(resolve));
}

/** Gives a slot back, or on to who waits for it. */
export function giveSlot({ slots, drained }: Run): void {
  const next = drained === undefined ? slots.waiting.shift() : undefined;
  if (next === undefined) slots.free++;
  else next();
}
