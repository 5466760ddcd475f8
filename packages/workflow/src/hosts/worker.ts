import { systemClock } from '@alas-jssp/core/clock';
import { AlasError, errorLine, InputError } from '@alas-jssp/core/errors';
import { describeFound } from '@alas-jssp/core/json-path';
import type { Registry } from '../interpreter/registry.js';
import type { RunState } from '../interpreter/state.js';
import type { LogStore } from '../log/store.js';
import { isOwnerGone } from './owner.js';
import type { RunResult } from './result.js';
import { resumeRun } from './run.js';
import type { RunOptions } from './run-options.js';
import { stateOfRun } from './run-state.js';
import { hasEnded, isDue } from './runs.js';

/** The handlers of a worker's runs: the same for all, or by run. */
type RegistrySource =
  | { readonly registry: Registry; readonly registryOf?: undefined }
  | {
      readonly registry?: undefined;
      readonly registryOf: (run: RunState) => Registry | Promise<Registry>;
    };

/** The options of a worker. */
export type WorkerOptions = RegistrySource &
  Omit<RunOptions, 'registry' | 'signal' | 'inject' | 'approvals' | 'whenOwned' | 'stay'> & {
    readonly store: LogStore;
    /** Concurrent runs. Default 4. */
    readonly concurrency?: number | undefined;
    /** Seconds between two looks for due runs. Default 1. */
    readonly pollSeconds?: number | undefined;
    /** Called when a run has ended, or waits again. */
    readonly onResult?: ((result: RunResult) => void) | undefined;
    /**
     * Called when a run cannot be resumed (once for the same reason, however often it is retried),
     * and without a run when the store fails.
     */
    readonly onError?: ((error: unknown, runId: string | undefined) => void) | undefined;
  };

/** A running worker. */
export interface Worker {
  /**
   * Stops taking runs, and waits for those in progress until they end or wait. A second call waits
   * no longer: when the process ends, other workers take its runs over.
   */
  stop(): Promise<void>;
  /** Resolves as soon as no run is in progress and none is due that could be resumed. */
  idle(): Promise<void>;
}

/** A run that could not be resumed, or was due again at once: it pauses for a while. */
interface Rest {
  readonly until: number;
  readonly times: number;
  readonly reason: string;
}

/** Waits between retries grow up to this multiple of the polling interval. */
const LONGEST_REST = 64;

/**
 * Takes the due runs of a store, several at once: interrupted runs, runs whose timer, deadline or
 * trigger is due, and runs with a new message.
 */
export function createWorker(options: WorkerOptions): Worker {
  const { store, clock = systemClock, concurrency = 4, onResult } = options;
  requireWorkerOptions(options);
  // The worker continues, whatever its callbacks throw.
  const onError: typeof options.onError = (error, runId) => {
    try {
      options.onError?.(error, runId);
    } catch {}
  };
  const poll = 1000 * (options.pollSeconds ?? 1);
  const active = new Map<string, Promise<void>>();
  const rests = new Map<string, Rest>();
  const ended = new Set<string>();
  let idlers: (() => void)[] = [];
  let stops = 0;
  let alarm = new AbortController();

  const rest = (runId: string, reason: string): void => {
    const times = (rests.get(runId)?.times ?? 0) + 1;
    const until = clock.now() + poll * Math.min(2 ** (times - 1), LONGEST_REST);
    rests.set(runId, { until, times, reason });
  };

  const goOn = async (runId: string): Promise<void> => {
    try {
      const result = await resumeRun(store, runId, await optionsOf(options, runId));
      if (isStillDue(store, runId, clock.now())) rest(runId, '');
      else rests.delete(runId);
      onResult?.(result);
    } catch (error) {
      const reason = errorLine(error);
      const isKnown = rests.get(runId)?.reason === reason;
      rest(runId, reason);
      // Another worker may have been faster, and will continue it.
      const isTaken = error instanceof AlasError && TAKEN.includes(error.code);
      if (!isKnown && !isTaken) onError(error, runId);
    } finally {
      active.delete(runId);
      alarm.abort();
    }
  };

  /** Starts due runs while there is room; returns the time of the next look. */
  const look = (): number => {
    const now = clock.now();
    let { due, next } = findDue(store, now, ended, options.isGone);
    for (const runId of due) {
      const until = rests.get(runId)?.until ?? 0;
      if (until > now) next = Math.min(next, until);
      else if (active.size < concurrency && !active.has(runId)) active.set(runId, goOn(runId));
    }
    return next;
  };

  const work = async (): Promise<void> => {
    while (stops === 0) {
      alarm = new AbortController();
      let next = Number.POSITIVE_INFINITY;
      try {
        next = look();
      } catch (error) {
        onError(error, undefined);
      }
      if (active.size === 0) for (const resolve of idlers.splice(0)) resolve();
      const wait = Math.max(0, Math.min(poll, next - clock.now()));
      await clock.sleep(wait, alarm.signal).catch(() => {});
    }
    await Promise.all(active.values());
    for (const resolve of idlers.splice(0)) resolve();
  };
  const done = work();

  return {
    stop: () => {
      stops++;
      alarm.abort();
      return stops > 1 ? Promise.resolve() : done;
    },
    idle: () =>
      new Promise((resolve) => {
        idlers = [...idlers, resolve];
        alarm.abort();
      }),
  };
}

/**
 * Rejects invalid options of a worker.
 *
 * @throws InputError `bad_option`
 */
function requireWorkerOptions({ concurrency = 1, pollSeconds = 1 }: WorkerOptions): void {
  if (!(concurrency >= 1)) {
    const problem = `concurrency: ${describeFound(concurrency)}`;
    throw new InputError('bad_option', problem, 'give a number from 1', {}, concurrency);
  }
  if (!(pollSeconds > 0)) {
    const problem = `pollSeconds: ${describeFound(pollSeconds)}`;
    throw new InputError('bad_option', problem, 'give a number above 0', {}, pollSeconds);
  }
}

/** Codes of errors that mean that a run has another owner by now. */
const TAKEN: readonly string[] = ['run_owned', 'not_owner'];

async function optionsOf(options: WorkerOptions, runId: string): Promise<RunOptions> {
  const { store, registryOf, ...rest } = options;
  const registry = rest.registry ?? (await registryOf?.(stateOfRun(store, runId)));
  return { ...rest, registry: registry as Registry, whenOwned: 'refuse' };
}

/** Whether a run is due again at once, which must not keep the worker from other runs. */
function isStillDue(store: LogStore, runId: string, now: number): boolean {
  const lease = store.leaseOf(runId);
  if (lease === undefined) return !hasEnded(store, runId);
  return isDue(lease, store.messages(runId, lease.taken).length > 0, now);
}

/**
 * The due runs, and the moment at which the next one is due without further events.
 *
 * @param ended ended runs that never had an owner; grows
 */
function findDue(
  store: LogStore,
  now: number,
  ended: Set<string>,
  isGone = isOwnerGone,
): { readonly due: readonly string[]; readonly next: number } {
  const messages = store.lastMessages();
  const owned = new Set<string>();
  const due: string[] = [];
  let next = Number.POSITIVE_INFINITY;
  for (const lease of store.leases()) {
    const { runId, owner, until, wakeAt, taken } = lease;
    owned.add(runId);
    if (isDue(lease, (messages.get(runId) ?? 0) > taken, now, isGone)) due.push(runId);
    else if (owner !== null) next = Math.min(next, until);
    else if (wakeAt !== null) next = Math.min(next, wakeAt);
  }
  // Imported logs have no lease.
  for (const runId of store.runs()) {
    if (owned.has(runId) || ended.has(runId)) continue;
    if (hasEnded(store, runId)) ended.add(runId);
    else due.push(runId);
  }
  return { due, next };
}
