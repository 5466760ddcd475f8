import { monotonicSeconds } from '@alas-jssp/core/clock';

/** The stages of the pipeline in the order of their execution. */
export const stages = ['plan', 'validate', 'repair', 'optimize'] as const;

/** One stage of the pipeline. */
export type Stage = (typeof stages)[number];

/** Wall-clock seconds by stage, null if a stage did not run, and in total. */
export interface StageSeconds extends Record<Stage, number | null> {
  total: number;
}

/** Measures stages one after the other. */
export interface Stopwatch {
  /** Runs a stage and adds its time, also if it throws or rejects. */
  time<T>(stage: Stage, work: () => T): T;
  /** Adds time that a stage took in an earlier process. */
  add(stage: Stage, seconds: number): void;
  /** All measurements so far; `total` runs from the creation of the stopwatch. */
  read(): StageSeconds;
}

/** Starts a stopwatch. */
export function createStopwatch(): Stopwatch {
  const created = monotonicSeconds();
  let before = 0;
  const seconds: Record<Stage, number | null> = {
    plan: null,
    validate: null,
    repair: null,
    optimize: null,
  };
  const stop = (stage: Stage, started: number) => {
    seconds[stage] = (seconds[stage] ?? 0) + monotonicSeconds() - started;
  };
  return {
    time(stage, work) {
      const started = monotonicSeconds();
      let isPending = false;
      try {
        const result = work();
        if (!(result instanceof Promise)) return result;
        isPending = true;
        return result.finally(() => stop(stage, started)) as typeof result;
      } finally {
        if (!isPending) stop(stage, started);
      }
    },
    add(stage, more) {
      seconds[stage] = (seconds[stage] ?? 0) + more;
      before += more;
    },
    read: () => ({ ...seconds, total: before + monotonicSeconds() - created }),
  };
}
