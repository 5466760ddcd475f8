import type { AnswerShape } from 'alas-jssp/llm';
import type { AskedForm } from '../../llm/answer-forms.js';
import type { TeamRole } from '../../teams/team.js';

/** A rule that a plan breaks. The codes are those of the kind of problem. */
interface RealmViolation {
  readonly code: string;
  /** One line for people. */
  readonly message: string;
}

/** The judge's verdict about a plan, and the plan's cost in the unit of its problem. */
export interface RealmVerdict {
  readonly valid: boolean;
  readonly violations: readonly RealmViolation[];
  /** Null if the plan cannot be priced. The cost of an invalid plan means nothing. */
  readonly cost: number | null;
}

/** The outcome of a search for the cheapest plan. */
export interface RealmSearch {
  /** The plan as JSON; null if none was found. */
  readonly plan: unknown;
  readonly cost: number | null;
  /** A proven lower bound of the cost of the plans that the search considers; null if there is none. */
  readonly bound: number | null;
  /**
   * `optimal`, `infeasible`: it is proven that none of the plans that the search considers is cheaper, or keeps all rules.
   * `open`: none was found within the budget.
   */
  readonly status: 'optimal' | 'feasible' | 'infeasible' | 'open';
  readonly seconds: number;
  /** One line: the reason for a missing plan. */
  readonly reason: string | null;
}

/** A valid plan near an invalid one. */
export interface RealmRepair {
  readonly plan: unknown;
  readonly cost: number;
  /** Number of changed decisions; the kind of problem says what a decision is. */
  readonly edits: number;
  /** The share of its decisions that are changed. */
  readonly radius: number;
}

/** Claims of a planner about its own plan. */
export interface RealmClaims {
  readonly feasible: boolean | null;
  readonly cost: number | null;
}

/** The parsed answer of a model. */
export interface RealmAnswer {
  /** The plan as JSON; null if none could be parsed. */
  readonly plan: unknown;
  readonly claims: RealmClaims;
  readonly form: AskedForm | 'none';
  /** Parts that could not be parsed without a guess. */
  readonly unread: readonly string[];
}

/** The parts of a request for a plan. */
export interface PlanRequest {
  /** The description of all planning agents, in one or two sentences. */
  readonly system: string;
  /** The whole problem in words, with what has happened. */
  readonly facts: string;
  /** The form of the answer. */
  readonly request: string;
  /** The shape of a plan, for providers that enforce one. */
  readonly shape?: AnswerShape;
  /** The roles of a team for the problem. */
  readonly roles: readonly TeamRole[];
}

/** Something that changes a problem while its plan is carried out. */
export interface RealmEvent {
  /** One line for people and models. */
  readonly text: string;
  /** The time at which it becomes known; null if it is known before anything is done. */
  readonly at: string | null;
  /**
   * The problem after it. What has begun of the plan before it stays.
   *
   * @throws InputError `bad_event` if it contradicts what has been done
   */
  readonly apply: (before: unknown) => RealmProblem;
}

/** One instance to plan, complete, with everything that a run needs; plans are JSON. */
export interface RealmProblem {
  readonly instance: string;
  /** The completed instance as JSON, so that a record is self-contained. */
  readonly facts: unknown;
  /** Decisions that no source states. */
  readonly assumptions: readonly string[];
  /** The unit of the cost, such as `minutes walked`. */
  readonly unit: string;
  /** Judges a plan. @throws InputError `bad_plan` for JSON that is no plan of this kind */
  readonly judge: (plan: unknown) => RealmVerdict;
  readonly search: (signal?: AbortSignal) => Promise<RealmSearch>;
  /** A plan made at random: the baseline. */
  readonly random: (seed: number) => unknown;
  readonly request: (form: AskedForm) => PlanRequest;
  readonly decode: (text: string) => RealmAnswer;
  /** A valid plan with the fewest changed decisions; null if there is none. Absent if the kind has no repair. */
  readonly repair?: (plan: unknown) => Promise<RealmRepair | null>;
  /** The events that follow, in the order in which they become known. Those after the first belong to its problem. */
  readonly events: readonly RealmEvent[];
}
