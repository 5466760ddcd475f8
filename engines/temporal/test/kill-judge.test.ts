import { describe, expect, it } from 'vitest';
import { judgeEnds, judgeRun } from '../bench/kill-judge.mjs';

const summary = (key: string) => ({ nodeId: 'n0', effect: 'compensable', idempotencyKey: key });
const effect = (standing: number, more = {}) => ({
  ...{ nodeId: 'n0', runs: new Set(['r']), standing, asked: standing, absorbed: 0 },
  ...{ voided: false, ...more },
});
const result = (status: string, lists = {}) => ({
  ...{ runId: 'r', status, committed: [], undone: [], remaining: [], inDoubt: [], ...lists },
});
const entry = (eventType: string, payload = {}) => ({ nodeId: 'n0', eventType, payload });

async function judged(found: object, outside: object, entries: object[] = []) {
  const problems: string[] = [];
  const effects = new Map(Object.entries(outside));
  const run = { entries: async () => entries };
  await judgeRun({ problems, outside: { effects } }, 'r', found, run);
  return problems;
}

describe('the judge of kill trials', () => {
  it('finds an effect that was lost, doubled, left behind or kept from the list', async () => {
    const committed = { committed: [summary('k')] };
    expect(await judged(result('COMPLETED', committed), { k: effect(1) })).toEqual([]);
    expect(await judged(result('COMPLETED', committed), {})).toEqual([
      'r is COMPLETED: k is committed and stands 0 times',
    ]);
    expect(await judged(result('COMPLETED', committed), { k: effect(2) })).toEqual([
      'r is COMPLETED: k is committed and stands 2 times',
    ]);
    const undone = { undone: [summary('k')] };
    expect(await judged(result('COMPENSATED', undone), { k: effect(0) })).toEqual([]);
    expect(await judged(result('COMPENSATED', undone), { k: effect(1) })).toContain(
      'r is COMPENSATED: k is undone and stands',
    );
    expect(await judged(result('FAILED'), { k: effect(1) })).toEqual([
      'r is FAILED: k stands and is not listed',
    ]);
  });

  it('finds a doubt that is none', async () => {
    const doubt = { inDoubt: [{ ...summary('k'), attempts: [1] }] };
    const start = entry('StartNode', { attempt: 1 });
    expect(await judged(result('IN_DOUBT', doubt), { k: effect(1) }, [start])).toEqual([]);
    expect(await judged(result('IN_DOUBT', doubt), { k: effect(1) }, [])).toEqual([
      'r is IN_DOUBT: k is in doubt and was never begun',
    ]);
    const answered = { inDoubt: [{ ...summary('k'), attempts: [] }] };
    const entries = [start, entry('EndNode')];
    expect(await judged(result('IN_DOUBT', answered), { k: effect(1) }, entries)).toEqual([
      'r is IN_DOUBT: k is in doubt and was answered',
    ]);
    expect(await judged(result('IN_DOUBT'), {})).toEqual(['r is IN_DOUBT: nothing is in doubt']);
    expect(await judged(result('COMPLETED', doubt), { k: effect(1) }, [start])).toEqual([
      'r is COMPLETED: k is in doubt',
    ]);
  });

  it('finds a run without an end, and what was sent twice', () => {
    const problems: string[] = [];
    const effects = new Map([['k', effect(1, { asked: 2 })]]);
    const workflow = { nodes: [{ id: 'n0', type: 'task', policyRef: 'once' }] };
    const runs = [
      { runId: 'r', workflow },
      { runId: 's', workflow },
    ];
    const found = { committed: [summary('k')], remaining: [], inDoubt: [] };
    const ends = new Map([['r', { result: found }]]);
    judgeEnds({ problems, outside: { effects }, runs, ends });
    expect(problems).toEqual(['s is lost: it has no end', 'k was sent 2 times']);
  });
});
