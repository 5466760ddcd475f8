import { type Clock, systemClock } from '@alas-jssp/core/clock';
import { AlasError } from '@alas-jssp/core/errors';
import { decodeLogged, type encodeLive } from '../interpreter/encoded-value.js';
import type { Payloads } from '../interpreter/entries.js';
import { forgetTurns } from '../interpreter/forget.js';
import { breakOff, receiveMessages } from '../interpreter/inbox.js';
import { cancel, interpret, openRun } from '../interpreter/interpret.js';
import { type Run, write } from '../interpreter/run.js';
import { type RunState, wakeTime } from '../interpreter/state.js';
import type { LogEntry } from '../log/entry.js';
import type { LogStore } from '../log/store.js';
import type { Lease } from '../log/tables.js';
import { createEmbeddedHost, type EmbeddedHost } from './embedded.js';
import { createFaults } from './faults.js';
import { isAtRest } from './owner.js';
import { type RunResult, resultOf } from './result.js';
import type { RunOptions } from './run-options.js';
import { traceRun } from './tracing.js';

/** How long an interrupted run waits for its handlers, in milliseconds. */
const GRACE = 10_000;

/** A run that this process owns. */
export interface OwnedRun {
  readonly store: LogStore;
  readonly state: RunState;
  readonly lease: Lease;
  /** The lease before; undefined for a run that never had an owner. */
  readonly before: Lease | undefined;
  /** The first entries of a new run; undefined for a run that is resumed. */
  readonly begun?: readonly LogEntry[] | undefined;
  readonly check: EmbeddedHost['check'];
  /** The input of a new run, before encoding. */
  readonly input?: ReturnType<typeof encodeLive> | undefined;
}

/** Interprets a run that this process owns, and releases it. */
export async function execute(owned: OwnedRun, options: RunOptions): Promise<RunResult> {
  const { store, state, lease, before, begun, check } = owned;
  const { registry, clock = systemClock, signal, onAlert, approvals = {} } = options;
  const { runId } = state;
  const { token } = lease;
  const atRest = isAtRest(store, before, options.isGone);
  const trace = store.forgets ? undefined : await traceRun(runId, state.workflow.name);
  const host = createEmbeddedHost({
    store,
    runId,
    registry,
    clock,
    token,
    check,
    mayReadLog: () => begun === undefined || state.inbox > 0,
    taken: lease.taken,
    onAlert:
      onAlert &&
      (({ status, remaining = [], inDoubt = [] }) =>
        onAlert({ runId, status, remaining, inDoubt })),
    onEntry: trace?.entry,
    within: trace?.handlerContext,
  });
  const run = openRun(host, state, {
    maxConcurrency: options.maxConcurrency,
    snapshotEvery: options.snapshotEvery,
    stay: options.stay,
    forgetful: options.forgetful === true && options.snapshotEvery === undefined,
    input: owned.input ?? decodeLogged(state.input, registry.input),
    faults: options.inject === undefined ? undefined : createFaults(options.inject, registry),
  });
  // An owner that the log does not name called no handler and leaves the state unchanged.
  let isNamed = begun !== undefined;
  const releaseAt = (wakeAt: number | null) => {
    const release = host.releaseAt(wakeAt);
    return isNamed ? release : { ...release, quiet: atRest };
  };
  const onAbort = () => cancel(run, { reason: textOf(signal?.reason) });
  const onLeave = () => breakOff(run, new AlasError('left', `the run ${runId} was released`));
  signal?.addEventListener('abort', onAbort, { once: true });
  options.leave?.addEventListener('abort', onLeave, { once: true });
  const leave = store.forgets ? undefined : attend(run, store, token, options);
  try {
    if (trace !== undefined) begun?.forEach(trace.entry);
    if (begun === undefined) {
      isNamed = resume(run, { owner: lease.owner ?? '', token, gone: atRest });
    }
    for (const [name, by] of Object.entries(approvals)) {
      if (!state.approvals.has(name) && state.end === undefined)
        write(run, '', 'Approve', { name, by });
    }
    if (signal?.aborted) onAbort();
    if (options.leave?.aborted) onLeave();
    if (run.forgetful) forgetTurns(run);
    await interpret(run);
    // The entry of its end released it.
    const isBack = begun !== undefined && state.end !== undefined;
    if (!isBack) store.release(runId, token, releaseAt(wakeTime(state)));
    trace?.end();
    return resultOf(state, registry, run);
  } catch (error) {
    breakOff(run, error);
    trace?.end(error);
    // The next owner in this process must not meet its handlers.
    await allSettled(host.inFlight, clock);
    releaseQuietly(store, runId, token, releaseAt(clock.now()));
    throw error;
  } finally {
    leave?.();
    signal?.removeEventListener('abort', onAbort);
    options.leave?.removeEventListener('abort', onLeave);
  }
}

/** Logs the new owner, if there is one, and processes messages sent meanwhile. */
function resume(run: Run, payload: Payloads['Resume']): boolean {
  const { state } = run;
  const hadEnded = state.end !== undefined;
  if (!hadEnded) write(run, '', 'Resume', payload);
  receiveMessages(run);
  if (!hadEnded) return true;
  if (state.end !== undefined) return false;
  write(run, '', 'Resume', payload);
  return true;
}

/**
 * The first moments of a run, in milliseconds: most runs end within them and need no attendance.
 */
const MOMENT = 100;

/**
 * Attends to a run in progress: processes its messages as they arrive and renews its lease; a run
 * whose lease is lost is interrupted.
 */
function attend(
  run: Run,
  store: LogStore,
  token: number,
  { clock = systemClock, leaseSeconds = 30 }: RunOptions,
): () => void {
  const { host, state } = run;
  const third = (leaseSeconds * 1000) / 3;
  const later = Math.min(MOMENT, third);
  let unwatch: (() => void) | undefined;
  const begin = () => {
    if (run.over) return;
    unwatch = store.watch(state.runId, () => receiveMessages(run));
    receiveMessages(run);
    callOff = host.at(clock.now() + third - later, renew);
  };
  let callOff = host.at(clock.now() + later, begin);
  const arm = () => {
    callOff = host.at(clock.now() + third, renew);
  };
  const renew = () => {
    if (run.over) return;
    try {
      if (store.renew(state.runId, token, clock.now() + leaseSeconds * 1000)) return arm();
      const message = `run ${state.runId} has another owner now`;
      breakOff(run, new AlasError('not_owner', message, store.leaseOf(state.runId)));
    } catch (error) {
      breakOff(run, error);
    }
  };
  return () => {
    callOff();
    unwatch?.();
  };
}

export function releaseQuietly(
  store: LogStore,
  runId: string,
  token: number,
  release: Parameters<LogStore['release']>[2],
): void {
  try {
    store.release(runId, token, release);
  } catch {
    // The store has failed: the lease expires.
  }
}

async function allSettled(calls: ReadonlySet<Promise<unknown>>, clock: Clock): Promise<void> {
  if (calls.size === 0) return;
  const grace = new AbortController();
  const given = clock.sleep(GRACE, grace.signal).catch(() => {});
  await Promise.race([Promise.allSettled([...calls]), given]);
  grace.abort();
}

function textOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
