import type { Instance } from '../../jssp/instance.js';
import { labelsOf } from '../../jssp/labels.js';
import { wordsOf } from '../../jssp/words.js';
import { reasonOfEvent } from '../../lcrp/metrics/edit-words.js';
import { type Cause, type Edit, explainRepair } from '../../lcrp/metrics/explain.js';
import type { LimitsCost } from '../../lcrp/metrics/limits-cost.js';
import type { RepairResult } from '../../lcrp/repair-result.js';
import { type Column, columnsOf } from '../../report/columns.js';
import { whole } from '../../report/format.js';
import { datesOf, timeColumn } from '../common/shop-times.js';

/** The causes of a repair's edits, in the spelling of our files. */
export interface Explanation {
  readonly edits: readonly ExplainedEdit[];
  /** The cost of the limits of the policy; null if it has none. */
  readonly limits: LimitsCost | null;
}

/** An edited operation; jobs and steps count from 1. */
interface ExplainedEdit {
  readonly job: string;
  readonly step: number;
  /** The name of the operation, if it has one. */
  readonly operation?: string;
  readonly machine: string;
  readonly planned: number;
  readonly start: number;
  /** The same as dates, if the shop has a clock. */
  readonly planned_date?: string | number;
  readonly start_date?: string | number;
  readonly cause: Cause;
  readonly waits_for: Pick<ExplainedEdit, 'job' | 'step' | 'operation'> | null;
  /** Number of the event that caused the edit, from 1. */
  readonly event: number | null;
  /** The event in words. */
  readonly event_text: string | null;
}

/** Explains a repair; `limits` is the cost of its policy's limits. */
export function explain(result: RepairResult, limits: LimitsCost | null): Explanation {
  const edits = explainRepair(result);
  return { edits: edits.map((edit) => spell(edit, result)), limits };
}

function spell(
  { operation, cause, waitsFor, event }: Edit,
  { task, schedule, applied }: RepairResult,
): ExplainedEdit {
  const { jobOf, jobOffset, machine } = task.instance;
  const labels = labelsOf(task.instance);
  const place = (op: number) => {
    const job = jobOf[op];
    const step = op - jobOffset[job];
    const name = labels.operation(job, step);
    return { job: labels.job(job), step: step + 1, ...(name && { operation: name }) };
  };
  return {
    ...place(operation),
    machine: labels.machine(machine[operation]),
    planned: task.planned[operation],
    start: schedule.start[operation],
    ...datesOf(task.instance, {
      planned: task.planned[operation],
      start: schedule.start[operation],
    }),
    cause,
    waits_for: waitsFor === null ? null : place(waitsFor),
    event: event === null ? null : event + 1,
    event_text: event === null ? null : reasonOfEvent(applied.events[event], applied),
  };
}

/** The cost of the limits in one line; none without limits. */
export function describeExplanation({ limits }: Explanation, instance: Instance): string[] {
  if (limits === null) return [];
  const { objective, within, without } = limits;
  const { time, duration } = wordsOf(instance);
  const isEnd = objective === 'makespan';
  const words = isEnd ? time : duration;
  const name = isEnd ? (instance.timeScale === null ? 'makespan' : 'all done') : 'tardiness';
  return [
    `the limits cost ${duration(within - without)}: ${name} ${words(within)} within them, ${words(without)} without`,
  ];
}

const column = columnsOf<ExplainedEdit>();

/** The columns of edits, with the names and the clock of the shop. */
export const editColumns = (instance: Instance): Column<ExplainedEdit>[] => [
  column('job'),
  column('step', (step, { operation }) => operation ?? whole(step)),
  column('machine'),
  timeColumn('planned', instance, ({ planned }) => planned),
  timeColumn('start', instance, ({ start }) => start),
  column('cause'),
  column.of(
    'waits_for',
    ({ waits_for: other }) => other && `${other.job} ${other.operation ?? `step ${other.step}`}`,
  ),
  column('event', whole, { header: '#' }),
  column('event_text', { header: 'event', minor: 1 }),
];
