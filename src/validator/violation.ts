import type { Instance } from '../jssp/instance.js';

/**
 * All kinds of violations, in the order of reports: those of the whole plan, of entries, of single operations, of pairs,
 * and of groups of operations.
 */
export const VIOLATION_CODES = [
  'wrong_makespan',
  'below_lower_bound',
  'unknown_job',
  'unknown_step',
  'unknown_machine',
  'unknown_mode',
  'duplicate_operation',
  'missing_operation',
  'wrong_machine',
  'negative_time',
  'fractional_time',
  'absurd_time',
  'wrong_duration',
  'frozen_moved',
  'frozen_reassigned',
  'release',
  'deadline',
  'downtime',
  'job_precedence',
  'lag_too_short',
  'lag_too_long',
  'machine_overlap',
  'setup',
  'resource_overload',
] as const;

export type ViolationCode = (typeof VIOLATION_CODES)[number];

/** The subject of a violation, if it is a single one; all numbers count from 0. */
export interface ViolationScope {
  readonly job?: number;
  readonly step?: number;
  readonly machine?: number;
  readonly op?: number;
}

/** The numbers that prove a violation, by its code. `entry` is a position in `plan.entries`. */
interface Proofs {
  wrong_makespan: { readonly claimed: number; readonly makespan: number };
  below_lower_bound: {
    readonly makespan: number;
    /** Whether the makespan is only claimed, as opposed to computed from the start times. */
    readonly claimed: boolean;
    readonly bound: number;
    readonly source: string;
  };
  unknown_job: { readonly entry: number; readonly value: number };
  unknown_step: { readonly entry: number; readonly value: number };
  unknown_machine: { readonly entry: number; readonly value: number };
  /** `value` counts from 0; the operation has `modes` of them. */
  unknown_mode: { readonly entry: number; readonly value: number; readonly modes: number };
  /** `start` is that of the later entry, `first` is the entry that counts. */
  duplicate_operation: { readonly entry: number; readonly first: number; readonly start: number };
  missing_operation: object;
  /** `expected` is the machine that counts instead; `possible` are all that can do the operation, if there are several. */
  wrong_machine: {
    readonly claimed: number;
    readonly expected: number;
    readonly possible?: readonly number[] | undefined;
  };
  negative_time: TimeProof;
  fractional_time: TimeProof;
  absurd_time: TimeProof;
  wrong_duration: {
    readonly start: number;
    readonly duration: number;
    readonly claimedEnd: number;
    /** The true completion time: start and duration, through the calendar. */
    readonly end: number;
  };
  frozen_moved: { readonly start: number; readonly frozen: number };
  /** Modes count from 0 among those of the operation. */
  frozen_reassigned: {
    readonly mode: number;
    readonly machine: number;
    readonly frozenMode: number;
    readonly frozenMachine: number;
  };
  release: { readonly start: number; readonly release: number };
  deadline: { readonly end: number; readonly deadline: number };
  downtime: {
    readonly start: number;
    readonly end: number;
    readonly from: number;
    readonly to: number;
    readonly resumable: boolean;
  };
  /** `other` is the job predecessor. */
  job_precedence: { readonly start: number; readonly other: number; readonly otherEnd: number };
  /** `other` is a predecessor in the job; `earliest` is its end, the transport and the least lag. */
  lag_too_short: LagProof & { readonly earliest: number };
  /** `latest` is the end of the predecessor, the transport and the greatest lag. */
  lag_too_long: LagProof & { readonly latest: number };
  /** `other` is the operation that starts first (of equal starts: ends first, lower id). */
  machine_overlap: {
    readonly start: number;
    readonly end: number;
    readonly other: number;
    readonly otherStart: number;
    readonly otherEnd: number;
    /** The duration for which both occupy the machine. */
    readonly overlap: number;
  };
  setup: {
    readonly start: number;
    /** The duration of the setup. */
    readonly setup: number;
    /** The time at which it would have to begin to be done by the start of the operation. */
    readonly begin: number;
    /** The earliest time at which it may begin. */
    readonly earliest: number;
    /** The operation before it on the machine; absent if it is the first one. */
    readonly before?: number | undefined;
  };
  resource_overload: {
    readonly resource: number;
    readonly from: number;
    readonly to: number;
    /** The time at which the need exceeds the capacity most; `need` and `capacity` are those of that time. */
    readonly peak: number;
    readonly need: number;
    readonly capacity: number;
    /** The operations that need the resource then, in the order of their needs; not more than 20. */
    readonly operations: readonly number[];
  };
}

interface LagProof {
  readonly start: number;
  readonly other: number;
  readonly otherEnd: number;
  readonly transport: number;
  readonly lag: number;
}

interface TimeProof {
  readonly field: 'start' | 'end';
  readonly value: number;
}

/** A violation with a specific code. */
export type ViolationOf<C extends ViolationCode> = {
  readonly code: C;
  /** One line for people; jobs and steps from 1, machines from 0, as in files. */
  readonly message: string;
  readonly scope: ViolationScope;
} & Proofs[C];

/** One broken rule or false claim, with the numbers that prove it. */
export type Violation = { [C in ViolationCode]: ViolationOf<C> }[ViolationCode];

/** Occurrences of each code; codes that do not occur count 0. */
export type ViolationCounts = Readonly<Record<ViolationCode, number>>;

/** The scope of a violation that is about one operation. */
export function operationScope(instance: Instance, op: number): ViolationScope {
  const job = instance.jobOf[op];
  return { job, step: op - instance.jobOffset[job], machine: instance.machine[op], op };
}
