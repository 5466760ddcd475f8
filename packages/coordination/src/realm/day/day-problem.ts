import { AlasError, createRandom } from '@alas-jssp/core';
import { applyEvent, type CoordinationEvent, describeEvent } from '../../events/events.js';
import { judge } from '../../judge/judge.js';
import type { Past } from '../../judge/past.js';
import { decodeAnswer } from '../../llm/decode/decode.js';
import { describeProblem, formatText, PLAN_SHAPE, pastParts, SYSTEM } from '../../llm/prompt.js';
import { formatClock, parseClock } from '../../model/clock.js';
import { costOfPlan } from '../../model/cost.js';
import { type CoordinationPlan, readPlan, writePlan } from '../../model/plan.js';
import type { Problem } from '../../model/problem.js';
import { stateAfter } from '../../plan/begun.js';
import { inOrder, isComplete, nextStates } from '../../plan/next-actions.js';
import { planCoordinationAsync } from '../../plan/plan.js';
import { emptyState, type PlanState } from '../../plan/state.js';
import { repairCoordination } from '../../repair/repair.js';
import { repairAnswer } from '../../runs/outcome.js';
import { teamRolesFor } from '../../teams/team-roles.js';
import type { RealmProblem, RealmSearch } from '../problems/realm-problem.js';

/** Limits of each search and repair: states, so that equal runs are equal; and seconds, if states take long. */
const DAY_BUDGET = { iterations: 5000, seconds: 60 };

/** A day of people, vehicles and activities, with what has happened so far and what will happen. */
interface Day {
  readonly problem: Problem;
  readonly past?: Past;
  readonly assumptions: readonly string[];
  readonly events: readonly CoordinationEvent[];
}

/** A coordination problem (rides, weddings, dinners) as a problem of a suite. */
export function dayProblem(day: Day): RealmProblem {
  const { problem, past, assumptions, events } = day;
  return {
    instance: problem.name,
    facts: problem.facts,
    assumptions,
    unit: 'price of the plan',
    judge: (plan) => judgeDay(problem, readPlan(plan), past),
    search: (signal) => searchDay(day, signal),
    random: (seed) => writePlan(randomDay(day, seed)),
    request: (form) => ({
      system: SYSTEM,
      facts: [describeProblem(problem), ...pastParts(past)].join('\n\n'),
      request: formatText(form),
      ...(form === 'json' && { shape: PLAN_SHAPE }),
      roles: teamRolesFor(problem, past),
    }),
    decode: (text) => {
      const { plan, claims, form, unread } = decodeAnswer(problem, text);
      const stored = plan && writePlan({ ...plan, claims: {} });
      return { plan: stored, claims: { feasible: claims.feasible, cost: null }, form, unread };
    },
    repair: async (plan) => {
      const { repaired, error } = repairAnswer(problem, readPlan(plan), past, null, DAY_BUDGET);
      if (repaired === null) throw new AlasError('none_found', error ?? 'no valid plan is near it');
      const { edits, edit_radius: radius, cost } = repaired;
      return { plan: repaired.plan, cost, edits, radius };
    },
    events: events.map((event, at) => ({
      text: describeEvent(event),
      at: formatClock(parseClock(event.at)),
      apply: (before) =>
        dayProblem({
          problem: applyEvent(problem, event),
          past: { plan: readPlan(before), now: parseClock(event.at) },
          assumptions,
          events: events.slice(at + 1),
        }),
    })),
  };
}

function judgeDay(problem: Problem, plan: CoordinationPlan, past: Past | undefined) {
  const { valid, violations } = judge(problem, { ...plan, claims: {} }, past);
  return {
    valid,
    violations: violations.map(({ code, message }) => ({ code, message })),
    cost: costOfPlan(problem, plan).total,
  };
}

/** The cheapest plan that is found; after an event, no dearer than the repair of the plan before it. */
async function searchDay(day: Day, signal?: AbortSignal): Promise<RealmSearch> {
  const began = performance.now();
  const found = await searchExact(day, signal);
  const near =
    found.status === 'optimal' || found.status === 'infeasible' ? null : repairOfPast(day);
  const seconds = (performance.now() - began) / 1000;
  if (near === null || (found.cost !== null && found.cost <= near.cost))
    return { ...found, seconds };
  const { plan, cost } = near;
  return { plan, cost, bound: found.bound, status: 'feasible', seconds, reason: null };
}

async function searchExact({ problem, past }: Day, signal?: AbortSignal) {
  try {
    const { plan, cost, lowerBound, status } = await planCoordinationAsync(problem, {
      ...(past !== undefined && { past }),
      ...(signal !== undefined && { signal }),
      budget: DAY_BUDGET,
    });
    return {
      plan: writePlan({ ...plan, claims: {} }),
      cost: cost.total,
      bound: lowerBound > 0 ? lowerBound : null,
      status: status === 'optimal' ? ('optimal' as const) : ('feasible' as const),
      reason: null,
    };
  } catch (error) {
    if (!(error instanceof AlasError)) throw error;
    const status = error.code === 'no_plan' ? ('infeasible' as const) : ('open' as const);
    return { plan: null, cost: null, bound: null, status, reason: error.message };
  }
}

/** The repaired plan from before the event; null without an event, or if none is found. */
function repairOfPast({
  problem,
  past,
}: Day): { readonly plan: unknown; readonly cost: number } | null {
  if (past === undefined) return null;
  try {
    const { plan } = repairCoordination(problem, past.plan, { now: past.now, budget: DAY_BUDGET });
    if (!judge(problem, { ...plan, claims: {} }, past).valid) return null;
    return { plan: writePlan({ ...plan, claims: {} }), cost: costOfPlan(problem, plan).total };
  } catch (error) {
    if (!(error instanceof AlasError)) throw error;
    return null;
  }
}

/** Actions after which a random plan ends. */
const MOST_ACTIONS = 60;

/** A walk at random: one of all actions that are useful and possible, as early as possible, until all is done. */
function randomDay({ problem, past }: Day, seed: number): CoordinationPlan {
  const random = createRandom(seed);
  const begun = past?.plan.actions.filter(({ start }) => start < past.now) ?? [];
  const after = past === undefined ? emptyState(problem, 0) : stateAfter(problem, inOrder(begun));
  let state: PlanState | null = after && { ...after, time: Math.max(after.time, past?.now ?? 0) };
  let actions = state?.actions ?? begun;
  while (state !== null && !isComplete(problem, state) && actions.length < MOST_ACTIONS) {
    const next: PlanState[] = nextStates(problem, state);
    state = next.length === 0 ? null : next[random.integer(0, next.length - 1)];
    actions = state?.actions ?? actions;
  }
  return { problem: problem.name, actions: inOrder(actions), claims: {} };
}
