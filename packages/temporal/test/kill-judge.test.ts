import { describe, expect, it } from 'vitest';
import { judgeEnds, judgeRun } from '../bench/kill-judge.mjs';

const summary = (key: string) => ({ nodeId: 'n0', effect: 'compensable', idempotencyKey: key });
const effect = (standing: number, more = {}) => ({
  ...{ nodeId: 'n0', runs: new Set(['r']), standing, asked: standing, absorbed: 0 },
  ...{ voided: false, ...more },
});
const result = (status: string, lists = {}) => ({
  ...{ runId: 'r', status, committed: [], undone: [], remaining: [], inDoubt: [] },
  ...{ versions: 0, ...lists },
});
const entry = (eventType: string, payload = {}) => ({ nodeId: 'n0', eventType, payload });

async function judged(
  found: object,
  outside: object,
  entries: object[] = [],
  steps: object[] = [],
) {
  const problems: string[] = [];
  const effects = new Map(Object.entries(outside));
  const run = { entries: async () => entries, history: async () => steps };
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

  const call = (end: string, more = {}) => ({
    ...{ kind: 'handler', path: 'n0', attempt: 1, key: 'k', end },
    ...{ begun: end === 'open' ? undefined : true, ...more },
  });
  const inDoubt = (attempts: number[]) =>
    result('IN_DOUBT', { inDoubt: [{ ...summary('k'), attempts }] });

  it('finds a doubt that is none', async () => {
    const stands = { k: effect(1) };
    const found = (attempts: number[], ...calls: object[]) =>
      judged(inDoubt(attempts), stands, [], calls);
    expect(await found([1], call('open'))).toEqual([]);
    expect(await found([], call('timed out'))).toEqual([]);
    expect(await found([1])).toContain('r is IN_DOUBT: k is in doubt and was never begun');
    expect(await found([1], call('timed out'))).toEqual([]);
    expect(await found([1], call('failed', { error: 'Jam' }))).toEqual([
      'r is IN_DOUBT: k is in doubt for attempt 1, which answered',
    ]);
    expect(await found([1], call('timed out', { begun: false }))).toEqual([
      'r is IN_DOUBT: k is in doubt for attempt 1, which answered',
    ]);
    expect(await found([], call('completed'))).toEqual([
      'r is IN_DOUBT: k is in doubt and was answered',
    ]);
    expect(await found([], call('cancelled', { begun: false }))).toEqual([
      'r is IN_DOUBT: k is in doubt and no worker had it',
    ]);
    expect(await judged(result('IN_DOUBT'), {})).toEqual(['r is IN_DOUBT: nothing is in doubt']);
    const doubt = { inDoubt: [{ ...summary('k'), attempts: [1] }] };
    expect(await judged(result('COMPLETED', doubt), stands, [], [call('open')])).toEqual([
      'r is COMPLETED: k is in doubt',
    ]);
  });

  it('finds a doubt that is kept from the list, and counts what was lost', async () => {
    const register = entry('Register', { key: 'k' });
    const ends = result('FAILED', { versions: 1 });
    expect(await judged(ends, {}, [register], [call('timed out')])).toEqual([
      'r is FAILED: k was called, is timed out, and no entry records it',
    ]);
    const undoing = call('completed', { kind: 'compensator' });
    expect(await judged(ends, {}, [register], [call('open'), undoing])).toEqual([]);
    const entries = [
      entry('Answer', { attempt: 1, failed: 'Lost' }),
      entry('Answer', { attempt: 2, failed: 'Broken' }),
      entry('CompensateFail', { attempt: 1, code: 'Interrupted' }),
    ];
    const run = { entries: async () => entries, history: async () => [] };
    const trial = { problems: [], outside: { effects: new Map() } };
    expect(await judgeRun(trial, 'r', result('FAILED'), run)).toBe(2);
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
