import { monotonicSeconds } from '../../core/clock.js';
import type { HostMessage } from './messages.js';

/** Seconds that a worker thread may take to start and to load its planner, if time is limited. */
const LOADING = 60;
/** Seconds that a task may take to end with what it has, once its plan is made. */
const ENDING = 3;
/** Seconds that a planner whose time is over may take to stop, with what it has handed over. */
const STOPPING = 2;

/**
 * Watches over one task: ends it when its time is over or when the run is aborted. A planner whose time is
 * over is asked to stop first, and may leave what it has handed over; if the run is aborted, a search is
 * asked to end with its best so far, and before that there is nothing to keep.
 */
export interface TaskWatch {
  /** Aborted when the thread of the task has to end. */
  readonly signal: AbortSignal;
  /** Why it was ended, in words; null if it was not, or with the whole run. */
  reason(): string | null;
  /**
   * The planner is called: from now on its time counts, behind that of the calls before.
   *
   * @param repairs whether it has made its plan, and repairs it: if its time is over then, it is asked to leave that
   */
  begin(repairs?: boolean): void;
  /** The planner is done; what is done with its plan takes no time of its. */
  pause(): void;
  /** The task is over. */
  end(): void;
}

/** Settings of a {@link TaskWatch}. */
interface WatchSettings {
  /** Whether a planner whose time is over is asked to stop, before its thread is ended. Default false. */
  readonly stopsPlanner?: boolean | undefined;
}

/**
 * Starts to watch a task that is sent to a thread. Time is limited by the timers of this thread,
 * so a planner that never lets go of its own is ended, too.
 *
 * @param limit seconds that the planner may take; null for as long as it likes
 * @param port where the task is asked to end with what it has; without one it is ended
 */
export function watchTask(
  limit: number | null,
  runSignal: AbortSignal | undefined,
  port?: { postMessage(message: unknown): void },
  { stopsPlanner = false }: WatchSettings = {},
): TaskWatch {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let timer: NodeJS.Timeout | undefined;
  let ending: NodeJS.Timeout | undefined;
  let reason: string | null = null;
  let isPlanning = false;
  let isRepairing = false;
  let began = 0;
  let used = 0;
  let hasPlan = false;

  const disarm = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const arm = (seconds: number, words: string) => {
    disarm();
    if (limit === null) return;
    const armed = setTimeout(() => setImmediate(expire), seconds * 1000);
    // Word that the planner is done may wait behind the timer if this thread was busy: let it in.
    const expire = () => {
      if (timer !== armed) return;
      if (isRepairing) {
        return port?.postMessage({ kind: 'give up', reason: words } satisfies HostMessage);
      }
      reason = words;
      if (!stopsPlanner || !isPlanning || port === undefined) return abort();
      port.postMessage({ kind: 'stop', reason } satisfies HostMessage);
      ending = setTimeout(abort, STOPPING * 1000);
    };
    timer = armed;
  };

  const interrupt = () => {
    if (!hasPlan || port === undefined) return abort();
    port.postMessage({ kind: 'interrupt' } satisfies HostMessage);
    ending = setTimeout(abort, ENDING * 1000);
  };

  arm(LOADING, `stopped: its planner did not load within ${LOADING} s`);
  if (runSignal?.aborted) abort();
  runSignal?.addEventListener('abort', interrupt, { once: true });
  return {
    signal: controller.signal,
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
