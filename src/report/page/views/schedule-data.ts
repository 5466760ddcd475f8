// Transport formats of schedules, moves and executions for the page: plain JSON, with columns for values per operation.
// All indices count from 0. Browsers read this file too, so it imports only types.

import type { InstanceNames } from '../../../jssp/instance-names.js';
import type { TimeScale } from '../../../jssp/shop-clock.js';

/** Downtimes of machines, one column for each property. */
export interface DowntimeColumns {
  readonly machine: readonly number[];
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly resumable: readonly boolean[];
}

/** Setups of machines, each for the operation after it; one column for each property. */
export interface SetupColumns {
  readonly operation: readonly number[];
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** The modes of all operations: those of operation `op` have the numbers `offset[op] … offset[op + 1] − 1`. */
export interface ModeColumns {
  readonly offset: readonly number[];
  readonly machine: readonly number[];
  readonly duration: readonly number[];
}

/** Operators, tools and the like, and the times at which operations (or their setups) use them, by resource and time. */
export interface ResourceColumns {
  readonly names: readonly string[];
  readonly capacity: readonly number[];
  /** Times with a smaller capacity (`amount`), such as shifts without a setter. */
  readonly reduced: {
    readonly resource: readonly number[];
    readonly from: readonly number[];
    readonly to: readonly number[];
    readonly amount: readonly number[];
  };
  readonly uses: {
    readonly resource: readonly number[];
    readonly operation: readonly number[];
    readonly from: readonly number[];
    readonly to: readonly number[];
    readonly amount: readonly number[];
    /** Whether the setup of the operation uses it. */
    readonly isSetup: readonly boolean[];
  };
}

/** A violation with its operations and its span of time. */
export interface ViolationView {
  readonly code: string;
  readonly message: string;
  /** The operation of the violation, −1 for none. */
  readonly operation: number;
  /** The other operation of a pair, −1 for none. */
  readonly other: number;
  /** The machine of the violation, −1 for none. */
  readonly machine: number;
  /** The span of time in which rules are violated; null if the violation has none. */
  readonly stretch: readonly [from: number, to: number] | null;
  /** The index of its root in the list; its own if it is a root. */
  readonly root: number;
  /** The explanation of its root. */
  readonly explanation: string;
}

/**
 * A schedule, or a plan with faults, for drawing. Columns have N entries, one per operation; operation `jobOffset[j] +
 * s` is step s of job j.
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
  /** −1 if the plan states no start. */
  readonly start: readonly number[];
  readonly end: readonly number[];
  /**
   * How much later each operation could start without changing machine orders or increasing the makespan; null for
   * schedules that violate rules or lack operations, and for shops with setups, transport, precedence graphs or
   * resources.
   */
  readonly slack: readonly number[] | null;
  /** The operations of a critical path in order of time; empty for schedules that violate rules or lack operations. */
  readonly critical: readonly number[];
  /** n entries each: the due date of a job, −1 for none, and the cost of a unit of lateness; null as in instances. */
  readonly due: readonly number[] | null;
  readonly weight: readonly number[] | null;
  /** N entries: the earliest start of each operation; null as in instances. */
  readonly release: readonly number[] | null;
  /** Operations whose start is fixed, ascending. */
  readonly fixed: readonly number[];
  readonly downtimes: DowntimeColumns;
  /** Whether the shop has no setups, transport, precedence graphs and resources. */
  readonly isPlain: boolean;
  /** Null if no machine needs setups. */
  readonly setups: SetupColumns | null;
  /** Null if every operation has one machine; `machine` has the chosen ones. */
  readonly modes: ModeColumns | null;
  /** Null if there are none. */
  readonly resources: ResourceColumns | null;
  /** The latest end. */
  readonly makespan: number;
  /** The number of operations without a start. */
  readonly missing: number;
  /** Whether the validator accepts it. */
  readonly valid: boolean;
  /** Violations, up to a limit; `counts` includes all, by code. */
  readonly violations: readonly ViolationView[];
  readonly counts: Readonly<Record<string, number>>;
  /** Busy time of each machine, and its downtime before the makespan. */
  readonly busy: readonly number[];
  readonly down: readonly number[];
}

/**
 * The reason why an operation starts at another time than before. Of explained repairs: `event`, `job`, `machine`,
 * `reassigned`, `place`, `earlier`, `limit`, `later`; `new` if its job has just arrived. Of repaired plans also:
 * `fault` if it was part of a violation, `missing` if it had no start.
 */
export type MoveCause =
  | 'event'
  | 'job'
  | 'machine'
  | 'reassigned'
  | 'place'
  | 'earlier'
  | 'limit'
  | 'later'
  | 'new'
  | 'fault'
  | 'missing';

/** An operation that moved. */
export interface MoveView {
  /** In the numbering of the later schedule. */
  readonly operation: number;
  /** Its machine and time before; −1 if it had none. */
  readonly machine: number;
  readonly start: number;
  readonly end: number;
  readonly cause: MoveCause;
  /** The operation that it waits for, −1 for none. */
  readonly waitsFor: number;
  /** The cause in words. */
  readonly why: string;
}

/** The moves from one schedule to the next, ordered by the new start. */
export interface MovesView {
  /** The moved operations. */
  readonly moved: readonly MoveView[];
  /** The makespan before. */
  readonly makespan: number;
  /** Operations that no longer exist. */
  readonly gone: number;
}

/** A proposed schedule and its moves. */
export interface ProposalView extends ScheduleView {
  readonly moves: MovesView;
}

/** A version of a schedule in execution. */
export interface VersionView {
  readonly version: number;
  /** The time from which it applies. */
  readonly now: number;
  /** The events at that time, in words. */
  readonly events: readonly string[];
  /** The repair method, the approval and the rollback, in words. */
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
  /** The missing parts and the reason; null if none is missing. */
  readonly remark: string | null;
}

/** A stage of a record: its plan, and what moved since the stage before. */
export interface StageView {
  readonly name: string;
  readonly schedule: ScheduleView;
  /** Null for the first stage, and if the instance has changed since. */
  readonly moves: MovesView | null;
}

/** A span of characters of an answer with its interpretation. */
export interface SpanView {
  readonly from: number;
  readonly to: number;
  /** The operation that it is read as, in the numbers of the instance; −1 if it names none. */
  readonly operation: number;
  /** In words, with the values that were filled in. */
  readonly words: string;
}

/** A request to a model and its answer. */
export interface TurnView {
  /** The file of the answer, in the directory of the run. */
  readonly file: string;
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly text: string }[];
  readonly answer: string;
  /** Stop reason of the model and usage, in words. */
  readonly remarks: readonly string[];
  /** Entries that were read from the answer, by their position. */
  readonly spans: readonly SpanView[];
  /** Skipped parts, by line. */
  readonly ignored: readonly { readonly line: number; readonly words: string }[];
}
