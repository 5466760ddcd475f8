import type { RecordIdentity, RunRecord } from '../records/record.js';
import { countPlanRepairs, type PlanRepairCounts } from '../records/stage-summary.js';
import { groupBy, mean, present, quantile, sum } from '../statistics/descriptive.js';
import { PLAN_OUTCOMES, type PlanOutcome, planOutcome } from './plan-outcome.js';

/** All that went wrong in records: by planner, and answer by answer. */
export interface FailureReport {
  readonly planners: readonly PlannerFailures[];
  /** The answers that are no feasible plan, in the order of the records. */
  readonly answers: readonly FailedAnswer[];
}

/** The answers of a planner in a variant, asked by way of a topology. */
export interface PlannerFailures extends Pick<RunRecord, 'planner' | 'variant' | 'synthetic'> {
  /** Null for planners that ask no model. */
  readonly topology: string | null;
  /** The models that answered. */
  readonly models: readonly string[];
  /** Requested plans. Methods that execute the same plan count once. */
  readonly answers: number;
  /** Records for which a planner that repeats recorded answers has none; they are no answers. */
  readonly missing: number;
  /** The outcomes of the plans as they were handed over; they add up to `answers`. */
  readonly outcomes: Readonly<Record<Exclude<PlanOutcome, 'missing'>, number>>;
  /** Classes of violations, those that are most often a root cause first. */
  readonly violations: readonly ViolationClass[];
  readonly claims: ClaimCounts;
  /** Null if no record has it. */
  readonly decoding: DecodingCounts | null;
  /** Sums of the records' requests; null if no record has them. */
  readonly requests: NonNullable<NonNullable<RunRecord['llm']>['requests']> | null;
  /** Plans that the validator refused, and their repairs. */
  readonly refused: number;
  readonly repairs: PlanRepairCounts;
  /** Errors by their reason, the most frequent first. */
  readonly errors: readonly ErrorReason[];
}

/** A class of violations in the answers of a planner. */
export interface ViolationClass {
  readonly code: string;
  /** Answers with such a violation, and with one that is a root cause; the latter null if no record has it. */
  readonly answers: number;
  readonly root_answers: number | null;
  /** All such violations, and those of them that are root causes. */
  readonly violations: number;
  readonly root_causes: number | null;
}

/** Makespans that answers claim, beside the true ones. */
interface ClaimCounts {
  /** Answers that claim one. */
  readonly stated: number;
  /** Those whose plan is feasible and has that makespan. */
  readonly right: number;
  /** Those that claim less than any schedule can have. */
  readonly impossible: number;
  /** Those whose own entries have another makespan. */
  readonly contradicted: number;
  /** Those for which there is a true one: of the plan if it is feasible, else of what it was repaired to. */
  readonly compared: number;
  /** Median of (claimed − true) / true of these; null of none. */
  readonly median_percent: number | null;
}

/** Operations that were read of answers. */
interface DecodingCounts {
  /** Answers whose record has them. */
  readonly answers: number;
  /** Mean over these of the share of operations about which something could be read. */
  readonly read_percent: number;
  readonly operations: number;
  readonly expected: number;
  /** Parts that were passed over, by reason. */
  readonly ignored: Readonly<Record<string, number>>;
}

/** Errors that differ in numbers and in the names of instances at most. */
interface ErrorReason {
  readonly reason: string;
  readonly answers: number;
  /** The first of them as it is. */
  readonly example: string;
}

/** An answer that is no feasible plan. */
export interface FailedAnswer
  extends Omit<RecordIdentity, 'method'>,
    Pick<RunRecord, 'suite' | 'claimed_makespan' | 'violations' | 'root_causes' | 'error'> {
  readonly topology: string | null;
  readonly outcome: Exclude<PlanOutcome, 'feasible' | 'missing'>;
  /** Operations about which something could be read; null if the record does not have it. */
  readonly operations_read: number | null;
  /** The files of the answers, relative to the directory of the run; of recorded ones with `#` and the id. */
  readonly files: readonly string[];
}

/**
 * Reports why plans failed before any repair. A planner need not ask a model; values that records do not have
 * are null.
 */
export function failuresOf(records: readonly RunRecord[]): FailureReport {
  const plans = plansOf(records);
  const topologies = topologiesOf(plans);
  const groups = groupBy(plans, (record) =>
    JSON.stringify([record.planner, record.variant, topologies(record)]),
  );
  const answers = plans.flatMap((record): FailedAnswer[] => {
    const outcome = planOutcome(record);
    if (outcome === 'feasible' || outcome === 'missing') return [];
    const { instance, suite, planner, variant, replicate, claimed_makespan, error } = record;
    const { decoding = null, answer_files = [] } = record.llm ?? {};
    return [
      {
        ...{ instance, suite, planner, variant, replicate, topology: topologies(record), outcome },
        ...{ claimed_makespan, violations: record.violations, root_causes: record.root_causes },
        ...{ operations_read: decoding?.operations ?? null, error, files: answer_files },
      },
    ];
  });
  return {
    planners: [...groups.values()].map((group) => summarizeGroup(group, topologies(group[0]))),
    answers,
  };
}

/** One record for each plan: methods that execute the same one share it. */
export function plansOf(records: readonly RunRecord[]): RunRecord[] {
  const plans = groupBy(records, ({ planner, variant, instance, replicate }) =>
    JSON.stringify([planner, variant, instance, replicate]),
  );
  return [...plans.values()].map(([first]) => first);
}

/** The topology of each record; without one, the only topology of its planner, if it has just one. */
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
    ...{ planner, variant, synthetic, topology },
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

/** A number that stands by itself, and not in a name. */
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
