import type { AppliedEvents } from '../disruption/index.js';
import type { Schedule } from '../jssp/schedule.js';
import type { Judgement } from './judge-repair.js';
import type { Repaired, RepairTask } from './task.js';
import type { Times } from './times.js';

/** One repair: what was asked, and what came of it. */
export interface RepairResult extends Repaired {
  readonly task: RepairTask;
  /** What was planned, in the numbers of the task. */
  readonly before: Times;
  readonly applied: AppliedEvents;
  /** What the validator says: it breaks no rule, but it may miss a deadline. */
  readonly judgement: Judgement;
  /** The starts that are not the planned ones. */
  readonly edits: Edits;
}

/** Operations, ascending, that got another start, and these starts. */
export interface Edits {
  readonly operation: Int32Array;
  readonly start: Int32Array;
}

/** Where a schedule starts what at another time than planned. O(N). */
export function editsOf(before: Times, { start }: Schedule): Edits {
  const edited: number[] = [];
  for (let op = 0; op < start.length; op++) if (start[op] !== before.start[op]) edited.push(op);
  const operation = Int32Array.from(edited);
  return { operation, start: operation.map((op) => start[op]) };
}
