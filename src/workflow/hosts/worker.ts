import { systemClock } from '../../core/clock.js';
import { AlasError, errorLine, InputError } from '../../core/errors.js';
import { describeFound } from '../../core/json-path.js';
import type { Registry } from '../interpreter/registry.js';
import type { RunState } from '../interpreter/state.js';
import type { LogStore } from '../log/store.js';
import { isOwnerGone } from './owner.js';
import type { RunResult } from './result.js';
import { resumeRun } from './run.js';
import type { RunOptions } from './run-options.js';
import { stateOfRun } from './run-state.js';
import { hasEnded, isDue } from './runs.js';

/** The handlers of the runs that a worker takes up: the same for all, or by run. */
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
    /** Runs at the same time. Default 4. */
    readonly concurrency?: number | undefined;
    /** How often it looks for runs that are due. Default 1. */
    readonly pollSeconds?: number | undefined;
    /** Called when a run has ended, or waits again. */
    readonly onResult?: ((result: RunResult) => void) | undefined;
    /**
     * Called when a run cannot be gone on with (once for the same reason, however often it is tried
     * again), and without a run when the store fails.
     */
    readonly onError?: ((error: unknown, runId: string | undefined) => void) | undefined;
  };

/** A worker that is at work. */
export interface Worker {
  /**
   * Takes up no more runs, and waits for those under way until they end or wait. Called again, it
   * waits no longer: when the process ends, others take its runs over.
   */
  stop(): Promise<void>;
  /** Resolves as soon as nothing is under way and nothing is due that could be gone on with. */
  idle(): Promise<void>;
}

/** A run that could not be gone on with, or was due again at once: it is left alone for a while. */
interface Rest {
  readonly until: number;
  readonly times: number;
  readonly reason: string;
}

/** Waits between tries grow up to so many times the time between two looks. */
const LONGEST_REST = 64;

/**
 * Takes up the runs of a store that are due, several at once: those that broke off, those whose
 * timer, deadline or trigger has come, and those that a message was sent to.
 */
export function createWorker(options: WorkerOptions): Worker {
  const { store, clock = systemClock, concurrency = 4, onResult } = options;
  requireWorkerOptions(options);
  // The worker goes on, whatever becomes of those whom it tells.
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
      // Somebody else may have been faster, and will go on with it.
      const isTaken = error instanceof AlasError && TAKEN.includes(error.code);
      if (!isKnown && !isTaken) onError(error, runId);
    } finally {
      active.delete(runId);
      alarm.abort();
    }
  };

  /** Starts what is due and there is room for; returns when to look again. */
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
 * Refuses options with which no worker could work.
 *
 * @throws InputError `bad_option`
 */
function requireWorkerOptions({ concurrency = 1, pollSeconds = 1 }: WorkerOptions): void {
  if (!(concurrency >= 1)) {
    const problem = `concurrency: ${describeFound(concurrency)}`;
    throw new InputError('bad_option', problem, 'give a number from 1 on', {}, concurrency);
  }
  if (!(pollSeconds > 0)) {
    const problem = `pollSeconds: ${describeFound(pollSeconds)}`;
    throw new InputError('bad_option', problem, 'give a number above 0', {}, pollSeconds);
  }
}

/** Codes of errors that say that a run has another owner by now. */
const TAKEN: readonly string[] = ['run_owned', 'not_owner'];

async function optionsOf(options: WorkerOptions, runId: string): Promise<RunOptions> {
  const { store, registryOf, ...rest } = options;
  const registry = rest.registry ?? (await registryOf?.(stateOfRun(store, runId)));
  return { ...rest, registry: registry as Registry, whenOwned: 'refuse' };
}

/** Whether a run is due again at once, which is no reason to turn to nothing else. */
function isStillDue(store: LogStore, runId: string, now: number): boolean {
  const lease = store.leaseOf(runId);
  if (lease === undefined) return !hasEnded(store, runId);
  return isDue(lease, store.messages(runId, lease.taken).length > 0, now);
}

/**
 * The runs that are due, and the moment at which the next one is if nothing happens until then.
 *
 * @param ended runs that nobody has ever owned and that have ended; grows
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
  // Logs of before there were owners, and what was imported.
  for (const runId of store.runs()) {
    if (owned.has(runId) || ended.has(runId)) continue;
    if (hasEnded(store, runId)) ended.add(runId);
    else due.push(runId);
  }
  return { due, next };
}
