import * as z from 'zod';
import { describeEvent } from '../../../disruption/index.js';
import { wordsOf } from '../../../jssp/words.js';
import { type Cause, type Edit, explainRepair, type RepairResult } from '../../../lcrp/index.js';
import { machineLabel, WORST } from './worst.js';

/** An operation that starts at another time than planned, and why. */
const moveAnswer = z.object({
  operation: z.string(),
  machine: z.string(),
  was: z.union([z.int(), z.string()]),
  start: z.union([z.int(), z.string()]),
  cause_kind: z.string(),
  cause: z.string(),
});

/** The moves of a repair: how many, of which kinds, and those that move most. */
export const movesAnswer = {
  moved: z.int(),
  by_cause: z.record(z.string(), z.int()),
  worst: z.array(moveAnswer),
  more: z.int().describe('Moves that are not listed'),
};

/** The moves of a repair in short, the largest first. */
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

/** A move in the words of the shop. */
export function describeMove(edit: Edit, { task, schedule, applied }: RepairResult) {
  const { operation, cause, waitsFor, event } = edit;
  const { instance, planned } = task;
  const words = wordsOf(instance);
  const told = event === null ? '' : `: ${describeEvent(applied.events[event], applied.instance)}`;
  const other = waitsFor === null ? '' : ` ${words.operation(waitsFor)}`;
  return {
    operation: words.operation(operation),
    machine: machineLabel(instance, instance.machine[operation]),
    was: numberOr(words.time(planned[operation])),
    start: numberOr(words.time(schedule.start[operation])),
    cause_kind: cause as string,
    cause: `${CAUSES[cause]}${other}${told}`,
  };
}

const CAUSES: Readonly<Record<Cause, string>> = {
  event: 'hit by an event',
  job: 'waits for the operation before it in its job,',
  machine: 'waits for the operation before it on its machine,',
  place: 'got another place in the queue of its machine, to gain something',
  earlier: 'starts earlier in its place, to gain something',
  limit: 'is pinned',
  later: 'was moved with all others',
};

function numberOr(text: string): number | string {
  return /^\d+$/.test(text) ? Number(text) : text;
}
