import { canonicalJson } from '@alas-jssp/core';
import { teamText } from '../../runs/report-group.js';
import { type ReportedMean, reportedMean } from '../../runs/reported-mean.js';
import type { RealmRecord, RealmStep } from './realm-record.js';

/** A planner on a suite: its first plans, or its plans after events. */
export interface LeaderboardRow {
  readonly suite: string;
  /** Facts that the user has stated: `demand=100, prices=…`; empty if none. */
  readonly completed: string;
  readonly stage: 'plan' | 'replan';
  readonly planner: string;
  /** Topology and rounds of models: `alas, 2 rounds`; empty for one request, and for other planners. */
  readonly team: string;
  /** Instances, and those of them that state too little or contradict themselves. */
  readonly instances: number;
  readonly refused: number;
  /** Instances that differ in more than their name, of those that were not refused. */
  readonly distinct: number;
  /** Plans asked for. */
  readonly plans: number;
  /** Plans asked for of problems without any plan, by proof, and without a valid one by any planner. They are in no share. */
  readonly impossible: number;
  /** Plans of problems with a proven optimum. */
  readonly proven: number;
  /** Plans that are claimed to keep all rules, and claims about them that the judge confirms. */
  readonly claimed: number;
  readonly right_claims: number;
  /** Plans that the judge accepts, and their share of the plans that are possible. */
  readonly valid: number;
  readonly valid_share: ReportedMean;
  /** Valid plans that cost no more than the proven bound. */
  readonly optimal: number;
  readonly gap_percent: ReportedMean;
  /** Plans that are valid in the end, and how much of the invalid ones repair changed. */
  readonly repaired: number;
  readonly repaired_share: ReportedMean;
  readonly edit_radius: ReportedMean;
  readonly gap_repaired_percent: ReportedMean;
  readonly tokens: number;
  readonly cost_usd: number | null;
  /** Mean seconds to a plan. */
  readonly seconds: number | null;
}

/** The reasons for which instances were refused or have no plan, with counts. */
export interface RefusalRow {
  readonly suite: string;
  readonly completed: string;
  readonly code: string;
  readonly instances: number;
  /** The first of the reasons in words. */
  readonly example: string;
}

/** How often plans of a planner break a rule. */
export interface RealmFaultRow {
  readonly suite: string;
  readonly planner: string;
  readonly code: string;
  readonly plans: number;
  readonly violations: number;
}

/** The tables of records of suites. */
export interface Leaderboard {
  readonly schema: 'alas-coordination/leaderboard@1';
  readonly rows: readonly LeaderboardRow[];
  readonly refusals: readonly RefusalRow[];
  readonly violations: readonly RealmFaultRow[];
}

/** A step with the instance that it belongs to. */
interface Taken {
  readonly instance: string;
  readonly step: RealmStep;
  /** Whether its problem has no plan: the search proves it, and no planner's plan refutes it. */
  readonly isImpossible: boolean;
}

/** Summarizes records of suites: by suite and completions, by stage, by planner. */
export function leaderboardOf(records: readonly RealmRecord[]): Leaderboard {
  const planned = new Set(records.filter(beginsValid).map(problemOf));
  const rows = grouped(records, ({ suite, completed, planner, team }) => [
    suite,
    statedOf(completed),
    planner,
    teamInWords(team),
  ]);
  return {
    schema: 'alas-coordination/leaderboard@1',
    rows: rows.flatMap((some) => {
      const first = stepsOf(some, planned, ({ event }) => event === null);
      const later = stepsOf(some, planned, ({ event }) => event !== null);
      return [
        rowOf(some, 'plan', first),
        ...(later.length > 0 ? [rowOf(some, 'replan', later)] : []),
      ];
    }),
    refusals: grouped(records, ({ suite, completed }) => [suite, statedOf(completed)]).flatMap(
      (some) => refusalRows(some, planned),
    ),
    violations: rows.flatMap(faultRows),
  };
}

/** Completions in words: `demand=100, prices=400`. */
function statedOf(completed: RealmRecord['completed']): string {
  return Object.entries(completed)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');
}

function teamInWords(team: RealmRecord['team']): string {
  if (team === null || (team.topology === 'single' && team.rounds === 0)) return '';
  return teamText(team.topology, team.rounds);
}

function grouped(
  records: readonly RealmRecord[],
  key: (record: RealmRecord) => readonly string[],
): RealmRecord[][] {
  const groups = new Map<string, RealmRecord[]>();
  for (const record of records) {
    const name = JSON.stringify(key(record));
    groups.set(name, [...(groups.get(name) ?? []), record]);
  }
  return [...groups.values()];
}

/** The name of the problem before any event, which all planners have in common. */
function problemOf({ suite, instance, completed }: RealmRecord): string {
  return JSON.stringify([suite, instance, statedOf(completed)]);
}

function beginsValid({ steps }: RealmRecord): boolean {
  return steps[0]?.judged?.valid === true;
}

/**
 * Steps with their instances. The proofs of some searches are about plans of one kind (docs/how-to/realm.md), so that the
 * judge may accept another one. After an event the problem depends on the planner's own plan before.
 */
function stepsOf(
  records: readonly RealmRecord[],
  planned: ReadonlySet<string>,
  holds: (step: RealmStep) => boolean,
): Taken[] {
  return records.flatMap((record) =>
    record.steps.filter(holds).map((step) => {
      const isPlanned =
        step.judged?.valid === true || (step.event === null && planned.has(problemOf(record)));
      const isImpossible = step.search === 'infeasible' && !isPlanned;
      return { instance: record.instance, step, isImpossible };
    }),
  );
}

const isValid = ({ step }: Taken) => step.judged?.valid === true;

function rowOf(
  records: readonly RealmRecord[],
  stage: LeaderboardRow['stage'],
  taken: readonly Taken[],
): LeaderboardRow {
  const [{ suite, completed, planner, team }] = records;
  const instances = new Map(records.map((record) => [record.instance, record.refused.length > 0]));
  const possible = taken.filter(({ isImpossible }) => !isImpossible);
  const share = (holds: (one: Taken) => boolean) =>
    meanOf(possible, (one) => (holds(one) ? 100 : 0));
  const isRight = ({ step: { claimed, judged }, isImpossible }: Taken) =>
    judged === null
      ? claimed.feasible === false && isImpossible
      : claimed.feasible !== null && claimed.feasible === judged.valid;
  const endsValid = (one: Taken) => isValid(one) || one.step.repaired !== null;
  const costs = taken.map(({ step }) => step.cost_usd);
  const isOptimal = ({ step: { judged, bound } }: Taken) =>
    judged?.valid === true && judged.cost !== null && bound !== null && judged.cost <= bound;
  return {
    suite,
    completed: statedOf(completed),
    stage,
    planner,
    team: teamInWords(team),
    instances: instances.size,
    refused: [...instances.values()].filter((isRefused) => isRefused).length,
    distinct: new Set(records.flatMap(contentsOf)).size,
    plans: taken.length,
    impossible: taken.length - possible.length,
    proven: taken.filter(({ step }) => step.search === 'optimal').length,
    claimed: taken.filter(({ step }) => step.claimed.feasible === true).length,
    right_claims: taken.filter(isRight).length,
    valid: taken.filter(isValid).length,
    valid_share: share(isValid),
    optimal: taken.filter(isOptimal).length,
    gap_percent: meanOf(taken, ({ step }) => step.judged?.gap_percent ?? null),
    repaired: taken.filter(endsValid).length,
    repaired_share: share(endsValid),
    edit_radius: meanOf(taken, ({ step }) => step.repaired?.edit_radius ?? null),
    gap_repaired_percent: meanOf(
      taken,
      ({ step }) => step.repaired?.gap_percent ?? step.judged?.gap_percent ?? null,
    ),
    tokens: taken.reduce((sum, { step: { tokens } }) => sum + tokens.input + tokens.output, 0),
    cost_usd: costs.reduce((sum, usd) => (sum === null || usd === null ? null : sum + usd), 0),
    seconds: meanOf(taken, ({ step }) => step.seconds.plan).mean,
  };
}

/** The facts and events of a planned instance without its name. */
function contentsOf({ facts, refused, steps }: RealmRecord): string[] {
  if (refused.length > 0 || typeof facts !== 'object' || facts === null) return [];
  const events = steps.map(({ event }) => event);
  return [canonicalJson({ ...facts, name: null, instance_id: null, events })];
}

function meanOf(taken: readonly Taken[], value: (one: Taken) => number | null): ReportedMean {
  return reportedMean(taken, ({ instance }) => instance, value);
}

/** Why instances were refused, and how many have no plan by proof. */
function refusalRows(records: readonly RealmRecord[], planned: ReadonlySet<string>): RefusalRow[] {
  const [{ suite, completed }] = records;
  const seen = new Map<string, { instances: Set<string>; example: string }>();
  const note = (code: string, instance: string, example: string) => {
    const one = seen.get(code) ?? { instances: new Set<string>(), example };
    one.instances.add(instance);
    seen.set(code, one);
  };
  for (const record of records) {
    const { instance, refused, steps } = record;
    for (const { code, message } of refused) note(code, instance, message);
    if (steps[0]?.search !== 'infeasible' || planned.has(problemOf(record))) continue;
    note('no_plan', instance, 'it is proven that no plan keeps all rules that are stated');
  }
  return Array.from(seen, ([code, { instances, example }]) => ({
    suite,
    completed: statedOf(completed),
    code,
    instances: instances.size,
    example,
  })).toSorted((a, b) => b.instances - a.instances);
}

function faultRows(records: readonly RealmRecord[]): RealmFaultRow[] {
  const [{ suite, planner }] = records;
  const plans = records.flatMap(({ steps }) =>
    steps.flatMap(({ judged }) =>
      judged === null ? [] : [judged.violations.map(({ code }) => code)],
    ),
  );
  const codes = [...new Set(plans.flat())];
  return codes
    .map((code) => ({
      suite,
      planner,
      code,
      plans: plans.filter((some) => some.includes(code)).length,
      violations: plans.flat().filter((one) => one === code).length,
    }))
    .toSorted((a, b) => b.plans - a.plans || b.violations - a.violations);
}
