import { monotonicSeconds } from '@alas-jssp/core/clock';
import { AlasError } from '@alas-jssp/core/errors';
import { OUT_OF_TIME } from '../../pipeline/handlers/repair-stage.js';

/** Maximum seconds for a worker thread to start and load its planner, if time is limited. */
const LOADING = 60;
/** Maximum seconds for a task to finish after its plan is made. */
const ENDING = 3;
/** Maximum seconds for a planner to stop after its time limit, keeping its best plan. */
const STOPPING = 2;

/**
 * Limits one task: stops it when its time is over or when the run is aborted. After the time limit, a planner is first
 * asked to stop and may keep the plans it has delivered. If the run is aborted, a search is asked to end with its best
 * result so far; before the search there is nothing to keep.
 */
export interface TaskWatch {
  /** Aborted when the thread of the task must end. */
  readonly signal: AbortSignal;
  /** Aborted when the search must end with its best result so far. */
  readonly interrupted: AbortSignal;
  /** Aborted when the task must stop at once. */
  readonly stopped: AbortSignal;
  /** Aborted when the planner has no time left for repairs: the task continues without. */
  readonly outOfTime: AbortSignal;
  /** The reason of the stop, in words; null if it was not stopped, or only with the whole run. */
  reason(): string | null;
  /**
   * Starts the planner's time, in addition to that of earlier calls.
   *
   * @param repairs whether it repairs its plan: after the time limit it is then asked to abandon the repair
   */
  begin(repairs?: boolean): void;
  /** Stops the planner's time; work on its plan does not count. */
  pause(): void;
  /** The task is over. */
  end(): void;
}

/** Settings of a {@link TaskWatch}. */
interface WatchSettings {
  /** Whether a planner is asked to stop after its time limit, before its thread is stopped. Default false. */
  readonly stopsPlanner?: boolean | undefined;
}

/**
 * Starts to watch a task that is sent to a thread. The timers of this thread limit it, so that a planner that blocks
 * its own thread is stopped too.
 *
 * @param limit seconds for the planner; null for no limit
 */
export function watchTask(
  limit: number | null,
  runSignal: AbortSignal | undefined,
  { stopsPlanner = false }: WatchSettings = {},
): TaskWatch {
  const [thread, interrupted, stopped, outOfTime] = Array.from(
    { length: 4 },
    () => new AbortController(),
  );
  let timer: NodeJS.Timeout | undefined;
  let ending: NodeJS.Timeout | undefined;
  let reason: string | null = null;
  let isPlanning = false;
  let isRepairing = false;
  let began = 0;
  let used = 0;
  let hasPlan = false;

  const stop = () => stopped.abort(new AlasError('stopped', reason ?? 'interrupted'));
  const abort = () => {
    stop();
    thread.abort();
  };
  const disarm = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const arm = (seconds: number, words: string) => {
    disarm();
    if (limit === null) return;
    const armed = setTimeout(() => setImmediate(expire), seconds * 1000);
    // If this thread was busy, the planner's end message may be queued behind the timer, so it is read first.
    const expire = () => {
      if (timer !== armed) return;
      if (isRepairing) return outOfTime.abort(new AlasError(OUT_OF_TIME, words));
      reason = words;
      if (!stopsPlanner || !isPlanning) return abort();
      stop();
      ending = setTimeout(abort, STOPPING * 1000);
    };
    timer = armed;
  };

  const interrupt = () => {
    if (!hasPlan) return abort();
    interrupted.abort();
    ending = setTimeout(abort, ENDING * 1000);
  };

  arm(LOADING, `stopped: its planner did not load within ${LOADING} s`);
  if (runSignal?.aborted) abort();
  runSignal?.addEventListener('abort', interrupt, { once: true });
  return {
    signal: thread.signal,
    interrupted: interrupted.signal,
    stopped: stopped.signal,
    outOfTime: outOfTime.signal,
    reason: () => reason,
    begin(repairs = false) {
      isPlanning = true;
      isRepairing = repairs;
      began = monotonicSeconds();
      arm(Math.max(0, (limit ?? 0) - used), `stopped after ${limit} s`);
    },
    pause() {
      if (isPlanning) used += monotonicSeconds() - began;
      disarm();
      clearTimeout(ending);
      isPlanning = false;
      hasPlan = true;
    },
    end() {
      disarm();
      clearTimeout(ending);
      runSignal?.removeEventListener('abort', interrupt);
    },
  };
}
