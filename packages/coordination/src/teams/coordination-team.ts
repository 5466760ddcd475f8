import { groupViolations } from '../judge/groups.js';
import { judge, type Verdict } from '../judge/judge.js';
import type { Past } from '../judge/past.js';
import { type AskedForm, writeSentence } from '../llm/answer-forms.js';
import { type DecodedAnswer, decodeAnswer } from '../llm/decode/decode.js';
import { describeProblem, formatText, PLAN_SHAPE, pastParts, SYSTEM } from '../llm/prompt.js';
import { costOfPlan } from '../model/cost.js';
import type { CoordinationPlan } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import type { TeamAsk, TeamResult, TeamTask, TeamTopology, TeamVariant } from './team.js';
import { runTeam } from './team-loop.js';
import { teamRolesFor } from './team-roles.js';

/** How a team works on a problem. */
export interface TeamWay {
  readonly topology: TeamTopology;
  readonly variant: TeamVariant;
  /** The maximum number of rounds with feedback. */
  readonly rounds: number;
}

/** A plan for a team to make. */
export interface CoordinationTeamTask extends TeamWay {
  readonly problem: Problem;
  readonly past: Past | undefined;
  readonly form: AskedForm;
  readonly ask: TeamAsk;
  readonly signal?: AbortSignal | undefined;
}

export type CoordinationTeamResult = TeamResult<CoordinationPlan, DecodedAnswer>;

/**
 * Lets a team plan a problem.
 *
 * @throws as {@link runTeam}
 */
export function planByTeam(task: CoordinationTeamTask): Promise<CoordinationTeamResult> {
  return runTeam(teamTaskOf(task));
}

/** The task of the loop: the problem in words, and the judge. */
function teamTaskOf(task: CoordinationTeamTask): TeamTask<CoordinationPlan, DecodedAnswer> {
  const { problem, past, form, topology, variant, rounds, ask, signal } = task;
  return {
    topology,
    variant,
    rounds,
    ask,
    signal,
    roles: teamRolesFor(problem, past),
    system: SYSTEM,
    facts: [describeProblem(problem), ...pastParts(past)].join('\n\n'),
    request: formatText(form),
    ...(form === 'json' && { shape: PLAN_SHAPE }),
    readAnswer: (text) => decodeAnswer(problem, text),
    judgeAnswer: (plan) => {
      const { valid, violations } = verdictOn(problem, plan, past);
      const causes = groupViolations(plan, violations).map(({ root }) => root.message);
      return { valid, cost: valid ? costOfPlan(problem, plan).total : null, violations: causes };
    },
    writePlan: ({ actions }) => actions.map(writeSentence).join('\n'),
  };
}

/** The verdict on a plan whatever it claims. */
function verdictOn(problem: Problem, plan: CoordinationPlan, past: Past | undefined): Verdict {
  return judge(problem, { ...plan, claims: {} }, past);
}
