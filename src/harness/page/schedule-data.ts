// The forms in which schedules, moves and executions travel to the page: plain JSON, columns where there is
// one number an operation. Everything counts from 0; only types are imported, so that browsers may read it, too.

import type { InstanceNames } from '../../jssp/instance-names.js';
import type { TimeScale } from '../../jssp/shop-clock.js';

/** Downtimes of machines, a column for each of their properties. */
export interface DowntimeColumns {
  readonly machine: readonly number[];
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly resumable: readonly boolean[];
}

/** A violation where it can be seen: its operations, and the stretch of time that it is about. */
export interface ViolationView {
  readonly code: string;
  readonly message: string;
  /** The operation that it is about, −1 for none. */
  readonly operation: number;
  /** The other operation of a pair, −1 for none. */
  readonly other: number;
  /** The machine that it is about, −1 for none. */
  readonly machine: number;
  /** The stretch of time in which rules are broken; null where it is about no time. */
  readonly stretch: readonly [from: number, to: number] | null;
  /** The place of its root in the list; its own if it is a root. */
  readonly root: number;
  /** The explanation of its root. */
  readonly explanation: string;
}

/**
 * A schedule, or a plan with faults, as it is drawn. Columns have N entries, one an operation; operation
 * `jobOffset[j] + s` is step s of job j.
 */
export interface ScheduleView {
  readonly instance: string;
  /** The names of its jobs, machines and operations; null if it numbers them. */
  readonly names: InstanceNames | null;
  /** The meaning of its times on the clock; null if they are numbers. */
  readonly timeScale: TimeScale | null;
  readonly jobs: number;
  readonly machines: number;
  readonly jobOffset: readonly number[];
  readonly machine: readonly number[];
  /** −1 where the plan does not say. */
  readonly start: readonly number[];
  readonly end: readonly number[];
  /**
   * The time by which each operation could start later, in the orders of the machines, without a longer
   * makespan; null for schedules that break rules or lack operations.
   */
  readonly slack: readonly number[] | null;
  /** The operations of a critical path in the order of time; empty where there is no slack. */
  readonly critical: readonly number[];
  /** n entries each: the due date of a job, −1 for none, and what a unit of lateness costs; null as in instances. */
  readonly due: readonly number[] | null;
  readonly weight: readonly number[] | null;
  /** N entries: the earliest start of each operation; null as in instances. */
  readonly release: readonly number[] | null;
  /** Operations whose start is fixed, ascending. */
  readonly fixed: readonly number[];
  readonly downtimes: DowntimeColumns;
  /** The latest end. */
  readonly makespan: number;
  /** The number of operations without a start. */
  readonly missing: number;
  /** Whether the validator accepts it. */
  readonly valid: boolean;
  /** Violations as far as they are listed; `counts` has all, by code. */
  readonly violations: readonly ViolationView[];
  readonly counts: Readonly<Record<string, number>>;
  /** Busy time of each machine, and its downtime before the makespan. */
  readonly busy: readonly number[];
  readonly down: readonly number[];
}

/**
 * Why an operation starts at another time than before: those of explained repairs (`event`, `job`,
 * `machine`, `place`, `earlier`, `limit`, `later`), `new`: its job has just arrived, or, of plans that were
 * repaired, `fault`: it was part of a violation, and `missing`: it had no start.
 */
export type MoveCause =
  | 'event'
  | 'job'
  | 'machine'
  | 'place'
  | 'earlier'
  | 'limit'
  | 'later'
  | 'new'
  | 'fault'
  | 'missing';

/** An operation that moved. */
export interface MoveView {
  /** In the numbers of the later schedule. */
  readonly operation: number;
  /** Its time before; −1 if it had none. */
  readonly start: number;
  readonly end: number;
  readonly cause: MoveCause;
  /** The operation that it waits for, −1 for none. */
  readonly waitsFor: number;
  /** The cause in words. */
  readonly why: string;
}

/** The moves from one schedule to the next, by the start that they lead to. */
export interface MovesView {
  /** The moved operations. */
  readonly moved: readonly MoveView[];
  /** The makespan before. */
  readonly makespan: number;
  /** Operations that are no longer there. */
  readonly gone: number;
}

/** A schedule that is proposed, and what it moves. */
export interface ProposalView extends ScheduleView {
  readonly moves: MovesView;
}

/** A version of a schedule in execution. */
export interface VersionView {
  readonly version: number;
  /** The time from which on it is followed. */
  readonly now: number;
  /** The events at that time, in words. */
  readonly events: readonly string[];
  /** Who repaired it, who approved, and what was rolled back, in words. */
  readonly remarks: readonly string[];
  readonly schedule: ScheduleView;
  /** The moves since the version before; null for the first. */
  readonly moves: MovesView | null;
}

/** The execution of a schedule: its versions, the first of them the plan. */
export interface ExecutionView {
  readonly title: string;
  readonly instance: string;
  readonly method: string;
  readonly versions: readonly VersionView[];
  /** Said of parts that are missing, and why; null if none is. */
  readonly remark: string | null;
}

/** A stage of a record: its plan, and what moved since the stage before. */
export interface StageView {
  readonly name: string;
  readonly schedule: ScheduleView;
  /** Null for the first stage, and where the instance is another one since. */
  readonly moves: MovesView | null;
}

/** A stretch of an answer: its characters, and how a reader is to take them. */
export interface SpanView {
  readonly from: number;
  readonly to: number;
  /** Taken as this operation, in the numbers of the instance; −1 where it names none. */
  readonly operation: number;
  /** In words, with what was filled in. */
  readonly words: string;
}

/** A request to a model and its answer. */
export interface TurnView {
  /** The file of the answer, in the directory of the run. */
  readonly file: string;
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly text: string }[];
  readonly answer: string;
  /** Why the model stopped, and what was spent, in words. */
  readonly remarks: readonly string[];
  /** Entries that were read of the answer, by their place in it. */
  readonly spans: readonly SpanView[];
  /** Parts that were passed over, by line. */
  readonly ignored: readonly { readonly line: number; readonly words: string }[];
}
