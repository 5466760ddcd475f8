import { InputError } from '../core/errors.js';
import { changedInstances, enumerate, expectedCells, type Manifest } from './manifest.js';
import {
  measureQuality,
  measureStage,
  type RecordIdentity,
  type RecordStages,
  type RunRecord,
  recordKey,
} from './record.js';
import type { StoredRun } from './run-directory.js';

/**
 * How a record compares with the same one of the baseline; `incomparable` if neither has a feasible
 * schedule, or one claims to beat a proven bound.
 */
export type PairVerdict = 'better' | 'worse' | 'same' | 'incomparable';

/** A record and the one of the baseline for the same instance, variant and replicate. */
export interface Pair {
  /** Both are measured anew against the bounds that the run knows, so that gaps compare. */
  readonly run: RunRecord;
  readonly baseline: RunRecord;
  readonly verdict: PairVerdict;
  /** Change of the makespan in percent of the baseline's, null where there is none to speak of. */
  readonly change_percent: number | null;
  /** What the verdict rests on, in words. */
  readonly reason: string;
}

/** A run beside its baseline. */
export interface Comparison {
  readonly schema: 'alas-jssp/comparison@1';
  /** Version and commit of the package that made the run and the baseline. */
  readonly versions: Record<'run' | 'baseline', { version: string; commit: string | null }>;
  /** Whether they repaired infeasible plans. */
  readonly repair: Record<'run' | 'baseline', boolean>;
  /** Budgets of their optimize stages; null for none. */
  readonly optimize: Record<'run' | 'baseline', string | null>;
  /** Every record of the run with its partner, in the order of the run's matrix. */
  readonly pairs: readonly Pair[];
  /** Number of pairs by verdict. */
  readonly counts: Readonly<Record<PairVerdict, number>>;
  /** Number of records of the baseline, by the planners that are compared, without a partner. */
  readonly baseline_only: number;
}

/** Which planners to compare; by default each with itself. */
export interface ComparedPlanners {
  /** Only this one of the run. */
  readonly planner?: string | undefined;
  /** With this one of the baseline. */
  readonly baselinePlanner?: string | undefined;
}

/**
 * Pairs the records of a run with those of a baseline, by instance, planner, variant and
 * replicate. The baseline may hold more than the run, never less.
 *
 * @param planners compares one planner with another, also within a run that is its own baseline
 * @throws InputError `other_planner` if the run has no such planner, `incomplete_run` if the run is
 *   not finished, `other_baseline` with all differences if the baseline was made of other
 *   instances, checksums, planners or settings
 */
export function compareRuns(
  run: StoredRun,
  baseline: StoredRun,
  planners: ComparedPlanners = {},
): Comparison {
  const plan = pairing(run.manifest, planners);
  refuseIncompleteRun(run, plan.cells);
  requireComparable(run.manifest, baseline, planners);
  const own = byKey(run.records);
  const others = byKey(baseline.records);
  const pairs = plan.cells.flatMap((cell) => {
    const [record, partner] = [own.get(recordKey(cell)), others.get(recordKey(plan.partner(cell)))];
    return record && partner ? pairRecords(record, partner) : [];
  });
  const counts = { better: 0, worse: 0, same: 0, incomparable: 0 };
  for (const { verdict } of pairs) counts[verdict]++;
  return {
    schema: 'alas-jssp/comparison@1',
    versions: { run: versionOf(run), baseline: versionOf(baseline) },
    repair: { run: run.manifest.repair, baseline: baseline.manifest.repair },
    optimize: { run: run.manifest.optimize, baseline: baseline.manifest.optimize },
    pairs,
    counts,
    baseline_only: countLeftOver(baseline.records, plan, planners),
  };
}

/**
 * Refuses a baseline that a run could not be compared with, also before there is any record of it.
 *
 * @throws InputError `other_planner` and `other_baseline` as {@link compareRuns} does
 */
export function requireComparable(
  run: Manifest,
  baseline: StoredRun,
  planners: ComparedPlanners = {},
): void {
  const plan = pairing(run, planners);
  const settings = settingDifferences(run, baseline.manifest, plan);
  const differences = settings.length > 0 ? settings : missingRecords(baseline, plan);
  if (differences.length === 0) return;
  throw new InputError(
    'other_baseline',
    `the baseline does not fit the run: ${differences.join('; ')}`,
    'compare runs of the same settings, or make a new baseline with these',
  );
}

/** Which cells of a run are compared, and with which of the baseline. */
interface Pairing {
  readonly cells: readonly RecordIdentity[];
  partner(cell: RecordIdentity): RecordIdentity;
}

function pairing(run: Manifest, { planner, baselinePlanner }: ComparedPlanners): Pairing {
  if (planner !== undefined && !run.planners.includes(planner)) {
    throw new InputError(
      'other_planner',
      `the run has no planner ${planner}`,
      `it has ${run.planners.join(', ')}`,
      {},
      planner,
    );
  }
  const cells = [...expectedCells(run)];
  return {
    cells: planner === undefined ? cells : cells.filter((cell) => cell.planner === planner),
    partner: (cell) => ({ ...cell, planner: baselinePlanner ?? cell.planner }),
  };
}

function countLeftOver(
  records: readonly RunRecord[],
  { cells, partner }: Pairing,
  { planner, baselinePlanner }: ComparedPlanners,
): number {
  const wanted = baselinePlanner ?? planner;
  const paired = new Set(cells.map((cell) => recordKey(partner(cell))));
  return records.filter(
    (record) =>
      (wanted === undefined || record.planner === wanted) && !paired.has(recordKey(record)),
  ).length;
}

function pairRecords(run: RunRecord, partner: RunRecord): Pair {
  const measured = remeasure(run, run);
  const baseline = remeasure(partner, run);
  const refuted = [
    ...(measured.makespan === run.makespan ? [] : [`makespan ${run.makespan}`]),
    ...(baseline.makespan === partner.makespan ? [] : [`makespan ${partner.makespan} before`]),
  ];
  const judged =
    refuted.length === 0
      ? judgePair(measured, baseline)
      : {
          verdict: 'incomparable' as const,
          change_percent: null,
          reason: `${refuted.join(' and ')} contradicts the lower bound ${run.lower_bound}`,
        };
  return { run: measured, baseline, ...judged };
}

/** A record as the bounds say; a makespan below a proven bound is no success. */
function remeasure(record: RunRecord, bounds: RunRecord): RunRecord {
  const { lower_bound, lower_bound_source, upper_bound } = bounds;
  const makespan = unlessRefuted(record.makespan, lower_bound);
  const isRefuted = makespan !== record.makespan;
  const failure = isRefuted ? { status: 'infeasible' as const, feasible: false } : {};
  const quality = measureQuality(makespan, bounds);
  const stages = remeasureStages(record.stages, bounds);
  const known = { lower_bound, lower_bound_source, upper_bound };
  return { ...record, ...known, ...quality, ...failure, stages };
}

function remeasureStages(
  { plan, repair, optimize }: RecordStages,
  bounds: RunRecord,
): RecordStages {
  const measure = ({ makespan }: { makespan: number | null }) =>
    measureStage(unlessRefuted(makespan, bounds.lower_bound), bounds);
  return {
    plan: plan && measure(plan),
    repair: repair && measure(repair),
    optimize: optimize && { ...optimize, ...measure(optimize) },
  };
}

function unlessRefuted(makespan: number | null, bound: number): number | null {
  return makespan !== null && makespan < bound ? null : makespan;
}

function judgePair(run: RunRecord, baseline: RunRecord): Omit<Pair, 'run' | 'baseline'> {
  if (run.makespan !== null && baseline.makespan !== null) {
    const difference = run.makespan - baseline.makespan;
    const change = difference === 0 ? 0 : (100 * difference) / baseline.makespan;
    const change_percent = Number.isFinite(change) ? change : null;
    const reason = `makespan ${run.makespan}, was ${baseline.makespan}`;
    return { verdict: verdictOf(difference), change_percent, reason };
  }
  const reason = `${describe(run)}, was ${describe(baseline)}`;
  if (run.makespan !== null) return { verdict: 'better', change_percent: null, reason };
  const verdict = baseline.makespan !== null ? 'worse' : 'incomparable';
  return { verdict, change_percent: null, reason };
}

function verdictOf(difference: number): PairVerdict {
  if (difference === 0) return 'same';
  return difference < 0 ? 'better' : 'worse';
}

function describe({ status, makespan }: RunRecord): string {
  return status === 'ok' ? `makespan ${makespan}` : status;
}

function refuseIncompleteRun({ records }: StoredRun, cells: readonly RecordIdentity[]): void {
  const present = byKey(records);
  const missing = cells.filter((cell) => !present.has(recordKey(cell))).length;
  if (missing === 0) return;
  throw new InputError(
    'incomplete_run',
    `${missing} of the ${cells.length} records of the run are missing`,
    'finish it with --resume before it is compared',
  );
}

function settingDifferences(
  now: Manifest,
  before: Manifest,
  { cells, partner }: Pairing,
): string[] {
  const names = now.instances.map(({ instance }) => instance);
  const known = before.instances.map(({ instance }) => instance);
  const planners = [...new Set(cells.map((cell) => partner(cell).planner))];
  return [
    list('instances it lacks', without(names, known)),
    list('instances of other numbers', changedInstances(now, before)),
    list('planners it lacks', without(planners, before.planners)),
    list('variants it lacks', without(now.variants, before.variants)),
    now.replicates > before.replicates
      ? [`${now.replicates} replicates instead of ${before.replicates}`]
      : [],
    now.seed === before.seed ? [] : [`seed ${now.seed} instead of ${before.seed}`],
  ].flat();
}

function missingRecords(baseline: StoredRun, { cells, partner }: Pairing): string[] {
  const present = byKey(baseline.records);
  const missing = cells.map(partner).filter((cell) => !present.has(recordKey(cell)));
  const names = missing.map(({ instance, planner }) => `${planner} on ${instance}`);
  return list('records it lacks', names);
}

function byKey(records: readonly RunRecord[]): Map<string, RunRecord> {
  return new Map(records.map((record) => [recordKey(record), record]));
}

function versionOf({ manifest }: StoredRun): Comparison['versions']['run'] {
  return { version: manifest.version, commit: manifest.commit };
}

function list(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${what}: ${enumerate(names)}`];
}

function without(names: readonly string[], known: readonly string[]): string[] {
  const there = new Set(known);
  return names.filter((name) => !there.has(name));
}
