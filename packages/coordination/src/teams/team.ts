import type { AnswerShape, Message } from 'alas-jssp/llm';

/** Ways in which the agents of a team work together, as job shops have them. */
export const TEAM_TOPOLOGIES = ['single', 'chat', 'graph', 'crew', 'swarm', 'alas'] as const;
export type TeamTopology = (typeof TEAM_TOPOLOGIES)[number];

/** Ablations of the loop; see docs/how-to/coordination.md. */
export const TEAM_VARIANTS = ['full', 'no-repair', 'no-validation', 'self-validation'] as const;
export type TeamVariant = (typeof TEAM_VARIANTS)[number];

/** Specialists contribute parts, the coordinator makes the plan, validators check it, the supervisor makes the final one. */
export const ROLE_KINDS = ['specialist', 'coordinator', 'validator', 'supervisor'] as const;
export type RoleKind = (typeof ROLE_KINDS)[number];

/** A role of a team, in words. */
export interface TeamRole {
  /** Lower-case letters and hyphens, unique in the team: part of the key of its answers in cassettes. */
  readonly id: string;
  readonly name: string;
  readonly kind: RoleKind;
  /** Its task, in one or two sentences. */
  readonly duty: string;
  /** The facts that a specialist or validator sees. Coordinator and supervisor see all facts of the task. */
  readonly facts: string;
}

/** A request of an agent. */
export interface TeamQuestion {
  /** `agent/ROLE` or `validator/ROLE`, with which a cassette finds the answer. */
  readonly key: string;
  /** The number of the request among those with its key, from 1. */
  readonly occurrence: number;
  /** The round, from 0. */
  readonly round: number;
  /** The id of the role; `planner` if there is no team. */
  readonly role: string;
  /** The name of the task, such as `propose` or `check`. */
  readonly purpose: string;
  readonly messages: readonly Message[];
  /** The shape of a plan; null for remarks. */
  readonly shape: AnswerShape | null;
}

/** The answer to a request, as far as the loop uses it. */
export interface TeamAnswer {
  readonly text: string;
  readonly finish: 'stop' | 'length' | 'refusal';
  /** The key of the stored answer. */
  readonly key: string;
  readonly tokens: { readonly input: number; readonly output: number };
  /** Null if the price is unknown. */
  readonly usd: number | null;
  readonly seconds: number;
}

/** Asks a model, with all attempts and limits. */
export type TeamAsk = (question: TeamQuestion) => Promise<TeamAnswer>;

/** A request of an agent with the answer to it. */
export interface TeamTurn extends TeamAnswer, Pick<TeamQuestion, 'role' | 'purpose'> {}

/** A verdict on a plan. */
export interface TeamVerdict {
  readonly valid: boolean;
  /** The price of a valid plan; null if it has none. */
  readonly cost: number | null;
  /** Violations in words, causes first: the feedback of the next round. */
  readonly violations: readonly string[];
}

/** A planning task for a team. It knows nothing of the problem but words, plans and verdicts. */
export interface TeamTask<Plan, Reading extends { readonly plan: Plan | null }> {
  /** Unused by `single`. */
  readonly roles: readonly TeamRole[];
  readonly topology: TeamTopology;
  readonly variant: TeamVariant;
  /** The maximum number of rounds with feedback, after the first plan. */
  readonly rounds: number;
  /** The description of all planning agents, in one or two sentences. */
  readonly system: string;
  /** The whole problem in words, with what has happened. */
  readonly facts: string;
  /** The request for a plan, with the form of the answer. */
  readonly request: string;
  /** The shape of a plan, for providers that enforce one. */
  readonly shape?: AnswerShape | undefined;
  /** Decodes an answer. It does not throw. */
  readonly readAnswer: (text: string) => Reading;
  /** Judges a plan, without any model. */
  readonly judgeAnswer: (plan: Plan) => TeamVerdict;
  /** A plan as agents see it. */
  readonly writePlan: (plan: Plan) => string;
  readonly ask: TeamAsk;
  readonly signal?: AbortSignal | undefined;
}

/** One round: the first plan of the team, or its answer to feedback. */
export interface TeamRound<Plan, Reading extends { readonly plan: Plan | null }> {
  readonly turns: readonly TeamTurn[];
  /** Seconds of its requests; concurrent ones count once. */
  readonly seconds: number;
  /** The answer with the plan; null if no turn gave one. */
  readonly answer: TeamTurn | null;
  /** How that answer was read. */
  readonly reading: Reading | null;
  /** The verdict of the judge; null without a plan. In all variants it is measured; only some hear of it. */
  readonly verdict: TeamVerdict | null;
  /** The own verdict of the planner, in `self-validation`. */
  readonly selfVerdict: SelfVerdict | null;
  /** One line: the reason why the round ended early. */
  readonly error: string | null;
}

/** A planner's verdict on its own plan; null if the answer says neither yes nor no. */
export interface SelfVerdict {
  readonly feasible: boolean | null;
  readonly faults: readonly string[];
}

/**
 * The reason why the loop ended: the plan was accepted (by the judge, by the planner itself, or because the variant checks
 * nothing), there were no more rounds, the next request would have been the same, or a request failed.
 */
export const TEAM_ENDINGS = ['accepted', 'rounds', 'repeated', 'failed'] as const;

/** The outcome of a team. */
export interface TeamResult<Plan, Reading extends { readonly plan: Plan | null }> {
  readonly rounds: readonly TeamRound<Plan, Reading>[];
  /** The round whose plan is kept; null if there is no plan. */
  readonly kept: number | null;
  readonly ending: (typeof TEAM_ENDINGS)[number];
}
