import type { AskOptions } from 'alas-jssp/llm';
import type { AskedForm } from '../../llm/answer-forms.js';
import type { TeamResult, TeamTopology } from '../../teams/team.js';
import { runTeam } from '../../teams/team-loop.js';
import type { TeamModels } from '../../teams/team-models.js';
import type { RealmAnswer, RealmProblem } from '../problems/realm-problem.js';
import type { RealmStep } from './realm-record.js';

/** A planner's plan for one step, and its costs. */
export interface RealmProposal {
  readonly plan: unknown;
  readonly claims: RealmStep['claimed'];
  readonly answer: RealmStep['answer'];
  readonly team: RealmStep['team'];
  readonly tokens: RealmStep['tokens'];
  readonly usd: number | null;
  readonly seconds: number;
  readonly error: string | null;
}

/** How models plan: alone or as a team, and how often violations go back to them. */
export interface RealmTeam {
  readonly topology: TeamTopology;
  readonly rounds: number;
}

/** Settings of requests to models. */
export interface RealmAsking extends RealmTeam {
  readonly form: AskedForm;
  readonly replicate: number;
  /** The name of the instance, and of the step: a cassette may have answers for it alone. */
  readonly scope: string;
  readonly onWait?: AskOptions['onWait'];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks a model, or a team of them, for a plan.
 *
 * @throws LlmError `BudgetSpent`, `MissingKey`, `Unauthorized`; the reason of the signal once it is aborted
 */
export async function askRealm(
  problem: RealmProblem,
  planner: string,
  models: TeamModels,
  { form, topology, rounds, replicate, scope, onWait, signal }: RealmAsking,
): Promise<RealmProposal> {
  const ask = models.askFor({ planner, scope, replicate, onWait, signal });
  const { shape, ...words } = problem.request(form);
  const result = await runTeam<unknown, RealmAnswer>({
    ...words,
    ...(shape !== undefined && { shape }),
    topology,
    rounds,
    variant: 'full',
    readAnswer: problem.decode,
    judgeAnswer: (plan) => {
      const { valid, violations, cost } = problem.judge(plan);
      return {
        valid,
        cost: valid ? cost : null,
        violations: violations.map(({ message }) => message),
      };
    },
    writePlan: (plan) => JSON.stringify(plan),
    ask,
    signal,
  });
  return proposalOf(result, { topology, rounds });
}

function proposalOf(
  { rounds, kept, ending }: TeamResult<unknown, RealmAnswer>,
  { topology, rounds: most }: RealmTeam,
): RealmProposal {
  const last = kept === null ? rounds.at(-1) : rounds[kept];
  const turns = rounds.flatMap((round) => round.turns);
  const { answer = null, reading = null } = last ?? {};
  const plan = reading?.plan ?? null;
  const error = rounds.find((round) => round.error !== null)?.error ?? null;
  const isAlone = topology === 'single' && most === 0;
  return {
    plan,
    claims: { feasible: reading?.claims.feasible ?? null, cost: reading?.claims.cost ?? null },
    answer: answer && {
      text: answer.text,
      form: reading?.form ?? 'none',
      unread: [...(reading?.unread ?? [])],
      finish: answer.finish,
      key: answer.key,
    },
    team: isAlone
      ? null
      : {
          topology,
          kept,
          ending,
          rounds: rounds.map(({ turns: own, verdict }) => ({
            requests: own.length,
            valid: verdict?.valid ?? null,
            violations: verdict?.violations.length ?? null,
            cost: verdict?.cost ?? null,
          })),
        },
    tokens: {
      input: turns.reduce((sum, { tokens }) => sum + tokens.input, 0),
      output: turns.reduce((sum, { tokens }) => sum + tokens.output, 0),
    },
    usd: turns.reduce<number | null>(
      (sum, { usd }) => (sum === null || usd === null ? null : sum + usd),
      0,
    ),
    seconds: turns.reduce((sum, { seconds }) => sum + seconds, 0),
    error: error ?? (plan === null ? 'nothing in the answer is read as a plan' : null),
  };
}
