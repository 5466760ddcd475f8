import { deriveSeed } from '@alas-jssp/core/seed';
import type { RunRecord } from '../records/record.js';
import { clusterBootstrap } from '../statistics/bootstrap.js';
import { groupBy, mean, present } from '../statistics/descriptive.js';
import { correctTests, type PairedTests, pairTests } from '../statistics/difference-tests.js';
import { type RoundRow, summarizeRounds } from './rounds.js';
import type { Ending, StudyVariant, Trial } from './study.js';

/** A mean with its 95 % interval by a bootstrap over shops. */
export interface Estimate {
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** One class of faults in the plans of all shops, or all classes together. */
export interface FaultRow {
  /** Null: all classes. */
  readonly fault: string | null;
  readonly plans: number;
  /** Plans rejected by the validator, by their own planner (null without a judge), and by neither. */
  readonly by_validator: number;
  readonly by_planner: number | null;
  readonly by_neither: number;
  /** Plans from which `full` and `blind-repair` made a feasible schedule. */
  readonly repaired: number;
  readonly blindly_repaired: number;
  /** Of `full`: edited operations, hops from the fault to the farthest of them, growth. */
  readonly edited_operations: Estimate;
  readonly edit_radius: Estimate & { readonly most: number | null; readonly unreached: number };
  readonly growth_percent: Estimate;
  /** Mean milliseconds of `full`: validation of the plan and of the repair, and the repair itself. */
  readonly milliseconds: { readonly validate: number | null; readonly repair: number | null };
}

/** One variant and the faulty plans of one suite, or of all suites. */
export interface VariantRow {
  readonly variant: StudyVariant;
  /** Null: all suites. */
  readonly suite: string | null;
  readonly plans: number;
  /** Feasible schedules in percent, and their growth. */
  readonly success_percent: Estimate;
  readonly growth_percent: Estimate;
  readonly edited_operations: Estimate;
  readonly milliseconds: { readonly validate: number | null; readonly repair: number | null };
  /** Tests of the means of shops against those of `full`; null for `full` itself. */
  readonly success: PairedTests | null;
  readonly growth: PairedTests | null;
}

/** The study of validation. */
export interface StudyReport {
  readonly schema: 'alas-jssp/study@1';
  readonly seed: number;
  /** Faults of each class in each schedule. */
  readonly faults: number;
  /** Schedules with injected faults, and schedules that could not be reproduced. */
  readonly schedules: number;
  readonly lost: number;
  /** The model that judged its own plans; null for none. */
  readonly judge: string | null;
  readonly classes: readonly FaultRow[];
  readonly variants: readonly VariantRow[];
  readonly rounds: readonly RoundRow[];
}

/** Summarises the trials of a study, and the repair rounds of its runs. */
export function studyReport(
  trials: readonly Trial[],
  records: readonly RunRecord[],
  settings: Pick<StudyReport, 'seed' | 'faults' | 'schedules' | 'lost' | 'judge'>,
): StudyReport {
  const { seed } = settings;
  const classes = [...groupBy(trials, ({ fault }) => fault).values()];
  const all = classes.length > 1 ? [faultRow(null, trials, seed)] : [];
  return {
    schema: 'alas-jssp/study@1',
    ...settings,
    classes: [...classes.map((some) => faultRow(some[0].fault, some, seed)), ...all],
    variants: variantRows(trials, seed),
    rounds: summarizeRounds(records),
  };
}

function faultRow(fault: string | null, trials: readonly Trial[], seed: number): FaultRow {
  const full = (measure: (ending: Ending) => number | null) =>
    estimate(trials, seed, ({ endings }) => (endings.full ? measure(endings.full) : null));
  const count = (holds: (trial: Trial) => boolean | undefined) => trials.filter(holds).length;
  const radii = trials.map(({ endings }) => endings.full?.radius ?? null);
  const isAsked = trials.some(({ found }) => found.planner !== null);
  return {
    fault,
    plans: trials.length,
    by_validator: count(({ found }) => found.validator),
    by_planner: isAsked ? count(({ found }) => found.planner === true) : null,
    by_neither: count(({ found }) => !found.validator && found.planner !== true),
    repaired: count(({ endings }) => endings.full?.feasible),
    blindly_repaired: count(({ endings }) => endings['blind-repair']?.feasible),
    edited_operations: full(({ edited }) => edited),
    edit_radius: {
      ...full(({ radius }) => radius),
      most: present(radii).reduce<number | null>((most, one) => Math.max(most ?? 0, one), null),
      unreached: radii.filter((radius) => radius === null).length,
    },
    growth_percent: full(({ growth }) => growth),
    milliseconds: milliseconds(trials.map(({ endings }) => endings.full)),
  };
}

function variantRows(trials: readonly Trial[], seed: number): VariantRow[] {
  const variants = [
    ...new Set(trials.flatMap(({ endings }) => Object.keys(endings))),
  ] as StudyVariant[];
  const suites = [...new Set(trials.map(({ suite }) => suite))];
  const columns = suites.length > 1 ? [...suites, null] : suites;
  const rows = columns.flatMap((suite) => {
    const some = trials.filter((trial) => suite === null || trial.suite === suite);
    return variants.map((variant) => variantRow(variant, suite, some, seed));
  });
  const success = correctTests(rows.map((row) => ({ baseline: row.success, wants: 'more' })));
  const growth = correctTests(rows.map((row) => ({ baseline: row.growth, wants: 'less' })));
  return rows.map((row, i) => ({ ...row, success: success[i], growth: growth[i] }));
}

function variantRow(
  variant: StudyVariant,
  suite: string | null,
  all: readonly Trial[],
  seed: number,
): VariantRow {
  const trials = all.filter(({ endings }) => endings[variant] !== undefined);
  const of =
    (name: StudyVariant, measure: (ending: Ending) => number | null) =>
    ({ endings }: Trial): number | null => {
      const ending = endings[name];
      return ending === undefined ? null : measure(ending);
    };
  const test = (measure: (ending: Ending) => number | null) =>
    variant === 'full'
      ? null
      : pairTests(means(trials, of(variant, measure)), means(trials, of('full', measure)));
  const isRight = ({ feasible }: Ending) => (feasible ? 100 : 0);
  const growthOf = ({ growth }: Ending) => growth;
  return {
    variant,
    suite,
    plans: trials.length,
    success_percent: estimate(trials, seed, of(variant, isRight)),
    growth_percent: estimate(trials, seed, of(variant, growthOf)),
    edited_operations: estimate(
      trials,
      seed,
      of(variant, ({ edited }) => edited),
    ),
    milliseconds: milliseconds(trials.map(({ endings }) => endings[variant])),
    success: test(isRight),
    growth: test(growthOf),
  };
}

/** The values of a shop depend on each other, so whole shops are drawn. */
function estimate(
  trials: readonly Trial[],
  seed: number,
  measure: (trial: Trial) => number | null,
): Estimate {
  const clusters = [...groupBy(trials, ({ instance }) => instance).values()]
    .map((some) => present(some.map(measure)))
    .filter((values) => values.length > 0);
  const interval = clusterBootstrap(clusters, { seed: deriveSeed(seed, 'bootstrap') });
  return {
    mean: mean(clusters.flat()),
    low: interval?.low ?? null,
    high: interval?.high ?? null,
  };
}

function means(
  trials: readonly Trial[],
  measure: (trial: Trial) => number | null,
): Map<string, number> {
  const entries = [...groupBy(trials, ({ instance }) => instance)].flatMap(([instance, some]) => {
    const average = mean(present(some.map(measure)));
    return average === null ? [] : [[instance, average] as const];
  });
  return new Map(entries);
}

function milliseconds(endings: readonly (Ending | undefined)[]): FaultRow['milliseconds'] {
  const seconds = endings.flatMap((ending) => ending?.seconds ?? []);
  const thousand = (values: readonly number[]) => {
    const average = mean(values);
    return average === null ? null : 1000 * average;
  };
  return {
    validate: thousand(seconds.map(({ validate }) => validate)),
    repair: thousand(seconds.map(({ repair }) => repair)),
  };
}
