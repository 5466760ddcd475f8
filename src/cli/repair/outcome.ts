import { formatEvent } from '../../disruption/index.js';
import { labelsOf } from '../../jssp/labels.js';
import { endChangeWords, wordsOf } from '../../jssp/words.js';
import type { RepairMetrics } from '../../lcrp/metrics/metrics.js';
import type { RepairPolicy } from '../../lcrp/policy/policy.js';
import type { RepairResult } from '../../lcrp/repair-result.js';
import { type Column, columnsOf } from '../../report/columns.js';
import { counted, share, whole } from '../../report/format.js';
import { datesOf, durationFormat, timeColumn } from '../common/shop-times.js';
import type { Explanation } from './explanation.js';

/** The outcome of a repair after events, as `alas-jssp repair` prints it. */
export interface RepairOutcome extends Pick<RepairResult, 'applied' | 'judgement' | 'lostPins'> {
  readonly instance: string;
  readonly method: string;
  /** Violations of the given plan. */
  readonly violations: number;
  readonly metrics: RepairMetrics;
  /** The objective of the policy. */
  readonly objective: RepairPolicy['objective'];
  /** Null unless requested. */
  readonly explanation: Explanation | null;
}

/** The outcome for programs, with all metrics. */
export function toJson({ instance, method, violations, ...outcome }: RepairOutcome): object {
  const { applied, judgement, metrics, explanation } = outcome;
  const { phase, makespan, ...measures } = metrics;
  const labels = labelsOf(applied.instance);
  const { jobOf, jobOffset } = applied.instance;
  const place = (op: number) => ({
    job: labels.job(jobOf[op]),
    step: op - jobOffset[jobOf[op]] + 1,
  });
  return {
    schema: 'alas-jssp/repair@2',
    instance,
    method,
    now: applied.now,
    events: applied.events.map((event) => formatEvent(event, applied.instance)),
    arrived: applied.arrived.map(({ job, name = null }) => ({ job: labels.job(job), name })),
    lost: applied.lost.length,
    phase,
    objective: outcome.objective,
    violations_before: violations,
    feasible: judgement.feasible,
    executable: judgement.executable,
    violations: judgement.violations,
    makespan_before: makespan.before,
    makespan_compensated: makespan.compensated,
    makespan_reordered: makespan.reordered,
    makespan: makespan.final,
    ...datesOf(applied.instance, {
      now: applied.now,
      makespan_before: makespan.before,
      makespan: makespan.final,
    }),
    lost_pins: outcome.lostPins.map(({ operation, reason, earliest, with: others }) => ({
      ...place(operation),
      reason,
      earliest,
      with: others.map(place),
    })),
    metrics: measures,
    ...(explanation === null ? {} : { explanation }),
  };
}

/** The outcome in one line. */
export function describe(outcome: RepairOutcome): string {
  const { instance, method, applied, judgement, metrics } = outcome;
  const { before, final } = metrics.makespan;
  const { tardiness } = metrics;
  const { time, duration } = wordsOf(applied.instance);
  const late = aimsAtTardiness(outcome)
    ? `, total weighted tardiness ${duration(tardiness.before)} → ${duration(tardiness.final)}`
    : applied.instance.due === null
      ? ''
      : ', objective makespan';
  const end = endChangeWords(applied.instance, { before, after: final });
  const verdict = judgement.feasible ? 'feasible' : 'infeasible';
  const edited = counted(metrics.edited_operations, 'operation');
  return `${instance}: repaired by ${method} at ${time(applied.now)}, ${verdict}, ${end}${late}, ${edited} edited`;
}

function aimsAtTardiness({ objective }: RepairOutcome): boolean {
  return objective === 'total-weighted-tardiness';
}

const column = columnsOf<RepairOutcome>();

/** Tables show the tardiness if it is the objective. */
const ofTardiness = { when: (rows: readonly RepairOutcome[]) => rows.some(aimsAtTardiness) };

/** The outcome as a table of one row. */
export const outcomeColumns = ({
  applied: { instance },
}: RepairOutcome): Column<RepairOutcome>[] => [
  column('instance'),
  column('method', { minor: 1 }),
  timeColumn('now', instance, ({ applied }) => applied.now, { minor: 3 }),
  column('metrics.phase', { key: 'phase' }),
  timeColumn('makespan_before', instance, ({ metrics }) => metrics.makespan.before, {
    header: 'planned',
  }),
  timeColumn('makespan_compensated', instance, ({ metrics }) => metrics.makespan.compensated, {
    header: 'compensated',
    minor: 2,
  }),
  timeColumn('makespan', instance, ({ metrics }) => metrics.makespan.final),
  column('metrics.tardiness.before', durationFormat(instance), {
    key: 'tardiness_before',
    header: 'tardiness planned',
    ...ofTardiness,
  }),
  column('metrics.tardiness.final', durationFormat(instance), { key: 'tardiness', ...ofTardiness }),
  column('metrics.edited_operations', whole, { key: 'edited_operations', header: 'edited' }),
  column('metrics.edit_radius', whole, { key: 'edit_radius', header: 'radius', minor: 4 }),
  column('metrics.shift_total', durationFormat(instance), {
    key: 'shift_total',
    header: 'shift',
    minor: 5,
  }),
  column('metrics.kendall', share(1), { key: 'kendall', header: 'kendall %', minor: 7 }),
  column('metrics.match_up', whole, { key: 'match_up', header: 'match-up', minor: 6 }),
  column('judgement.feasible', { key: 'feasible' }),
  column('objective', { when: () => instance.due !== null, minor: 1 }),
];
