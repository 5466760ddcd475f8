import { groupViolations, type ViolationGroup } from '../judge/groups.js';
import { judge, type Verdict } from '../judge/judge.js';
import type { CoordinationPlan } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import { type Changes, changesBetween } from '../repair/changes.js';

/** A plan for a page, with its previous version if there is one. */
export interface ShownPlan {
  /** Heading on the page. */
  readonly title: string;
  readonly problem: Problem;
  readonly plan: CoordinationPlan;
  /** The plan before a change or a repair. */
  readonly before?: CoordinationPlan | undefined;
  /** The minute up to which the previous plan has been carried out. Absent: nothing has happened yet. */
  readonly now?: number | undefined;
}

/** A plan with the computed contents of its page. */
export interface PlanView {
  readonly problem: Problem;
  readonly plan: CoordinationPlan;
  readonly verdict: Verdict;
  /** Faults by cause, numbered from 1. */
  readonly groups: readonly ViolationGroup[];
  /** Changes from or to the compared plan; null without one. */
  readonly changes: Changes | null;
  readonly side: 'before' | 'after';
  readonly now: number | null;
}

/** The views of a shown plan: of the previous plan, if there is one, and of its own, both for the current problem. */
export function viewPlans({ problem, plan, before, now }: ShownPlan): PlanView[] {
  const changes = before === undefined ? null : changesBetween(problem, before, plan);
  const past = before === undefined || now === undefined ? undefined : { plan: before, now };
  const view = (one: CoordinationPlan, side: PlanView['side']): PlanView => {
    const verdict = judge(problem, one, past);
    const groups = groupViolations(one, verdict.violations);
    return { problem, plan: one, verdict, groups, changes, side, now: now ?? null };
  };
  const own = view(plan, 'after');
  return before === undefined ? [own] : [view({ ...before, claims: {} }, 'before'), own];
}
