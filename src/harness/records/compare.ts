import { InputError } from '@alas-jssp/core/errors';
import { plannerName } from '../../jssp/planner-name.js';
import { namedPlanners } from '../attribution/controls.js';
import { type PairTest, testPairs } from '../evaluation/pair-tests.js';
import { changedInstances, enumerate, expectedCells, type Manifest } from '../run/manifest.js';
import { type SettingDifference, specDifferences } from '../run/spec-differences.js';
import type { StoredRun } from '../run/stored-run.js';
import { type Pair, type PairVerdict, pairRecords } from './pair.js';
import { type RecordIdentity, type RunRecord, recordKey } from './record.js';

/** A run compared with its baseline. */
export interface Comparison {
  readonly schema: 'alas-jssp/comparison@1';
  /** Version and commit of the package that made the run and the baseline. */
  readonly versions: Record<'run' | 'baseline', { version: string; commit: string | null }>;
  /** All settings that differ and may affect the results. */
  readonly settings: readonly SettingDifference[];
  /** Every record of the run with its partner, in the order of the run's matrix. */
  readonly pairs: readonly Pair[];
  /** Differences by instance, with intervals and tests. */
  readonly tests: readonly PairTest[];
  /** Number of pairs by verdict. */
  readonly counts: Readonly<Record<PairVerdict, number>>;
  /** Number of compared baseline records without a partner. */
  readonly baseline_only: number;
}

/** Choice of the planners and repair methods to compare; by default each one with itself. */
export interface Compared {
  /** Only this planner of the run. */
  readonly planner?: string | undefined;
  /** The planner of the baseline to compare it with. */
  readonly baselinePlanner?: string | undefined;
  /** Only this repair method of the run. */
  readonly method?: string | undefined;
  /** The repair method of the baseline to compare it with. */
  readonly baselineMethod?: string | undefined;
}

/**
 * Pairs the records of a run with those of a baseline, by instance, planner, variant, method and replicate. The
 * baseline may have more records than the run, but not fewer.
 *
 * @param compared one planner or repair method and another, also within a run that is its own baseline
 * @throws InputError `other_planner` or `other_method` if the run has no such planner or method, `incomplete_run` if
 *   the run is not finished, `other_baseline` with all differences if the baseline was made with other instances,
 *   checksums, planners, methods, disruptions or settings
 */
export function compareRuns(
  run: StoredRun,
  baseline: StoredRun,
  compared: Compared = {},
): Comparison {
  const plan = pairing(run.manifest, compared);
  refuseIncompleteRun(run, plan.cells);
  requireComparable(run.manifest, baseline, compared);
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
    settings: specDifferences(run.manifest.spec, baseline.manifest.spec, ['results']),
    pairs,
    tests: testPairs(pairs),
    counts,
    baseline_only: countLeftOver(baseline.records, plan, compared),
  };
}

/**
 * Refuses a baseline that cannot be compared with a run, even before the run has records.
 *
 * @throws InputError `other_planner`, `other_method` and `other_baseline` as {@link compareRuns} does
 */
export function requireComparable(
  run: Manifest,
  baseline: StoredRun,
  compared: Compared = {},
): void {
  const plan = pairing(run, compared);
  const settings = matrixDifferences(run, baseline.manifest, plan);
  const differences = settings.length > 0 ? settings : missingRecords(baseline, plan);
  if (differences.length === 0) return;
  throw new InputError(
    'other_baseline',
    `the baseline does not fit the run: ${differences.join('; ')}`,
    hintForOther(differences.length === 1 ? lackedPlanners(plan, baseline.manifest) : [], baseline),
  );
}

/** The hint for a baseline that does not fit; if only planners differ, it names the command that compares two. */
function hintForOther([lacked]: readonly string[], { manifest }: StoredRun): string {
  const { planners } = manifest.spec;
  if (lacked === undefined) {
    return 'compare runs of the same settings, or make a new baseline with these';
  }
  // Names may hold blanks and quotes, as commands of programs do.
  const quoted = (name: string) => `'${name.replaceAll("'", "'\\''")}'`;
  const [own, other] = [quoted(lacked), quoted(plannerName(planners[0]))];
  return (
    'make a new baseline with these, or, when the run is finished, compare two planners with ' +
    `alas-jssp compare RUN BASELINE --planner ${own} --baseline-planner ${other}`
  );
}

/** Planners that the baseline must have for a comparison, but has not. */
function lackedPlanners({ cells, partner }: Pairing, { spec }: Manifest): string[] {
  const planners = new Set(cells.map((cell) => partner(cell).planner));
  return without([...planners], spec.planners.map(plannerName));
}

/** The compared cells of a run, and their partners in the baseline. */
interface Pairing {
  readonly cells: readonly RecordIdentity[];
  partner(cell: RecordIdentity): RecordIdentity;
}

function pairing(run: Manifest, compared: Compared): Pairing {
  const { planner, baselinePlanner, method, baselineMethod } = compared;
  insistOn('planner', planner, run.spec.planners.map(plannerName));
  insistOn('method', method, run.spec.disruption?.methods ?? []);
  const named = planner === undefined ? namedPlanners(run.spec) : [planner];
  const cells = [...expectedCells(run)].filter((cell) => named.includes(cell.planner));
  return {
    cells: cells.filter((cell) => isOf(cell, planner, method)),
    partner: (cell) => ({
      ...cell,
      planner: baselinePlanner ?? cell.planner,
      method: baselineMethod ?? cell.method,
    }),
  };
}

function insistOn(what: string, name: string | undefined, known: readonly string[]): void {
  if (name === undefined || known.includes(name)) return;
  throw new InputError(
    `other_${what}`,
    `the run has no ${what} ${name}`,
    known.length > 0 ? `it has ${known.join(', ')}` : `leave out --${what}`,
    {},
    name,
  );
}

/** Whether a record has that planner and method; undefined matches any. */
function isOf(cell: RecordIdentity, planner: string | undefined, method: string | undefined) {
  return (
    (planner === undefined || cell.planner === planner) &&
    (method === undefined || cell.method === method)
  );
}

function countLeftOver(
  records: readonly RunRecord[],
  { cells, partner }: Pairing,
  { planner, baselinePlanner = planner, method, baselineMethod = method }: Compared,
): number {
  const paired = new Set(cells.map((cell) => recordKey(partner(cell))));
  return records.filter(
    (record) => isOf(record, baselinePlanner, baselineMethod) && !paired.has(recordKey(record)),
  ).length;
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

function matrixDifferences(
  run: Manifest,
  baseline: Manifest,
  { cells, partner }: Pairing,
): string[] {
  const [now, before] = [run.spec, baseline.spec];
  const names = run.instances.map(({ instance }) => instance);
  const known = baseline.instances.map(({ instance }) => instance);
  const partners = cells.map(partner);
  const methods = [...new Set(partners.flatMap(({ method }) => method ?? []))];
  return [
    list('instances it lacks', without(names, known)),
    list('instances of other numbers', changedInstances(run, baseline)),
    list('planners it lacks', lackedPlanners({ cells, partner }, baseline)),
    disruptionDifferences(run, baseline),
    list('methods it lacks', without(methods, before.disruption?.methods ?? methods)),
    list('variants it lacks', without(now.variants, before.variants)),
    now.replicates > before.replicates
      ? [`${now.replicates} replicates instead of ${before.replicates}`]
      : [],
    now.seed === before.seed ? [] : [`seed ${now.seed} instead of ${before.seed}`],
  ].flat();
}

/** Differences of events, which must be equal; repair methods may differ. */
function disruptionDifferences(run: Manifest, baseline: Manifest): string[] {
  if (run.checksums?.disruption === baseline.checksums?.disruption) return [];
  const words = ({ spec }: Manifest) => spec.disruption?.spec ?? 'none';
  const other = words(run) === words(baseline) ? 'another of that name' : words(baseline);
  return [`disruption ${words(run)} instead of ${other}`];
}

function missingRecords(baseline: StoredRun, { cells, partner }: Pairing): string[] {
  const present = byKey(baseline.records);
  const missing = cells.map(partner).filter((cell) => !present.has(recordKey(cell)));
  const names = missing.map(
    ({ instance, planner, method }) =>
      `${planner}${method === null ? '' : ` with ${method}`} on ${instance}`,
  );
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
