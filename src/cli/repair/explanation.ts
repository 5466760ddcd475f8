import type { Instance } from '../../jssp/instance.js';
import { labelsOf } from '../../jssp/labels.js';
import { changedNeeds } from '../../jssp/need-words.js';
import { chosenMode, modeMachine } from '../../jssp/shop-parts.js';
import { wordsOf } from '../../jssp/words.js';
import { reasonOfEvent } from '../../lcrp/metrics/edit-words.js';
import { type Cause, type Edit, explainRepair } from '../../lcrp/metrics/explain.js';
import type { LimitsCost } from '../../lcrp/metrics/limits-cost.js';
import type { RepairResult } from '../../lcrp/repair-result.js';
import { type Column, columnsOf } from '../../report/columns.js';
import { whole } from '../../report/format.js';
import { machineChange, needsChange } from '../common/mode-change.js';
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
  /** The planned machine … */
  readonly machine: string;
  /** … and the new one, if it is another. */
  readonly new_machine?: string;
  /** The operators and tools that the planned mode needs and the new one does not, and the other way round. */
  readonly needs?: readonly string[];
  readonly new_needs?: readonly string[];
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
    ...modeChange(task.instance, schedule.instance, operation),
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

/** The machine, operators and tools that differ from the planned ones. */
function modeChange(
  planned: Instance,
  instance: Instance,
  op: number,
): Pick<ExplainedEdit, 'new_machine' | 'needs' | 'new_needs'> {
  const [fromMode, toMode] = [chosenMode(planned, op), chosenMode(instance, op)];
  if (fromMode === toMode) return {};
  const needs = changedNeeds(instance, fromMode, toMode);
  const hasOthers = needs.from.length + needs.to.length > 0;
  const isElsewhere = modeMachine(instance, fromMode) !== modeMachine(instance, toMode);
  return {
    ...(isElsewhere && {
      new_machine: labelsOf(instance).machine(modeMachine(instance, toMode)),
    }),
    ...(hasOthers && { needs: needs.from, new_needs: needs.to }),
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
  column('machine', (_, { machine, new_machine: other }) => machineChange(machine, other), {
    align: 'left',
  }),
  ...(instance.modes === null
    ? []
    : [column.of('new_machine', ({ new_machine: other }) => other ?? null, { hidden: true })]),
  ...(instance.resources === null
    ? []
    : [
        column.of('needs', ({ needs, new_needs: other }) => needsChange(needs, other), {
          header: 'operators and tools',
          when: (rows) => rows.some(({ new_needs: other }) => other !== undefined),
        }),
      ]),
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
