import { describe, expect, it } from 'vitest';
import { leaderboardOf } from '../../../src/realm/suites/leaderboard.js';
import type { RealmRecord, RealmStep } from '../../../src/realm/suites/realm-record.js';

/** A step of an instance whose search proves that there is no plan of the kind that it considers. */
function stepOf(judged: RealmStep['judged'], event: string | null = null): RealmStep {
  return {
    event,
    now: null,
    still_valid: null,
    bound: null,
    search: 'infeasible',
    claimed: { feasible: judged !== null, cost: null },
    answer: null,
    team: null,
    plan: judged === null ? null : {},
    judged,
    repaired: null,
    tokens: { input: 0, output: 0 },
    cost_usd: 0,
    seconds: { plan: 0, repair: 0 },
    error: null,
  };
}

const VALID = { valid: true, violations: [], cost: 50, gap_percent: null };

function recordOf(planner: string, steps: RealmStep[]): RealmRecord {
  return {
    schema: 'alas-coordination/realm-run@1',
    suite: 'realm-p3',
    instance: 'one',
    origin: 'published',
    completed: {},
    contradictions: [],
    refused: [],
    assumptions: [],
    unit: 'price of the plan',
    facts: {},
    planner,
    team: null,
    replicate: 0,
    seed: 0,
    steps,
  };
}

describe('problems without a plan', () => {
  it('are in no share, and a claim that there is none is right', () => {
    const { rows, refusals } = leaderboardOf([recordOf('search', [stepOf(null)])]);
    expect(rows).toMatchObject([{ impossible: 1, right_claims: 1, valid_share: { mean: null } }]);
    expect(refusals).toMatchObject([{ code: 'no_plan', instances: 1 }]);
  });

  it('have a plan if the judge accepts that of any planner', () => {
    const records = [recordOf('search', [stepOf(null)]), recordOf('model', [stepOf(VALID)])];
    const { rows, refusals } = leaderboardOf(records);
    expect(rows).toMatchObject([
      { planner: 'search', impossible: 0, right_claims: 0, valid_share: { mean: 0 } },
      { planner: 'model', impossible: 0, right_claims: 1, valid_share: { mean: 100 } },
    ]);
    expect(refusals).toEqual([]);
  });

  it('depend after an event on what the planner has done before', () => {
    const records = [
      recordOf('search', [stepOf(null), stepOf(null, 'a road is closed')]),
      recordOf('model', [stepOf(VALID), stepOf(VALID, 'a road is closed')]),
    ];
    const later = leaderboardOf(records).rows.filter(({ stage }) => stage === 'replan');
    expect(later.map(({ impossible }) => impossible)).toEqual([1, 0]);
  });
});
