import type { Instance } from './instance.js';
import type { Objective } from './objectives.js';
import type { Candidate } from './plan.js';

/** The circumstances of a planner's work, which it is handed besides the instance. */
export interface PlannerContext {
  /** Seed for everything random; the same seed gives the same answer. */
  readonly seed: number;
  /** The value to be minimised. Default: the makespan. */
  readonly objective?: Objective | undefined;
  /** Which repetition this is, from 0; for what has several answers to give. Default: 0. */
  readonly replicate?: number | undefined;
  /** Aborts the planning; a planner that can be slow looks at it. */
  readonly signal?: AbortSignal | undefined;
  /** The limits of a planner that is a program of its own: undefined for none, or the default. */
  readonly seconds?: number | undefined;
  readonly megabytes?: number | undefined;
  /** Threads that it may use. Default 1. */
  readonly threads?: number | undefined;
  /**
   * Takes a plan while the planner works on. The validator judges it when it arrives: if it is feasible and
   * better than those before it, it counts as an improvement. Of a planner that is stopped, or that returns
   * the last plan that it handed over, the best feasible one is the plan.
   */
  readonly onPlan?: ((candidate: Candidate) => void) | undefined;
  /** Takes a lower bound of the objective. It is what the planner states, and proves nothing. */
  readonly onLowerBound?: ((value: number) => void) | undefined;
  /** Told of the program that made the plan, when it has ended. */
  readonly onProcess?: ((report: ProcessReport) => void) | undefined;
  /** Told of the recorded answer that a plan is read from. */
  readonly onRecordedAnswer?: ((answer: RecordedAnswer) => void) | undefined;
}

/** A planner that is a program of its own, and how it ended. */
export interface ProcessReport {
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The most memory that its processes had together, in MiB; null if nobody knows. */
  readonly peakMegabytes: number | null;
  /** The end of it. */
  readonly stderr: string;
}

/** A recorded answer of a model, from which a plan was read. */
export interface RecordedAnswer {
  /** The file that has it, `#`, and what it goes by there. */
  readonly place: string;
  readonly model: string;
  readonly topology: string;
  /** The ways in which its schedule is written, with `+` between them. */
  readonly format: string;
  readonly decoding: {
    readonly operations: number;
    readonly expected: number;
    readonly ignored: Readonly<Record<string, number>>;
  };
}

/** Anything that turns an instance into a plan or a schedule: a rule, a file, a model. */
export interface Planner {
  /** The specification that names it, such as `dispatch:mwkr`. */
  readonly name: string;
  plan(instance: Instance, context: PlannerContext): Promise<Candidate>;
}
