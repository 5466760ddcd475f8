import { reasonOfEdit } from 'alas-jssp/internal/service';
import { type Cause, type Edit, explainRepair, type RepairResult } from 'alas-jssp/lcrp';
import * as z from 'zod';
import { timeSchema } from '../../api/common.js';
import { wireOperation, wireTime } from '../../api/wire.js';
import { WORST } from '../tool.js';

/** An operation whose start changed, and the reason. */
const moveAnswer = z.object({
  job: z.string(),
  step: z.number(),
  operation: z.string().optional(),
  machine: z.string(),
  was: timeSchema,
  start: timeSchema,
  cause_kind: z.string(),
  cause: z.string(),
});

/** The moves of a repair: the number of each kind, and the largest. */
export const movesAnswer = {
  moved: z.number(),
  by_cause: z.record(z.string(), z.number()),
  worst: z.array(moveAnswer),
  more: z.number().describe('Moves that are not listed'),
};

/** Summarizes the moves of a repair, the largest first. */
export function describeMoves(result: RepairResult, most = WORST) {
  const edits = explainRepair(result);
  const { planned } = result.task;
  const { start } = result.schedule;
  const shift = ({ operation }: Edit) => Math.abs(start[operation] - planned[operation]);
  const worst = edits.toSorted((a, b) => shift(b) - shift(a) || a.operation - b.operation);
  const by_cause: Partial<Record<Cause, number>> = {};
  for (const { cause } of edits) by_cause[cause] = (by_cause[cause] ?? 0) + 1;
  return {
    moved: edits.length,
    by_cause: by_cause as Record<string, number>,
    worst: worst.slice(0, most).map((edit) => describeMove(edit, result)),
    more: Math.max(0, edits.length - most),
  };
}

/** Describes a move with the names of the shop. */
export function describeMove(edit: Edit, result: RepairResult) {
  const { task, schedule } = result;
  const { instance } = schedule;
  const { job, step, operation, machine, start } = wireOperation(schedule, edit.operation);
  return {
    job,
    step,
    ...(operation === undefined ? {} : { operation }),
    machine,
    was: wireTime(instance.timeScale, task.planned[edit.operation]),
    start,
    cause_kind: edit.cause as string,
    cause: reasonOfEdit(edit, result),
  };
}
