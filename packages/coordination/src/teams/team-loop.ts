import { LlmError } from 'alas-jssp/llm';
import { type RoundFeedback, revise, selfValidate } from './revision.js';
import type { TeamResult, TeamRound, TeamTask, TeamVariant, TeamVerdict } from './team.js';
import { createTeamTalk, type TeamTalk } from './team-talk.js';
import { topologyWork } from './topologies.js';

/**
 * Lets a team plan: its topology gives a first plan; then the judge's violations, or in `self-validation` the planner's
 * own, go back to the agent that makes the final plan, until the plan is accepted or there are no more rounds. Each
 * round is a conversation of its own and begins with the best plan so far: a worse one is discarded. Equal answers give
 * equal results.
 *
 * @throws LlmError for which no other request can succeed (`BudgetSpent`, `MissingKey`, `Unauthorized`); the reason of
 *   the signal
 */
export async function runTeam<Plan, Reading extends { readonly plan: Plan | null }>(
  task: TeamTask<Plan, Reading>,
): Promise<TeamResult<Plan, Reading>> {
  const rounds: TeamRound<Plan, Reading>[] = [];
  const seen = new Set<string>();
  let kept: number | null = null;
  const end = (ending: TeamResult<Plan, Reading>['ending']) => ({ rounds, kept, ending });
  const occurrences = new Map<string, number>();
  for (;;) {
    task.signal?.throwIfAborted();
    const best = kept === null ? null : rounds[kept];
    const last = rounds.at(-1) ?? null;
    const request = last === null ? null : feedbackOf(task, best, last);
    const key = JSON.stringify(request);
    if (seen.has(key)) return end('repeated');
    seen.add(key);
    const talk = createTeamTalk(task, rounds.length, occurrences);
    const round = await playRound(task, talk, request);
    rounds.push(round);
    if (isKept(task.variant, round, best)) kept = rounds.length - 1;
    if (round.error !== null) return end('failed');
    if (isAccepted(task.variant, round)) return end('accepted');
    if (rounds.length > task.rounds) return end('rounds');
  }
}

function feedbackOf<Plan, Reading extends { readonly plan: Plan | null }>(
  task: TeamTask<Plan, Reading>,
  best: TeamRound<Plan, Reading> | null,
  last: TeamRound<Plan, Reading>,
): RoundFeedback {
  const plan = best?.reading?.plan ?? null;
  return {
    plan: plan === null ? null : task.writePlan(plan),
    violations: best === null ? [] : faultsOf(task, best),
    discarded: best === last || best === null ? null : faultsOf(task, last),
  };
}

/** The faults of a plan that the variant makes known. */
function faultsOf<Plan, Reading extends { readonly plan: Plan | null }>(
  { variant }: TeamTask<Plan, Reading>,
  { verdict, selfVerdict }: TeamRound<Plan, Reading>,
): readonly string[] {
  if (variant === 'self-validation') return selfVerdict?.faults ?? [];
  return verdict?.violations ?? [];
}

async function playRound<Plan, Reading extends { readonly plan: Plan | null }>(
  task: TeamTask<Plan, Reading>,
  talk: TeamTalk<Plan, Reading>,
  feedback: RoundFeedback | null,
): Promise<TeamRound<Plan, Reading>> {
  let selfVerdict: TeamRound<Plan, Reading>['selfVerdict'] = null;
  let error: string | null = null;
  try {
    if (feedback === null) await topologyWork[task.topology](talk);
    else await revise(talk, feedback);
    const plan = talk.latest()?.reading.plan;
    if (task.variant === 'self-validation' && plan != null) {
      selfVerdict = await selfValidate(talk, task.writePlan(plan));
    }
  } catch (fault) {
    if (!(fault instanceof LlmError) || FATAL_CODES.has(fault.code)) throw fault;
    error = `${fault.code}: ${fault.message}`;
  }
  const found = talk.latest();
  const plan = found?.reading.plan ?? null;
  return {
    turns: talk.turns,
    seconds: talk.seconds(),
    answer: found?.turn ?? null,
    reading: found?.reading ?? null,
    verdict: plan === null ? null : task.judgeAnswer(plan),
    selfVerdict,
    error,
  };
}

/** Errors after which no other request can succeed. */
const FATAL_CODES: ReadonlySet<string> = new Set(['BudgetSpent', 'MissingKey', 'Unauthorized']);

function isAccepted<Plan, Reading extends { readonly plan: Plan | null }>(
  variant: TeamVariant,
  { verdict, selfVerdict, reading }: TeamRound<Plan, Reading>,
): boolean {
  if (variant === 'no-validation') return reading?.plan != null;
  if (variant === 'self-validation') return selfVerdict?.feasible === true;
  return verdict?.valid === true;
}

/** Whether the plan of a round replaces the best so far. Where the judge is not heard, the last plan is kept. */
function isKept<Plan, Reading extends { readonly plan: Plan | null }>(
  variant: TeamVariant,
  { reading, verdict }: TeamRound<Plan, Reading>,
  best: TeamRound<Plan, Reading> | null,
): boolean {
  if (reading?.plan == null) return false;
  if (variant === 'self-validation' || variant === 'no-validation') return true;
  const other = best?.verdict ?? null;
  if (verdict === null || other === null) return other === null;
  return isBetter(verdict, other);
}

/** Valid plans are better than others, then cheaper ones, then those with fewer violations. */
function isBetter(one: TeamVerdict, other: TeamVerdict): boolean {
  if (one.valid !== other.valid) return one.valid;
  if (one.valid) return (one.cost ?? 0) < (other.cost ?? 0);
  return one.violations.length < other.violations.length;
}
