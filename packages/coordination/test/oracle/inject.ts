import type { ViolationCode } from '../../src/judge/violation.js';
import type { Action, CoordinationPlan, Doing, Drive } from '../../src/model/plan.js';
import { type Problem, readProblem } from '../../src/model/problem.js';
import type { ProblemFile } from '../../src/model/problem-schema.js';
import { type Fault, faultKey } from './faults.js';
import type { ValidCase } from './generate.js';
import { injectionsIntoPlan } from './inject-plan.js';
import { injectionsIntoProblem } from './inject-problem.js';
import type { OraclePast } from './oracle-past.js';
import type { Random } from './random.js';

/** A problem and a plan with a fault, and what has to be found. */
export interface Injected {
  readonly problem: Problem;
  readonly plan: CoordinationPlan;
  readonly past?: OraclePast;
  /** One of the lines that have to be there. */
  readonly expected: string;
}

/** A change that leads to a fault. */
export interface Change {
  readonly facts?: ProblemFile;
  readonly actions?: readonly Action[];
  readonly claims?: CoordinationPlan['claims'];
  readonly past?: OraclePast;
  /** What the fault is about. */
  readonly about: Omit<Fault, 'code'>;
}

/** What an injector may use: the case, and its actions with their positions. */
export interface Target extends ValidCase {
  readonly drives: readonly { readonly at: number; readonly action: Drive }[];
  readonly doings: readonly { readonly at: number; readonly action: Doing }[];
}

/** Puts one kind of fault into a valid plan, or into what is asked of it; null where that cannot be done. */
export type Injector = (random: Random, target: Target) => Change | null;

const INJECTORS: Record<ViolationCode, Injector> = {
  ...injectionsIntoPlan,
  ...injectionsIntoProblem,
};

/** A case with a fault of a kind; null if it has no place for one. */
export function inject(random: Random, made: ValidCase, code: ViolationCode): Injected | null {
  const entries = [...made.plan.actions.entries()];
  const drives = entries.flatMap(([at, action]) => (action.do === 'drive' ? [{ at, action }] : []));
  const doings = entries.flatMap(([at, action]) =>
    action.do === 'activity' ? [{ at, action }] : [],
  );
  const change = INJECTORS[code](random, { ...made, drives, doings });
  if (change === null) return null;
  const { facts, actions = made.plan.actions, claims = made.plan.claims, past, about } = change;
  return {
    problem: facts === undefined ? made.problem : readProblem(facts),
    plan: { ...made.plan, actions, claims },
    ...(past !== undefined && { past }),
    expected: faultKey({ code, ...about }),
  };
}
