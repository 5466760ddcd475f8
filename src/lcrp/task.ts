import type { Instance } from '../jssp/instance.js';
import type { Schedule } from '../jssp/schedule.js';
import type { OpenPolicy } from './policy/policy.js';

/** The task of a repair method: a shop in execution, and its current plan. */
export interface RepairTask {
  /** The shop in execution: started operations are frozen, free ones are not released before `now`. */
  readonly instance: Instance;
  /** N entries: the planned start of each operation, −1 for unplanned ones. */
  readonly planned: Int32Array;
  readonly now: number;
  /** The operations that events hit directly, ascending. */
  readonly affected: Int32Array;
  /** N entries: the planned mode of each operation; default those chosen in `instance`. Null without modes. */
  readonly plannedModes?: Int32Array | null | undefined;
}

/** The planned mode of each operation; null in a shop without modes. */
export function plannedModesOf({ instance, plannedModes }: RepairTask): Int32Array | null {
  return plannedModes ?? instance.modes?.chosen ?? null;
}

/** A test whether a schedule does an operation in another mode than planned. */
export function reassignedIn(
  task: RepairTask,
  { instance }: Pick<Schedule, 'instance'>,
): (op: number) => boolean {
  const planned = plannedModesOf(task);
  const chosen = instance.modes?.chosen;
  if (planned === null || chosen === undefined || planned === chosen) return () => false;
  return (op) => chosen[op] !== planned[op];
}

/** Starts and completion times of operations, N entries each, −1 for none. */
export interface Times {
  readonly start: Int32Array;
  readonly end: Int32Array;
}

/** The time for the searches of a repair. */
export interface Deadline {
  /** Whether the time is too short for the whole search, which checks the clock only every few milliseconds. */
  readonly isNear: boolean;
  /** Seconds until they must end; Infinity without a limit, 0 or less if it is time. */
  secondsLeft(): number;
  /** Whether they must end: the time is used up, or the repair was aborted. */
  isOver(): boolean;
}

/** Seed, signal and clock of a repair. */
export interface RepairContext {
  readonly seed: number;
  readonly signal?: AbortSignal | undefined;
  /**
   * When the repair began, in monotonic seconds: the seconds of its budget count from there. Default: the time of the
   * call.
   */
  readonly began?: number | undefined;
  /** The time for its searches, if phases share it: see `deadlineOf`. */
  readonly deadline?: Deadline | undefined;
}

/** The phases, in the order of the protocol. */
export const PHASES = ['status', 'compensation', 'reordering', 'growth', 'recompute'] as const;

/** The last phase of the protocol that changed the schedule. */
export type Phase = (typeof PHASES)[number];

/**
 * An operation that should keep its planned start (a pin, or one before the frozen horizon) but does not, and the
 * reason:
 *
 * - `earliest`: it cannot start when planned even if its job is alone in the shop
 * - `conflict`: no schedule keeps it together with the pins in `with`, which are kept
 * - `queue`: no schedule keeps it with the queues of untouchable machines
 * - `not-found`: no schedule was found that keeps it, but its absence is not proven
 * - `method`: the method ignores pins
 */
export interface LostPin {
  readonly operation: number;
  readonly reason: 'earliest' | 'conflict' | 'queue' | 'not-found' | 'method';
  /** The earliest start of its job alone, not before the planned one; null for other reasons. */
  readonly earliest: number | null;
  /** Pins that are kept, ascending; empty for other reasons. */
  readonly with: readonly number[];
}

/** The result of a method, before it is judged and measured. */
export interface MethodResult {
  /** A complete schedule of `task.instance`. */
  readonly schedule: Schedule;
  readonly phase: Phase;
  /** Operations that the method was allowed to change, ascending; null for all free ones. */
  readonly neighbourhood: Int32Array | null;
  /** Moves that were evaluated. */
  readonly evaluations: number;
  /** The schedule after local compensation, if the method has such a phase. */
  readonly compensated: Schedule | null;
  /** The schedule after reordering and growth, before any fallback; null if they did not run. */
  readonly reordered: Schedule | null;
  /** Pins that it does not keep, ascending by operation; undefined if the method ignores pins. */
  readonly lostPins?: readonly LostPin[] | undefined;
}

/** The result of a method with a single phase that may change all free operations. */
export function singlePhaseResult(schedule: Schedule, phase: Phase): MethodResult {
  const phases = { compensated: null, reordered: null };
  return { schedule, phase, neighbourhood: null, evaluations: 0, ...phases };
}

/** A repair method. Deterministic for equal task, policy and seed unless the policy limits time. */
export interface RepairMethod {
  readonly name: string;
  repair(
    task: RepairTask,
    policy: OpenPolicy,
    context: RepairContext,
  ): MethodResult | Promise<MethodResult>;
}
