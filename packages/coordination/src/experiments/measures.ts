import { judge, type Verdict } from '../judge/judge.js';
import type { Past } from '../judge/past.js';
import type { ViolationCode } from '../judge/violation.js';
import { parseClock } from '../model/clock.js';
import { type Action, type CoordinationPlan, type Drive, readPlan } from '../model/plan.js';
import { type Problem, readProblem } from '../model/problem.js';
import type { CoordinationRecord } from '../runs/record.js';
import { keptBy } from './constraints.js';

/** Measures of the abilities in table 10 of SagaLLM, each from 0 to 1; null where a record says nothing about one. */
export interface ContextMeasures {
  /** Begun actions that the new plan has as they were. */
  readonly history: number | null;
  /** Drives under way at the change that go on from where they are, in the time that they take now. */
  readonly journeys: number | null;
  /** A verdict about a plan that agrees with the judge's; no verdict is none that agrees. */
  readonly verdict: number | null;
  /** Constraints, stated early, that the plan keeps. */
  readonly constraints: number | null;
  /** No action at two places at once, too fast, on a road that is not there, or other than what has happened. */
  readonly physical: number | null;
}

/** A record of an experiment with its measures. */
export interface MeasuredTrial {
  readonly record: CoordinationRecord;
  readonly trial: NonNullable<CoordinationRecord['experiment']>;
  readonly arm: string;
  readonly model: ContextMeasures;
}

const NONE: ContextMeasures = {
  history: null,
  journeys: null,
  verdict: null,
  constraints: null,
  physical: null,
};

/** Codes of plans that no world could carry out, whatever was asked for. */
const PHYSICAL_CODES: readonly ViolationCode[] = [
  'wrong_times',
  'past_rewritten',
  'past_invented',
  'no_road',
  'closed_road',
  'too_fast',
  'not_available',
  'not_there',
  'overlap',
  'no_driver',
  'vehicle_not_ready',
];

/** Measures the plan of a record: that of the model, or the one after the judge and the repair. */
export function measureRecord(
  record: CoordinationRecord,
  which: 'model' | 'repaired',
): ContextMeasures {
  const { experiment, claimed, judged } = record;
  if (experiment === null) return NONE;
  if (experiment.name === 'self-validation') {
    const isKnown = which === 'model' && judged !== null;
    return { ...NONE, verdict: isKnown ? Number(claimed.feasible === judged.valid) : null };
  }
  const file = which === 'model' ? record.plan : (record.repaired?.plan ?? null);
  const problem = readProblem(record.facts);
  const past = record.past === null ? undefined : pastOf(record.past);
  const plan = file === null ? null : readPlan(file);
  const verdict = plan && judge(problem, { ...plan, claims: {} }, past);
  return {
    history: past === undefined ? null : historyOf(past, verdict),
    journeys: past === undefined ? null : journeysOf(past, plan, verdict),
    verdict: null,
    constraints: constraintsKept(record, which, problem, past, plan),
    physical:
      verdict && Number(!verdict.violations.some(({ code }) => PHYSICAL_CODES.includes(code))),
  };
}

function pastOf({ plan, now }: NonNullable<CoordinationRecord['past']>): Past {
  return { plan: readPlan(plan), now: parseClock(now) };
}

function begunOf({ plan, now }: Past): Action[] {
  return plan.actions.filter((one) => one.do !== 'stay' && one.start < now);
}

function historyOf(past: Past, verdict: Verdict | null): number | null {
  const begun = begunOf(past);
  if (begun.length === 0) return null;
  if (verdict === null) return 0;
  const lost = verdict.violations.filter(({ code }) => code === 'past_rewritten').length;
  return 1 - Math.min(lost, begun.length) / begun.length;
}

/** The share of drives under way that the plan continues, without a violation of the action that does. */
function journeysOf(
  past: Past,
  plan: CoordinationPlan | null,
  verdict: Verdict | null,
): number | null {
  const under = begunOf(past).filter(
    (one): one is Drive => one.do === 'drive' && one.end > past.now,
  );
  if (under.length === 0) return null;
  if (plan === null || verdict === null) return 0;
  const rewritten = verdict.violations.filter(({ code }) => code === 'past_rewritten');
  const continued = under.filter((old) => {
    const at = plan.actions.findIndex((one) => isSameDeparture(one, old));
    const isLost = rewritten.some(
      ({ vehicle, found }) => vehicle === old.vehicle && found === old.start,
    );
    return at >= 0 && !isLost && !verdict.violations.some(({ action }) => action === at);
  });
  return continued.length / under.length;
}

function isSameDeparture(one: Action, old: Drive): boolean {
  return (
    one.do === 'drive' &&
    one.vehicle === old.vehicle &&
    one.from === old.from &&
    one.start === old.start
  );
}

function constraintsKept(
  { experiment }: CoordinationRecord,
  which: 'model' | 'repaired',
  problem: Problem,
  past: Past | undefined,
  plan: CoordinationPlan | null,
): number | null {
  const stated = experiment?.constraints ?? [];
  if (stated.length === 0) return null;
  if (which === 'model') return stated.filter(({ kept }) => kept).length / stated.length;
  const kept = plan === null ? new Set<string>() : keptBy(problem, plan, past);
  return stated.filter(({ id }) => kept.has(id)).length / stated.length;
}
