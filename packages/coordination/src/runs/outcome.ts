import { AlasError } from 'alas-jssp';
import { judge, type Verdict } from '../judge/judge.js';
import type { Past } from '../judge/past.js';
import { UNSOUND_CODES, type ViolationCode } from '../judge/violation.js';
import { formatClock } from '../model/clock.js';
import { costOfPlan } from '../model/cost.js';
import { type CoordinationPlan, writePlan } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import { changesBetween } from '../repair/changes.js';
import { repairCoordination } from '../repair/repair.js';
import { type CoordinationRecord, plainPlan } from './record.js';

/** Limits of a search: states, so that equal runs have equal records; and seconds, if states take long. */
export const SEARCH_BUDGET = { iterations: 20_000, seconds: 60 } as const;

/** The verdict about a plan, for a record. A valid plan may still have false claims among its violations. */
export function judgedOf(
  problem: Problem,
  plan: CoordinationPlan,
  { valid, violations }: Verdict,
  bound: number | null,
): NonNullable<CoordinationRecord['judged']> {
  return {
    valid,
    violations: violations.map((one) => ({ ...one })),
    ...figuresOf(problem, plan, valid ? bound : null),
  };
}

function figuresOf(problem: Problem, plan: CoordinationPlan, bound: number | null) {
  const { metres, finish, total } = costOfPlan(problem, plan);
  return {
    km: metres / 1000,
    finish: plan.actions.length === 0 ? null : formatClock(finish),
    cost: total,
    gap_percent: bound === null || bound === 0 ? null : (100 * (total - bound)) / bound,
  };
}

/** A nearby plan that the judge accepts, for a record; or one line with the reason why there is none. */
export function repairAnswer(
  problem: Problem,
  plan: CoordinationPlan,
  past: Past | undefined,
  bound: number | null,
  budget: Readonly<{ iterations: number; seconds: number }> = SEARCH_BUDGET,
): { readonly repaired: CoordinationRecord['repaired']; readonly error: string | null } {
  try {
    const { violations } = judge(problem, { ...plan, claims: {} }, past);
    const before = readable(plan, violations, past);
    const { plan: found, phase } = repairCoordination(problem, before, {
      now: past?.now ?? 0,
      budget,
    });
    const after = { problem: problem.name, actions: found.actions, claims: {} };
    const [fault] = judge(problem, after, past).violations;
    if (fault !== undefined) return { repaired: null, error: `after repair, ${fault.message}` };
    const { changes, editRadius, told } = changesBetween(problem, plan, after);
    const repaired = {
      plan: plainPlan(writePlan(after)),
      phase,
      edits: changes.length,
      edit_radius: editRadius,
      told: [...told],
      ...figuresOf(problem, after, bound),
    };
    return { repaired, error: null };
  } catch (error) {
    if (!(error instanceof AlasError)) throw error;
    return { repaired: null, error: error.message };
  }
}

/** A plan without stays and unsound actions, and with the original past where it rewrites the past. */
function readable(
  plan: CoordinationPlan,
  violations: Verdict['violations'],
  past: Past | undefined,
): CoordinationPlan {
  const unsound = new Set(
    violations.flatMap(({ code, action }) => (UNSOUND_CODES.includes(code) ? (action ?? []) : [])),
  );
  const sound = plan.actions.filter((one, at) => one.do !== 'stay' && !unsound.has(at));
  const isRewritten = violations.some(({ code }) => REWRITTEN_CODES.includes(code));
  if (past === undefined || !isRewritten) return { ...plan, actions: sound, claims: {} };
  const { now } = past;
  const begun = past.plan.actions.filter(({ do: kind, start }) => kind !== 'stay' && start < now);
  const actions = [...begun, ...sound.filter(({ start }) => start >= now)];
  return { ...plan, actions, claims: {} };
}

/** Codes of plans that contradict the past. */
export const REWRITTEN_CODES: readonly ViolationCode[] = ['past_rewritten', 'past_invented'];
