import { formatSeconds } from '../../../format.js';
import type { PageData } from '../../views/page-data.js';
import { DataTable, type TableColumn } from '../parts/data-table.js';
import { decimals } from '../parts/numbers.js';
import {
  executionRows,
  namer,
  type PlannerRow,
  type PlannerSummary,
  plannerRows,
  syntheticPlanners,
} from './planner-rows.js';

interface Props {
  readonly data: PageData;
  readonly suite: string | null;
}

const columns: readonly TableColumn<PlannerRow>[] = [
  {
    key: 'planner',
    header: 'planner',
    about: 'The planner as it was named, and the variant of the pipeline if there are several',
    value: ({ name }) => name,
    show: ({ name, isSynthetic }) => marked(name, isSynthetic),
  },
  {
    key: 'primal_gap',
    header: 'primal gap, %',
    about:
      'Mean over instances of (makespan − best known) / makespan in the end; without a feasible schedule it counts 100',
    value: ({ anytime }) => anytime?.final_gap_percent ?? null,
    show: ({ anytime }) => decimals(anytime?.final_gap_percent ?? null, 2),
  },
  {
    key: 'gap',
    header: 'gap, %',
    about: 'Mean of (makespan − upper bound) / upper bound, of feasible schedules only',
    value: ({ summary }) => summary.gap_percent,
    show: ({ summary }) => decimals(summary.gap_percent, 2),
    minor: true,
  },
  {
    key: 'feasible',
    header: 'feasible',
    about: 'Records with a schedule that the validator accepts, of all records',
    value: ({ summary }) => summary.success_percent,
    show: ({ summary }) => `${summary.feasible} of ${summary.records}`,
    ascending: false,
  },
  {
    key: 'repaired',
    header: 'repaired',
    about: 'Feasible records whose plan was infeasible and has been repaired',
    value: ({ summary }) => summary.repaired,
    minor: true,
    ascending: false,
  },
  {
    key: 'errors',
    header: 'errors',
    about: 'Records without any plan, or in which something failed',
    value: ({ summary }) => summary.errors,
    minor: true,
    ascending: false,
  },
  {
    key: 'optimal',
    header: 'optimal',
    about: 'Records whose makespan meets a proven lower bound',
    value: ({ summary }) => summary.proven_optimal,
    minor: true,
    ascending: false,
  },
  {
    key: 'integral',
    header: 'primal integral',
    about:
      'Mean over instances of the primal gap summed up over time (Berthold 2013), in seconds: small if good schedules came early',
    value: ({ anytime }) => anytime?.primal_integral_seconds ?? null,
    show: ({ anytime }) => formatSeconds(anytime?.primal_integral_seconds ?? null),
    minor: true,
  },
  {
    key: 'seconds',
    header: 'time',
    about: 'Mean wall-clock time of a record, all stages together',
    value: ({ summary }) => summary.seconds_mean,
    show: ({ summary }) => formatSeconds(summary.seconds_mean),
  },
];

function marked(name: string, isSynthetic: boolean) {
  return (
    <>
      {name}
      {isSynthetic && <span class="quiet"> (synthetic)</span>}
    </>
  );
}

/** The planners of a suite, the best first. */
export function PlannerTable({ data, suite }: Props) {
  const rows = plannerRows(data, suite);
  if (rows.length === 0) return null;
  return (
    <DataTable
      caption={`Planners on ${suite ?? 'all suites'}`}
      columns={columns}
      rows={rows}
      id={({ name }) => name}
    />
  );
}

/** Schedules under disruptions, by planner and repair method. */
export function ExecutionTable({ data, suite }: Props) {
  const rows = executionRows(data, suite);
  if (rows.length === 0) return null;
  const nameOf = namer(data);
  const synthetic = syntheticPlanners(data);
  const executionColumns: readonly TableColumn<PlannerSummary>[] = [
    {
      key: 'planner',
      header: 'planner',
      about: 'The planner of the schedule that was executed',
      value: nameOf,
      show: (line) => marked(nameOf(line), synthetic.has(line.planner)),
    },
    {
      key: 'method',
      header: 'repair by',
      about: 'The method that repaired the schedule when something happened',
      value: ({ method }) => method,
    },
    {
      key: 'feasible',
      header: 'finished',
      about: 'Executions that ended with a feasible schedule, of all records',
      value: ({ success_percent }) => success_percent,
      show: ({ feasible, records }) => `${feasible} of ${records}`,
      ascending: false,
    },
    {
      key: 'degradation',
      header: 'longer by, %',
      about: 'By how much the realised makespan is longer than the planned one, on average',
      value: ({ degradation_percent }) => degradation_percent,
      show: ({ degradation_percent }) => decimals(degradation_percent, 2),
    },
    {
      key: 'edited',
      header: 'edited',
      about: 'Operations that the repairs of a record gave another time or place, on average',
      value: ({ edited_operations }) => edited_operations,
      show: ({ edited_operations }) => decimals(edited_operations, 1),
    },
    {
      key: 'rank',
      header: 'reordered',
      about: 'Operations that got another place in the queue of their machine, on average',
      value: ({ rank_changes }) => rank_changes,
      show: ({ rank_changes }) => decimals(rank_changes, 1),
      minor: true,
    },
    {
      key: 'latency',
      header: 'repair takes',
      about: 'Time that half of the repairs took at most',
      value: ({ latency_p50_seconds }) => latency_p50_seconds,
      show: ({ latency_p50_seconds }) => formatSeconds(latency_p50_seconds),
      minor: true,
    },
  ];
  return (
    <DataTable
      caption={`Executions on ${suite ?? 'all suites'}`}
      columns={executionColumns}
      rows={rows}
      id={(row) => `${nameOf(row)} ${row.method}`}
    />
  );
}
