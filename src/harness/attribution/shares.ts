import type { AttributionRecord } from '../records/attribution-record.js';
import type { RunRecord } from '../records/record.js';
import { groupBy, mean } from '../statistics/descriptive.js';
import { type InstanceDifferences, testInstances } from '../statistics/instance-differences.js';
import { type PartOfWhole, ratioBootstrap, ratioOfSums } from '../statistics/ratio.js';
import type { AttributedRecord } from './attributed-records.js';
import { isSubject } from './controls.js';

/** A planner in a variant on one suite (null: on all). */
export type AttributionSubject = Pick<
  RunRecord,
  'planner' | 'variant' | 'synthetic' | 'objective'
> & {
  readonly suite: string | null;
};

/** A share of the whole gain, in percent, with its 95 % interval; null where there is no gain to share. */
export interface Share {
  readonly percent: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * The shares of the final schedules of a planner against one control: of the whole gain over a random plan, what the
 * control's plan reaches with the same repair (`start`), what the search adds to that (`search`), and what only the
 * planner's plan adds (`plan`). The three add up to 100.
 */
export interface ShareRow extends AttributionSubject {
  readonly control: string;
  /** Pairs of records, and the instances that they are of. */
  readonly records: number;
  readonly instances: number;
  /** Mean values above the best known, in points, at the end: of the planner, and of the control. */
  readonly final_points: number | null;
  readonly control_points: number | null;
  /** Mean of the planner's less the control's, in points, with interval and tests; below 0 where the plan helps. */
  readonly difference: InstanceDifferences['difference'];
  readonly low: InstanceDifferences['low'];
  readonly high: InstanceDifferences['high'];
  readonly p_wilcoxon_holm: InstanceDifferences['p_wilcoxon_holm'];
  readonly plan: Share;
  readonly start: Share;
  readonly search: Share;
  readonly finding: ShareFinding;
}

/**
 * The result of the test of the plan against the control: `none` if both end equal everywhere, `helps` or `harms` if the
 * corrected test shows a difference, else `not shown`.
 */
export type ShareFinding = 'none' | 'helps' | 'harms' | 'not shown';

/** Points of one record and its control. */
interface SharePoints {
  readonly instance: string;
  readonly final: number;
  readonly control: number;
  readonly whole: number;
  readonly plan: number;
  readonly start: number;
  readonly search: number;
}

/** The shares of every planner against each control but itself, on each suite and on all. */
export function shareRows(attributed: readonly AttributedRecord[], seed: number): ShareRow[] {
  const groups = attributionGroups(attributed.filter(({ record }) => isSubject(record)));
  const made = groups.flatMap(({ subject, group }) => {
    const names = new Set(group.flatMap(({ controls }) => [...controls.keys()]));
    names.delete(subject.planner);
    return [...names].map((control) => ({ subject, control, points: pointsOf(group, control) }));
  });
  const tests = testInstances(
    made.map(({ points }) => ({
      own: meansBy(points, ({ final }) => final),
      others: meansBy(points, ({ control }) => control),
    })),
    seed,
  );
  return made.map(({ subject, control, points }, k) => {
    const { difference, low, high, p_wilcoxon_holm, instances } = tests[k];
    const share = (part: (one: SharePoints) => number) => shareOf(points, part, seed);
    return {
      ...subject,
      control,
      records: points.length,
      instances,
      final_points: tests[k].mean_own,
      control_points: tests[k].mean_others,
      difference,
      low,
      high,
      p_wilcoxon_holm,
      plan: share(({ plan }) => plan),
      start: share(({ start }) => start),
      search: share(({ search }) => search),
      finding: findingOf(tests[k]),
    };
  });
}

/** Records by suite (if there are several, null for all follows), planner and variant. */
export function attributionGroups(
  attributed: readonly AttributedRecord[],
): { readonly subject: AttributionSubject; readonly group: readonly AttributedRecord[] }[] {
  const suites: (string | null)[] = [...new Set(attributed.map(({ record }) => record.suite))];
  if (suites.length > 1) suites.push(null);
  return suites.flatMap((suite) => {
    const some = attributed.filter(({ record }) => suite === null || record.suite === suite);
    const groups = groupBy(some, ({ record: { planner, variant, objective } }) =>
      JSON.stringify([planner, variant, objective]),
    );
    return [...groups.values()].map((group) => {
      const { planner, variant, synthetic, objective } = group[0].record;
      return { subject: { suite, planner, variant, synthetic, objective }, group };
    });
  });
}

/** The mean of each instance over its replicates. */
export function meansBy<T extends { readonly instance: string }>(
  items: readonly T[],
  quantity: (item: T) => number,
): Map<string, number> {
  const groups = groupBy(items, ({ instance }) => instance);
  return new Map([...groups].map(([instance, some]) => [instance, mean(some.map(quantity)) ?? 0]));
}

/** The value of a record after a stage; a failure is worth no more than the random plan. */
export function valueAfter(
  { values }: AttributionRecord,
  stage: 'plan' | 'repair' | 'final',
  random: number,
): number {
  const { plan, repair, final } = values;
  if (stage === 'plan') return plan ?? random;
  return (stage === 'repair' ? (repair ?? plan) : final) ?? random;
}

function pointsOf(group: readonly AttributedRecord[], control: string): SharePoints[] {
  return group.flatMap(({ record, facts, random, unit, controls }): SharePoints[] => {
    const other = controls.get(control);
    if (other === undefined) return [];
    const points = (value: number) => (100 * value) / unit;
    const final = points(valueAfter(facts, 'final', random));
    const others = points(valueAfter(other, 'final', random));
    const started = points(valueAfter(other, 'repair', random));
    const zero = points(random);
    return [
      {
        instance: record.instance,
        final: final - 100,
        control: others - 100,
        whole: zero - final,
        plan: others - final,
        start: zero - started,
        search: started - others,
      },
    ];
  });
}

function shareOf(
  points: readonly SharePoints[],
  part: (one: SharePoints) => number,
  seed: number,
): Share {
  const parts = meansBy(points, part);
  const wholes = meansBy(points, ({ whole }) => whole);
  const values = [...parts].map(([instance, value]): PartOfWhole => {
    return { part: value, whole: wholes.get(instance) ?? 0 };
  });
  const ratio = ratioOfSums(values);
  const interval = ratio === null ? null : ratioBootstrap(values, { seed });
  const percent = (value: number | null | undefined) => (value == null ? null : 100 * value);
  return {
    percent: percent(ratio),
    low: percent(interval?.low),
    high: percent(interval?.high),
  };
}

function findingOf({ shown, reason }: InstanceDifferences): ShareFinding {
  if (reason === 'all equal') return 'none';
  if (shown === null) return 'not shown';
  return shown === 'less' ? 'helps' : 'harms';
}
