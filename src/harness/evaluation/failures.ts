import type { RecordIdentity, RunRecord } from '../records/record.js';
import { countPlanRepairs, type PlanRepairCounts } from '../records/stage-summary.js';
import { groupBy, mean, present, quantile, sum } from '../statistics/descriptive.js';
import { PLAN_OUTCOMES, type PlanOutcome, planOutcome } from './plan-outcome.js';

/** All failures in records, by planner and by answer. */
export interface FailureReport {
  readonly planners: readonly PlannerFailures[];
  /** Answers that are not a feasible plan, in the order of the records. */
  readonly answers: readonly FailedAnswer[];
}

/** The answers of a planner in a variant with one topology. */
export interface PlannerFailures extends Pick<RunRecord, 'planner' | 'variant' | 'synthetic'> {
  /** Null for planners that ask no model. */
  readonly topology: string | null;
  /** The models that answered. */
  readonly models: readonly string[];
  /** Requested plans. Methods that execute the same plan count once. */
  readonly answers: number;
  /** Records for which a planner that repeats recorded answers has none; they do not count as answers. */
  readonly missing: number;
  /** Outcomes of the plans before any repair; they add up to `answers`. */
  readonly outcomes: Readonly<Record<Exclude<PlanOutcome, 'missing'>, number>>;
  /** Classes of violations, most frequent root cause first. */
  readonly violations: readonly ViolationClass[];
  readonly claims: ClaimCounts;
  /** Null if no record has it. */
  readonly decoding: DecodingCounts | null;
  /** Sums of the records' requests; null if no record has them. */
  readonly requests: NonNullable<NonNullable<RunRecord['llm']>['requests']> | null;
  /** Plans that the validator rejected, and their repairs. */
  readonly refused: number;
  readonly repairs: PlanRepairCounts;
  /** Errors by their reason, the most frequent first. */
  readonly errors: readonly ErrorReason[];
}

/** A class of violations in the answers of a planner. */
export interface ViolationClass {
  readonly code: string;
  /** Answers with such a violation, and with one that is a root cause; the latter is null if no record states it. */
  readonly answers: number;
  readonly root_answers: number | null;
  /** All such violations, and the root causes among them. */
  readonly violations: number;
  readonly root_causes: number | null;
}

/** Makespans that answers claim, compared with the true ones. */
interface ClaimCounts {
  /** Answers that claim a makespan. */
  readonly stated: number;
  /** Claims that equal the makespan of a feasible plan. */
  readonly right: number;
  /** Claims below the makespan of any schedule. */
  readonly impossible: number;
  /** Claims that the answer's own entries contradict. */
  readonly contradicted: number;
  /** Claims with a true makespan to compare with: that of the feasible plan, else of its repair. */
  readonly compared: number;
  /** Median of (claimed − true) / true of the compared claims; null if there are none. */
  readonly median_percent: number | null;
}

/** Operations that were read from answers. */
interface DecodingCounts {
  /** Answers whose record has these counts. */
  readonly answers: number;
  /** Mean over these answers of the share of operations with a readable claim. */
  readonly read_percent: number;
  readonly operations: number;
  readonly expected: number;
  /** Skipped parts, by reason. */
  readonly ignored: Readonly<Record<string, number>>;
}

/** Errors that are equal except for numbers and instance names. */
interface ErrorReason {
  readonly reason: string;
  readonly answers: number;
  /** The first of these errors, unchanged. */
  readonly example: string;
}

/** An answer that is not a feasible plan. */
export interface FailedAnswer
  extends Omit<RecordIdentity, 'method'>,
    Pick<
      RunRecord,
      'suite' | 'synthetic' | 'claimed_makespan' | 'violations' | 'root_causes' | 'error'
    > {
  readonly topology: string | null;
  readonly outcome: Exclude<PlanOutcome, 'feasible' | 'missing'>;
  /** Operations with a readable claim; null if the record does not state it. */
  readonly operations_read: number | null;
  /** Files of the answers, relative to the run's directory; for recorded answers with `#` and the id. */
  readonly files: readonly string[];
}

/** Reports why plans failed before any repair. The planner need not use a model; values that records lack are null. */
export function failuresOf(records: readonly RunRecord[]): FailureReport {
  const plans = plansOf(records);
  const topologies = topologiesOf(plans);
  const groups = groupBy(plans, (record) =>
    JSON.stringify([record.planner, record.variant, topologies(record)]),
  );
  const answers = plans.flatMap((record): FailedAnswer[] => {
    const outcome = planOutcome(record);
    if (outcome === 'feasible' || outcome === 'missing') return [];
    const { instance, suite, planner, synthetic, variant, replicate, claimed_makespan } = record;
    const { decoding = null, answer_files = [] } = record.llm ?? {};
    return [
      {
        instance,
        suite,
        planner,
        synthetic,
        variant,
        replicate,
        topology: topologies(record),
        outcome,
        claimed_makespan,
        violations: record.violations,
        root_causes: record.root_causes,
        operations_read: decoding?.operations ?? null,
        error: record.error,
        files: answer_files,
      },
    ];
  });
  return {
    planners: [...groups.values()].map((group) => summarizeGroup(group, topologies(group[0]))),
    answers,
  };
}

/** One record for each plan: methods that execute the same plan share it. */
export function plansOf(records: readonly RunRecord[]): RunRecord[] {
  const plans = groupBy(records, ({ planner, variant, instance, replicate }) =>
    JSON.stringify([planner, variant, instance, replicate]),
  );
  return [...plans.values()].map(([first]) => first);
}

/** The topology of each record; if a record has none, the topology of its planner, if that is unique. */
function topologiesOf(records: readonly RunRecord[]): (record: RunRecord) => string | null {
  const known = new Map<string, Set<string>>();
  for (const { planner, llm } of records) {
    if (llm !== null) known.set(planner, (known.get(planner) ?? new Set()).add(llm.topology));
  }
  return ({ planner, llm }) => {
    if (llm !== null) return llm.topology;
    const [only = null, ...others] = known.get(planner) ?? [];
    return others.length === 0 ? only : null;
  };
}

function summarizeGroup(records: readonly RunRecord[], topology: string | null): PlannerFailures {
  const { planner, variant, synthetic } = records[0];
  const group = records.filter((record) => planOutcome(record) !== 'missing');
  const outcomes = Object.fromEntries(PLAN_OUTCOMES.map((one) => [one, 0])) as Record<
    PlanOutcome,
    number
  >;
  for (const record of group) outcomes[planOutcome(record)]++;
  const { missing: _, ...answered } = outcomes;
  return {
    planner,
    variant,
    synthetic,
    topology,
    models: [...new Set(group.flatMap(({ llm }) => llm?.models ?? []))],
    answers: group.length,
    missing: records.length - group.length,
    outcomes: answered,
    violations: violationClasses(group),
    claims: countClaims(group),
    decoding: countDecoding(group),
    requests: sumRequests(group),
    refused: group.filter(({ violations }) => isRefused(violations)).length,
    repairs: countPlanRepairs(group),
    errors: errorReasons(group),
  };
}

function violationClasses(group: readonly RunRecord[]): ViolationClass[] {
  const hasRoots = group.some(({ root_causes }) => root_causes !== null);
  const codes = new Set(group.flatMap(({ violations }) => Object.keys(violations ?? {})));
  const classes = Array.from(codes, (code): ViolationClass => {
    const counts = present(group.map(({ violations }) => violations?.[code] ?? null));
    const roots = present(group.map(({ root_causes }) => root_causes?.[code] ?? null));
    return {
      code,
      answers: counts.length,
      root_answers: hasRoots ? roots.length : null,
      violations: sum(counts),
      root_causes: hasRoots ? sum(roots) : null,
    };
  });
  return classes.sort(
    (a, b) => (b.root_answers ?? 0) - (a.root_answers ?? 0) || b.answers - a.answers,
  );
}

function countClaims(group: readonly RunRecord[]): ClaimCounts {
  const claims = group.flatMap((record) => {
    const { claimed_makespan: claimed, stages } = record;
    if (claimed === null) return [];
    const own = stages.plan?.makespan ?? null;
    return [{ record, claimed, own, real: own ?? stages.repair?.makespan ?? null }];
  });
  const compared = claims.flatMap(({ claimed, real }) =>
    real === null || real === 0 ? [] : [(100 * (claimed - real)) / real],
  );
  return {
    stated: claims.length,
    right: claims.filter(({ claimed, own }) => claimed === own).length,
    impossible: claims.filter(({ claimed, record }) => isImpossible(claimed, record)).length,
    contradicted: claims.filter(({ record }) => record.violations?.wrong_makespan).length,
    compared: compared.length,
    median_percent: quantile(compared, 0.5),
  };
}

function isImpossible(claimed: number, { objective, lower_bound }: RunRecord): boolean {
  return objective === 'makespan' && claimed < lower_bound;
}

function countDecoding(group: readonly RunRecord[]): DecodingCounts | null {
  const known = present(group.map(({ llm }) => llm?.decoding ?? null));
  if (known.length === 0) return null;
  const shares = known.map(({ operations, expected }) => (100 * operations) / expected);
  return {
    answers: known.length,
    read_percent: mean(shares) as number,
    operations: sum(known.map(({ operations }) => operations)),
    expected: sum(known.map(({ expected }) => expected)),
    ignored: addCounts(known.map(({ ignored }) => ignored)),
  };
}

function sumRequests(group: readonly RunRecord[]): PlannerFailures['requests'] {
  const known = present(group.map(({ llm }) => llm?.requests ?? null));
  return known.length === 0 ? null : (addCounts(known) as PlannerFailures['requests']);
}

function addCounts(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const counts of all) {
    for (const [key, count] of Object.entries(counts)) total[key] = (total[key] ?? 0) + count;
  }
  return total;
}

function isRefused(violations: RunRecord['violations']): boolean {
  return Object.keys(violations ?? {}).length > 0;
}

/** A number that is a word of its own, not part of a name. */
const NUMBER = /(?<![\w./-])\d+(\.\d+)?(?![\w/-])/g;

function errorReasons(group: readonly RunRecord[]): ErrorReason[] {
  const failed = group.flatMap(({ error, instance }) => {
    if (error === null) return [];
    const reason = error.replaceAll(instance, 'INSTANCE').replaceAll(NUMBER, '#');
    return [{ error, reason }];
  });
  return Array.from(
    groupBy(failed, ({ reason }) => reason),
    ([reason, some]) => {
      const example = some[0].error;
      const isAlike = some.every(({ error }) => error === example);
      return { reason: isAlike ? example : reason, answers: some.length, example };
    },
  ).sort((a, b) => b.answers - a.answers);
}
