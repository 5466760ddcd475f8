import { AlasError } from 'alas-jssp';
import { judge } from '../judge/judge.js';
import type { Past } from '../judge/past.js';
import type { AskedForm } from '../llm/answer-forms.js';
import { formatClock } from '../model/clock.js';
import { type CoordinationPlan, readPlan } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import type { RepairPhase } from '../repair/repair.js';
import { repairAnswer } from '../runs/outcome.js';
import { judgedWithClaims, teamRecordOf } from '../runs/team-outcome.js';
import type { TeamRecord } from '../runs/team-record.js';
import { planByTeam, type TeamWay } from '../teams/coordination-team.js';
import type { TeamAsk } from '../teams/team.js';
import { teamRolesFor } from '../teams/team-roles.js';

/** The team of an execution, as its log has it. */
export interface ExecutionTeam extends TeamWay {
  /** The specification of its model. */
  readonly planner: string;
  readonly form: AskedForm;
  /** How it made the first plan; null if that was given. */
  readonly first: TeamPlanning | null;
}

/** How a team made a plan. */
export interface TeamPlanning {
  readonly team: TeamRecord;
  /** How its plan was repaired by code; null if it was valid. */
  readonly mended: { readonly phase: RepairPhase; readonly edits: number } | null;
}

/** Asks the model of the team of an execution. */
export interface TeamLine {
  /** @param scope the problem and the time, by which cassettes find answers */
  askFor(scope: string, signal?: AbortSignal): TeamAsk;
}

/**
 * Lets a team plan, and repairs its plan by code if it is not valid and the variant allows it.
 *
 * @throws AlasError `no_plan` if there is no valid plan then; errors of the model
 */
export async function planWithTeam(
  problem: Problem,
  past: Past | undefined,
  way: Omit<ExecutionTeam, 'first'>,
  line: TeamLine,
  signal?: AbortSignal,
): Promise<TeamPlanning & { readonly plan: CoordinationPlan }> {
  const time = past === undefined ? '' : `@${formatClock(past.now)}`;
  const ask = line.askFor(`${problem.name}${time}`, signal);
  const result = await planByTeam({ ...way, problem, past, ask, signal });
  const team = teamRecordOf(result, way, teamRolesFor(problem, past), (plan, claims) =>
    judgedWithClaims(problem, plan, claims, past, null),
  );
  const kept = result.kept === null ? null : result.rounds[result.kept];
  const plan = kept?.reading?.plan ?? null;
  if (plan === null) {
    const reason = result.rounds.at(-1)?.error ?? 'nothing in its answers is read as a plan';
    throw new AlasError('no_plan', `the team made no plan: ${reason}`, team);
  }
  const own = { problem: problem.name, actions: plan.actions.filter(isDone), claims: {} };
  const { violations } = judge(problem, own, past);
  if (violations.length === 0) return { plan: own, team, mended: null };
  const isMended =
    way.variant === 'full' ||
    (way.variant === 'self-validation' && kept?.selfVerdict?.feasible === false);
  const repair = isMended ? repairAnswer(problem, own, past, null) : null;
  if (repair?.repaired == null) {
    const reason = repair?.error ?? violations[0].message;
    throw new AlasError('no_plan', `the plan of the team is not valid: ${reason}`, team);
  }
  const { phase, edits, plan: mended } = repair.repaired;
  return { plan: readPlan(mended), team, mended: { phase, edits } };
}

/** Stays are claims only: an execution has what is done. */
function isDone({ do: kind }: CoordinationPlan['actions'][number]): boolean {
  return kind !== 'stay';
}
