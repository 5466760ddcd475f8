import { InputError } from '../core/errors.js';
import { changedInstances, enumerate, expectedKeys } from './manifest.js';
import { measureQuality, type RunRecord, recordKey } from './record.js';
import type { StoredRun } from './run-directory.js';

/**
 * How a record compares with the same one of the baseline; `incomparable` if neither has a feasible
 * schedule.
 */
export type PairVerdict = 'better' | 'worse' | 'same' | 'incomparable';

/** A record and the one of the baseline for the same instance, planner, variant and replicate. */
export interface Pair {
  readonly run: RunRecord;
  /** Measured against the upper bound that the run knows, so that gaps compare. */
  readonly baseline: RunRecord;
  readonly verdict: PairVerdict;
  /** Change of the makespan in percent of the baseline's; null unless both are feasible. */
  readonly change_percent: number | null;
  /** What the verdict rests on, in words. */
  readonly reason: string;
}

/** A run beside its baseline. */
export interface Comparison {
  readonly schema: 'alas-jssp/comparison@1';
  /** Version and commit of the package that made the run and the baseline. */
  readonly versions: Record<'run' | 'baseline', { version: string; commit: string | null }>;
  /** Every record of the run with its partner, in the order of the run. */
  readonly pairs: readonly Pair[];
  /** Number of pairs by verdict. */
  readonly counts: Readonly<Record<PairVerdict, number>>;
  /** Number of records of the baseline that the run does not ask for. */
  readonly baseline_only: number;
}

/**
 * Pairs the records of a run with those of a baseline, by instance, planner, variant and
 * replicate. The baseline may hold more than the run, never less.
 *
 * @throws InputError `incomplete_run` if the run is not finished, `other_baseline` with all
 *   differences if the baseline was made of other instances, checksums, planners or settings
 */
export function compareRuns(run: StoredRun, baseline: StoredRun): Comparison {
  refuseIncompleteRun(run);
  refuseOtherBaseline(run, baseline);
  const partners = new Map(baseline.records.map((record) => [recordKey(record), record]));
  const pairs = run.records.flatMap((record) => {
    const partner = partners.get(recordKey(record));
    return partner === undefined ? [] : pairRecords(record, partner);
  });
  const counts = { better: 0, worse: 0, same: 0, incomparable: 0 };
  for (const { verdict } of pairs) counts[verdict]++;
  const versionOf = ({ manifest }: StoredRun) => ({
    version: manifest.version,
    commit: manifest.commit,
  });
  return {
    schema: 'alas-jssp/comparison@1',
    versions: { run: versionOf(run), baseline: versionOf(baseline) },
    pairs,
    counts,
    baseline_only: baseline.records.length - pairs.length,
  };
}

function pairRecords(run: RunRecord, partner: RunRecord): Pair {
  const { lower_bound, upper_bound } = run;
  const quality = measureQuality(partner.makespan, { lower_bound, upper_bound });
  const baseline = { ...partner, lower_bound, upper_bound, ...quality };
  return { run, baseline, ...judgePair(run, baseline) };
}

function judgePair(run: RunRecord, baseline: RunRecord) {
  if (run.makespan !== null && baseline.makespan !== null) {
    const difference = run.makespan - baseline.makespan;
    const change = difference === 0 ? 0 : (100 * difference) / baseline.makespan;
    return {
      verdict: verdictOf(difference),
      change_percent: change,
      reason: `makespan ${run.makespan}, was ${baseline.makespan}`,
    };
  }
  const reason = `${describe(run)}, was ${describe(baseline)}`;
  if (run.makespan !== null) return { verdict: 'better' as const, change_percent: null, reason };
  const verdict = baseline.makespan !== null ? ('worse' as const) : ('incomparable' as const);
  return { verdict, change_percent: null, reason };
}

function verdictOf(difference: number): PairVerdict {
  if (difference === 0) return 'same';
  return difference < 0 ? 'better' : 'worse';
}

function describe({ status, makespan }: RunRecord): string {
  return status === 'ok' ? `makespan ${makespan}` : status;
}

function refuseIncompleteRun({ manifest, records }: StoredRun): void {
  const present = new Set(records.map(recordKey));
  const expected = [...expectedKeys(manifest)];
  const missing = expected.filter((key) => !present.has(key)).length;
  if (missing === 0) return;
  throw new InputError(
    'incomplete_run',
    `${missing} of the ${expected.length} records of the run are missing`,
    'finish it with --resume before it is compared',
  );
}

function refuseOtherBaseline(run: StoredRun, baseline: StoredRun): void {
  const differences = baselineDifferences(run, baseline);
  if (differences.length === 0) return;
  throw new InputError(
    'other_baseline',
    `the baseline does not fit the run: ${differences.join('; ')}`,
    'compare runs of the same settings, or make a new baseline with these',
  );
}

function baselineDifferences(run: StoredRun, baseline: StoredRun): string[] {
  const [now, before] = [run.manifest, baseline.manifest];
  const known = new Set(before.instances.map(({ instance }) => instance));
  const strangers = now.instances.filter(({ instance }) => !known.has(instance));
  const differences = [
    list(
      'instances it lacks',
      strangers.map(({ instance }) => instance),
    ),
    list('instances of other numbers', changedInstances(now, before)),
    list('planners it lacks', without(now.planners, before.planners)),
    list('variants it lacks', without(now.variants, before.variants)),
    now.replicates > before.replicates
      ? [`${now.replicates} replicates instead of ${before.replicates}`]
      : [],
    now.seed === before.seed ? [] : [`seed ${now.seed} instead of ${before.seed}`],
  ].flat();
  return differences.length > 0 ? differences : missingRecords(run, baseline);
}

function missingRecords(run: StoredRun, baseline: StoredRun): string[] {
  const present = new Set(baseline.records.map(recordKey));
  const missing = run.records.filter((record) => !present.has(recordKey(record)));
  const names = missing.map(({ instance, planner }) => `${planner} on ${instance}`);
  return list('records it lacks', names);
}

function list(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${what}: ${enumerate(names)}`];
}

function without(names: readonly string[], known: readonly string[]): string[] {
  return names.filter((name) => !known.includes(name));
}
