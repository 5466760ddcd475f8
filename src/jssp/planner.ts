import type { Instance } from './instance.js';
import type { Objective } from './objectives.js';
import type { Candidate } from './plan.js';

/** The planner of runs and plans that name none. */
export const DEFAULT_PLANNER = 'dispatch:best';

/** The context of a planning request, in addition to the instance. */
export interface PlannerContext {
  /** Seed for all randomness; the same seed gives the same result. */
  readonly seed: number;
  /** The objective to minimise. Default: the makespan. */
  readonly objective?: Objective | undefined;
  /** The repetition, from 0, for planners with several results. Default: 0. */
  readonly replicate?: number | undefined;
  /** Aborts the planning; a slow planner should check it. */
  readonly signal?: AbortSignal | undefined;
  /** The time limit of a planner that is a separate program: undefined for none, or the default. */
  readonly seconds?: number | undefined;
  readonly megabytes?: number | undefined;
  /** Threads that it may use. Default 1. */
  readonly threads?: number | undefined;
  /**
   * Receives intermediate plans. The validator checks each one on arrival: if it is feasible and better than all
   * earlier ones, it counts as an improvement. If a planner is stopped, or returns the last plan that it reported, the
   * best feasible one is the result.
   */
  readonly onPlan?: ((candidate: Candidate) => void) | undefined;
  /** Receives a lower bound of the objective. It is the planner's claim, not a proof. */
  readonly onLowerBound?: ((value: number) => void) | undefined;
  /** Receives a report of the program that made the plan, when it has ended. */
  readonly onProcess?: ((report: ProcessReport) => void) | undefined;
  /** Receives the recorded answer from which a plan is read. */
  readonly onRecordedAnswer?: ((answer: RecordedAnswer) => void) | undefined;
}

/** The exit of a planner that is a separate program. */
export interface ProcessReport {
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The peak memory of all its processes together, in MiB; null if unknown. */
  readonly peakMegabytes: number | null;
  /** Its standard error output; of a long one the beginning and the end. */
  readonly stderr: string;
  /** The tokens of models that it reports; absent if it reports none. */
  readonly tokens?: { readonly input: number; readonly output: number };
}

/** A recorded answer of a model, from which a plan was read. */
export interface RecordedAnswer {
  /** The file and the key of the answer in it, separated by `#`. */
  readonly place: string;
  readonly model: string;
  readonly topology: string;
  /** The formats of its schedule, separated by `+`. */
  readonly format: string;
  readonly decoding: {
    readonly operations: number;
    readonly expected: number;
    readonly ignored: Readonly<Record<string, number>>;
  };
}

/** Anything that turns an instance into a plan or a schedule: a rule, a file, a model. */
export interface Planner {
  /** The specification that identifies it, such as `dispatch:mwkr`. */
  readonly name: string;
  plan(instance: Instance, context: PlannerContext): Promise<Candidate>;
}
