import { monotonicSeconds } from '../core/clock.js';

/** The stages of the pipeline, in the order in which they run. */
export const stages = ['plan', 'validate', 'repair', 'optimize'] as const;

/** One stage of the pipeline. */
export type Stage = (typeof stages)[number];

/** Seconds of wall-clock time by stage, null where a stage did not run, and all together. */
export interface StageSeconds extends Record<Stage, number | null> {
  total: number;
}

/** Measures stages one after the other. */
export interface Stopwatch {
  /** Runs a stage and adds its time, also if it throws. */
  time<T>(stage: Stage, work: () => T | Promise<T>): Promise<T>;
  /** What was measured so far; `total` runs from the creation of the stopwatch. */
  read(): StageSeconds;
}

/** Starts a stopwatch. */
export function createStopwatch(): Stopwatch {
  const created = monotonicSeconds();
  const seconds: Record<Stage, number | null> = {
    plan: null,
    validate: null,
    repair: null,
    optimize: null,
  };
  return {
    async time(stage, work) {
      const started = monotonicSeconds();
      try {
        return await work();
      } finally {
        seconds[stage] = (seconds[stage] ?? 0) + monotonicSeconds() - started;
      }
    },
    read: () => ({ ...seconds, total: monotonicSeconds() - created }),
  };
}
