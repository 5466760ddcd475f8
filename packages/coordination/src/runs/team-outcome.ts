import { judge } from '../judge/judge.js';
import type { Past } from '../judge/past.js';
import type { PlanClaims } from '../llm/decode/claims.js';
import type { DecodedAnswer } from '../llm/decode/decode.js';
import { type CoordinationPlan, writePlan } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import type { CoordinationTeamResult, TeamWay } from '../teams/coordination-team.js';
import type { TeamRole, TeamRound, TeamTurn } from '../teams/team.js';
import { judgedOf } from './outcome.js';
import { type CoordinationRecord, plainPlan } from './record.js';
import type { TeamRecord } from './team-record.js';

/** The violations of a plan and the false ones of its claims, for a record. */
export function judgedWithClaims(
  problem: Problem,
  plan: CoordinationPlan,
  claims: PlanClaims,
  past: Past | undefined,
  bound: number | null,
): NonNullable<CoordinationRecord['judged']> {
  // The validity of a plan does not depend on its claims.
  const verdict = judge(problem, { ...plan, claims: {} }, past);
  const claimed = { ...plan, claims: figuresClaimed(claims) };
  const { violations } = judge(problem, claimed, past);
  return judgedOf(problem, { ...plan, claims: {} }, { ...verdict, violations }, bound);
}

function figuresClaimed({ km, finish }: PlanClaims): CoordinationPlan['claims'] {
  return {
    ...(km !== null && { metres: Math.round(1000 * km) }),
    ...(finish !== null && { finish }),
  };
}

/** The work of a team, for a record. */
export function teamRecordOf(
  { rounds, kept, ending }: CoordinationTeamResult,
  { topology, rounds: most }: TeamWay,
  roles: readonly TeamRole[],
  judgedRound: (plan: CoordinationPlan, claims: PlanClaims) => CoordinationRecord['judged'],
): TeamRecord {
  return {
    topology,
    most_rounds: most,
    roles: roles.map(({ id, name, kind }) => ({ id, name, kind })),
    rounds: rounds.map((one) => roundRecordOf(one, judgedRound)),
    kept,
    ending,
  };
}

/** The record of a team that had nothing to do, because no plan was carried out. */
export function blockedTeam({ topology, rounds: most }: TeamWay): TeamRecord {
  return { topology, most_rounds: most, roles: [], rounds: [], kept: null, ending: 'blocked' };
}

function roundRecordOf(
  { turns, reading, selfVerdict, seconds, error }: TeamRound<CoordinationPlan, DecodedAnswer>,
  judgedRound: (plan: CoordinationPlan, claims: PlanClaims) => CoordinationRecord['judged'],
): TeamRecord['rounds'][number] {
  const plan = reading?.plan ?? null;
  const claims = reading?.claims ?? { feasible: null, km: null, finish: null };
  return {
    turns: turns.map(turnRecordOf),
    form: reading?.form ?? null,
    claimed: claims.feasible,
    plan: plan && plainPlan(writePlan({ ...plan, claims: {} })),
    judged: plan && judgedRound(plan, claims),
    self_verdict: selfVerdict && { ...selfVerdict, faults: [...selfVerdict.faults] },
    seconds,
    error,
  };
}

function turnRecordOf({ role, purpose, text, finish, key, tokens, usd, seconds }: TeamTurn) {
  const { input, output } = tokens;
  return { role, purpose, text, finish, key, tokens: { input, output }, cost_usd: usd, seconds };
}
