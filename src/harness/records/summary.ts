import { groupBy, mean, present, quantile, sum } from '../statistics/descriptive.js';
import { measure } from './limits.js';
import type { RunRecord } from './record.js';
import { type StageRow, summarizeStages } from './stage-summary.js';

/** Results of a planner on one suite, or on all. */
export interface SummaryRow {
  /** Null: all suites together. */
  suite: string | null;
  planner: string;
  /** Whether the planner makes faulty, empty or random plans on purpose. */
  synthetic: boolean;
  variant: string;
  /** Repair method of the execution; null if schedules were not executed. */
  method: string | null;
  /** The minimised objective. */
  objective: RunRecord['objective'];
  /** Number of records. */
  records: number;
  feasible: number;
  infeasible: number;
  errors: number;
  /** Feasible records per 100 records. */
  success_percent: number;
  /** Number of feasible records whose plan was repaired. */
  repaired: number;
  /** Number of records with an optimize stage. */
  optimized: number;
  /** Mean gap of the plans alone: equals `gap_percent` if no stage followed. */
  plan_gap_percent: number | null;
  /** Number of feasible records with a known upper bound, over which the next three are averaged. */
  measured: number;
  /** Mean of best known upper bound / makespan; null if there is none. */
  optimality_percent: number | null;
  /** Mean gap to the best known upper bound. */
  gap_percent: number | null;
  /** Geometric mean of makespan / best known upper bound, less 100%. */
  geometric_gap_percent: number | null;
  /** Mean total weighted tardiness of the feasible records; null without due dates. */
  tardiness_mean: number | null;
  /** Number of records whose objective meets a proven lower bound. */
  proven_optimal: number;
  /** Number of records whose schedule was executed. */
  executed: number;
  /** Mean growth of the makespan in percent of the planned one, over feasible records. */
  degradation_percent: number | null;
  /**
   * Mean numbers of operations that all repairs of a record edited, moved to another position, and gave another mode,
   * over feasible records.
   */
  edited_operations: number | null;
  rank_changes: number | null;
  reassigned: number | null;
  /** Number of repairs. */
  repairs: number;
  /** Median and 99th percentile of the latency of repairs with affected operations. */
  latency_p50_seconds: number | null;
  latency_p99_seconds: number | null;
  seconds_total: number;
  seconds_mean: number;
}

/** The content of `summary.json`. */
export interface RunSummary {
  schema: 'alas-jssp/summary@1';
  /** Number of records so far, and in a finished run. */
  records: number;
  planned: number;
  interrupted: boolean;
  /** By suite, planner, variant and method. */
  suites: SummaryRow[];
  /** By planner, variant and method, all suites together. */
  overall: SummaryRow[];
  /** By stage, for planners that use a model: by planner and variant, all suites together. */
  stages: StageRow[];
}

/** Summarises the records of a run, which has `planned` records when it is finished. */
export function summarize(
  records: readonly RunRecord[],
  planned = records.length,
  interrupted = false,
): RunSummary {
  const rows = (suiteOf: (record: RunRecord) => string | null) =>
    groupRecords(records, suiteOf).map((group) => summarizeGroup(group, suiteOf(group[0])));
  return {
    schema: 'alas-jssp/summary@1',
    records: records.length,
    planned,
    interrupted,
    suites: rows(({ suite }) => suite),
    overall: rows(() => null),
    stages: [...groupBy(records, stageKey).values()].flatMap(summarizeStages),
  };
}

/** Key of a planned schedule; methods that execute it share its stages. */
function stageKey({ planner, variant }: RunRecord): string {
  return JSON.stringify([planner, variant]);
}

/** Groups of records with the same suite (as `suiteOf` sees it), planner, variant and method. */
export function groupRecords<T extends Pick<RunRecord, 'suite' | 'planner' | 'variant' | 'method'>>(
  records: readonly T[],
  suiteOf: (record: T) => string | null = ({ suite }) => suite,
): T[][] {
  const key = (record: T) =>
    JSON.stringify([suiteOf(record), record.planner, record.variant, record.method]);
  return [...groupBy(records, key).values()];
}

function summarizeGroup(group: readonly RunRecord[], suite: string | null): SummaryRow {
  const { planner, synthetic, variant, method, objective } = group[0];
  const feasible = group.filter((record) => record.feasible);
  const seconds = sum(group.map((record) => record.seconds.total));
  return {
    suite,
    planner,
    synthetic,
    variant,
    method,
    objective,
    records: group.length,
    feasible: feasible.length,
    infeasible: group.filter(({ status }) => status === 'infeasible').length,
    errors: group.filter(({ status }) => status === 'error').length,
    success_percent: (100 * feasible.length) / group.length,
    repaired: feasible.filter(({ stages }) => stages.repair !== null).length,
    optimized: group.filter(({ stages }) => stages.optimize !== null).length,
    plan_gap_percent: mean(present(group.map(({ stages }) => stages.plan?.gap_percent ?? null))),
    measured: group.filter(({ gap_percent }) => gap_percent !== null).length,
    optimality_percent: measure('optimality', group),
    gap_percent: measure('gap', group),
    geometric_gap_percent: measure('geogap', group),
    tardiness_mean: mean(present(feasible.map(({ tardiness }) => tardiness))),
    proven_optimal: group.filter((record) => record.proven_optimal).length,
    ...summarizeExecutions(group),
    seconds_total: seconds,
    seconds_mean: seconds / group.length,
  };
}

/** Means are over feasible records: an abandoned execution has fewer repairs. */
function summarizeExecutions(group: readonly RunRecord[]) {
  const executed = group.filter(({ disruption }) => disruption !== null);
  const feasible = executed.filter((record) => record.feasible);
  const growth = feasible.map(({ disruption }) => disruption?.outcome.degradation_percent ?? null);
  const edits = feasible.map(({ repair }) => repair);
  const steps = executed.flatMap(({ disruption }) => disruption?.steps ?? []);
  const hit = steps.filter(({ affected }) => affected > 0);
  const seconds = hit.map((step) => step.seconds);
  return {
    executed: executed.length,
    degradation_percent: mean(present(growth)),
    edited_operations: mean(present(edits.map((one) => one?.edited_operations ?? null))),
    rank_changes: mean(present(edits.map((one) => one?.rank_changes ?? null))),
    reassigned: mean(present(edits.map((one) => one?.reassigned ?? null))),
    repairs: steps.length,
    latency_p50_seconds: quantile(seconds, 0.5),
    latency_p99_seconds: quantile(seconds, 0.99),
  };
}
