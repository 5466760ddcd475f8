import type { AppliedEvents } from '../disruption/index.js';
import type { Schedule } from '../jssp/schedule.js';
import type { ExecutionVerdict } from './judge-repair.js';
import type { RepairPolicy } from './policy/policy.js';
import {
  type LostPin,
  type MethodResult,
  type RepairMethod,
  type RepairTask,
  reassignedIn,
  type Times,
} from './task.js';

/** One repair: the request and its outcome, and everything that explains and measures it. */
export interface RepairResult extends MethodResult {
  readonly task: RepairTask;
  /** The method that made it, and its policy and seed. */
  readonly method: RepairMethod;
  readonly policy: RepairPolicy;
  readonly seed: number;
  /** The schedule before the events. */
  readonly previous: Schedule;
  /** Its times, in the numbers of the task. */
  readonly before: Times;
  readonly applied: AppliedEvents;
  /** The validator's verdict: it violates no rule, but it may miss a deadline. */
  readonly judgement: ExecutionVerdict;
  /** The starts that differ from the planned ones, and those of operations in another mode. */
  readonly edits: Edits;
  /** The operations that the policy holds at their planned starts and that move nevertheless, ascending. */
  readonly lostPins: readonly LostPin[];
}

/** Operations, ascending, that got another start or mode, and their starts. */
export interface Edits {
  readonly operation: Int32Array;
  readonly start: Int32Array;
}

/** The operations that a schedule starts at another time, or does in another mode, than planned. O(N). */
export function editsOf(task: RepairTask, before: Times, schedule: Schedule): Edits {
  const { start } = schedule;
  const isElsewhere = reassignedIn(task, schedule);
  const edited: number[] = [];
  for (let op = 0; op < start.length; op++) {
    if (start[op] !== before.start[op] || isElsewhere(op)) edited.push(op);
  }
  const operation = Int32Array.from(edited);
  return { operation, start: operation.map((op) => start[op]) };
}
