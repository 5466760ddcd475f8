import { type ContextReport, reportContext } from '../experiments/context-report.js';
import { REWRITTEN_CODES } from './outcome.js';
import type { CoordinationRecord } from './record.js';
import {
  groupOf,
  groupRecords,
  isValidAlone,
  isValidInTheEnd,
  iterationsOf,
  type ReportGroup,
  requestsOf,
  selfVerdictOf,
} from './report-group.js';
import { type ReportedMean, reportedMean } from './reported-mean.js';

/** One planner, under one condition of an experiment: claims, verdicts and repairs reported separately. */
export interface PlannerReport extends ReportGroup {
  readonly records: number;
  /** Records with a plan that could be parsed. */
  readonly plans: number;
  /** Plans claimed to be feasible. */
  readonly claimed: number;
  /** First plans that the judge accepts, before any feedback, and their share of all records. */
  readonly alone: number;
  readonly alone_share: ReportedMean;
  /** Plans up to the first valid one, where there is one. */
  readonly iterations: ReportedMean;
  /** Requests of all agents. */
  readonly requests: number;
  /** Own verdicts of planners on the plans they keep, and of those the right ones. */
  readonly self_verdicts: number;
  readonly right_self_verdicts: number;
  /** Plans that the judge accepts after all rounds, and their share of all records. */
  readonly valid: number;
  readonly valid_share: ReportedMean;
  /** Number of claims about feasibility, and of those that the judge confirms. */
  readonly claims: number;
  readonly right_claims: number;
  /** Plans that continue a past, and those of them that rewrite it. */
  readonly with_past: number;
  readonly rewritten: number;
  /** Plans that are valid in the end. */
  readonly repaired: number;
  readonly repaired_share: ReportedMean;
  /** Share of actions changed by repair, in invalid plans. */
  readonly edit_radius: ReportedMean;
  /** Percent above the proven bound, of valid plans before and after repair. */
  readonly gap_percent: ReportedMean;
  readonly gap_repaired_percent: ReportedMean;
  readonly tokens: number;
  readonly cost_usd: number | null;
  /** Mean seconds to a plan. */
  readonly seconds: number | null;
}

/** The frequency of a violation in the plans of a planner. */
export interface ViolationReport extends ReportGroup {
  readonly code: string;
  readonly violations: number;
  /** Plans with at least one of them. */
  readonly plans: number;
}

/** Agreement between the judge and the verdicts of planners or papers. */
export interface AgreementReport extends ReportGroup {
  /** Plans claimed to be feasible that are valid. */
  readonly both_yes: number;
  readonly false_yes: number;
  readonly false_no: number;
  readonly both_no: number;
  /** Plans without a claim. */
  readonly unsaid: number;
}

/** The tables of a run. */
export interface CoordinationReport {
  readonly schema: 'alas-coordination/report@1';
  readonly planners: readonly PlannerReport[];
  readonly violations: readonly ViolationReport[];
  readonly agreement: readonly AgreementReport[];
  /** Experiments: what the context of a model does to its plans and verdicts; null if there are none. */
  readonly context: ContextReport | null;
}

/** Summarizes records by planner, condition, team, variant and events. */
export function reportCoordination(records: readonly CoordinationRecord[]): CoordinationReport {
  const some = groupRecords(records);
  return {
    schema: 'alas-coordination/report@1',
    planners: some.map(plannerRow),
    violations: some.flatMap(violationRows),
    agreement: some.map(agreementRow),
    context: reportContext(records),
  };
}

function plannerRow(records: readonly CoordinationRecord[]): PlannerReport {
  const is = (holds: (one: CoordinationRecord) => boolean) => records.filter(holds).length;
  const share = (holds: (one: CoordinationRecord) => boolean) =>
    meanOf(records, (one) => (holds(one) ? 100 : 0));
  const isValid = ({ judged }: CoordinationRecord) => judged?.valid === true;
  const own = records.filter((one) => selfVerdictOf(one) !== null);
  const said = records.filter(
    ({ claimed, judged }) => claimed.feasible !== null && judged !== null,
  );
  const costs = records.map(({ cost_usd }) => cost_usd);
  return {
    ...groupOf(records[0]),
    records: records.length,
    plans: is(({ plan }) => plan !== null),
    claimed: is(({ claimed }) => claimed.feasible === true),
    alone: is(isValidAlone),
    alone_share: share(isValidAlone),
    iterations: meanOf(records, iterationsOf),
    requests: records.reduce((sum, one) => sum + requestsOf(one), 0),
    self_verdicts: own.length,
    right_self_verdicts: own.filter((one) => selfVerdictOf(one) === isValid(one)).length,
    valid: is(isValid),
    valid_share: share(isValid),
    claims: said.length,
    right_claims: said.filter(({ claimed, judged }) => claimed.feasible === judged?.valid).length,
    with_past: is(({ past, plan }) => past !== null && plan !== null),
    rewritten: is(
      ({ judged }) =>
        judged?.violations.some(({ code }) => REWRITTEN_CODES.includes(code)) ?? false,
    ),
    repaired: is(isValidInTheEnd),
    // Plans of planners that only judge are not repaired.
    repaired_share: meanOf(records, (one) =>
      one.experiment?.name === 'self-validation' ? null : isValidInTheEnd(one) ? 100 : 0,
    ),
    edit_radius: meanOf(records, (one) =>
      isValid(one) ? null : (one.repaired?.edit_radius ?? null),
    ),
    gap_percent: meanOf(records, ({ judged }) => judged?.gap_percent ?? null),
    gap_repaired_percent: meanOf(records, ({ repaired }) => repaired?.gap_percent ?? null),
    tokens: records.reduce((sum, { tokens }) => sum + tokens.input + tokens.output, 0),
    cost_usd: costs.reduce((sum, usd) => (sum === null || usd === null ? null : sum + usd), 0),
    seconds: meanOf(records, ({ seconds }) => seconds.plan).mean,
  };
}

function meanOf(
  records: readonly CoordinationRecord[],
  value: (record: CoordinationRecord) => number | null,
): ReportedMean {
  return reportedMean(records, ({ problem }) => problem, value);
}

function violationRows(records: readonly CoordinationRecord[]): ViolationReport[] {
  const found = records.map(({ judged }) => judged?.violations.map(({ code }) => code) ?? []);
  const codes = [...new Set(found.flat())];
  const rows = codes.map((code) => ({
    ...groupOf(records[0]),
    code,
    violations: found.flat().filter((one) => one === code).length,
    plans: found.filter((some) => some.includes(code)).length,
  }));
  return rows.sort((a, b) => b.plans - a.plans || b.violations - a.violations);
}

function agreementRow(records: readonly CoordinationRecord[]): AgreementReport {
  const count = (claimed: boolean | null, valid?: boolean) =>
    records.filter(
      (one) =>
        one.judged !== null &&
        one.claimed.feasible === claimed &&
        (valid === undefined || one.judged.valid === valid),
    ).length;
  return {
    ...groupOf(records[0]),
    both_yes: count(true, true),
    false_yes: count(true, false),
    false_no: count(false, true),
    both_no: count(false, false),
    unsaid: count(null),
  };
}
