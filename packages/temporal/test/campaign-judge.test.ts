import { describe, expect, it } from 'vitest';
import { judgeCampaign } from '../bench/campaign-judge.mjs';

const record = (instance: string, more = {}) => ({
  ...{ instance, planner: 'p', variant: 'full', method: null, replicate: 0 },
  ...{ makespan: 55, seconds: 1, ...more },
});
const key = (instance: string) => JSON.stringify([instance, 'p', 'full', null, 0]);

/** What is found wrong with a campaign of two tasks of which this differs from the right one. */
function judged({ found = [record('a'), record('b')], seen = {}, ends = [1, 1] }) {
  const counts = { [key('a')]: 1, [key('b')]: 1, ...seen };
  return judgeCampaign({
    wanted: [record('a'), record('b', { seconds: 2, stages: { plan_seconds: 3 } })],
    found: found.map((one) => ({ ...one, stages: one.instance === 'b' ? {} : undefined })),
    seen: new Map(Object.entries(counts)),
    ends: new Map(ends.map((count, task) => [task, count])),
  });
}

describe('the judge of campaigns', () => {
  it('finds nothing in one that differs by what was measured', () => {
    expect(
      judged({ found: [record('a', { seconds: 9, improvements: [1] }), record('b')] }),
    ).toEqual([]);
  });

  it('finds a record that is missing, different, doubled or was not asked for', () => {
    expect(judged({ found: [record('a')] })).toEqual([`${key('b')} is missing`]);
    expect(judged({ found: [record('a', { makespan: 56 }), record('b')] })).toEqual([
      `${key('a')} is different`,
    ]);
    expect(judged({ found: [record('a'), record('b'), record('a')] })).toEqual([
      '1 records are doubled',
    ]);
    expect(judged({ found: [record('a'), record('b'), record('c')] })).toEqual([
      `${key('c')} was not asked for`,
    ]);
  });

  it('finds a record that came twice, and a task that ended twice or never', () => {
    expect(judged({ seen: { [key('a')]: 2 } })).toEqual([`${key('a')} came 2 times`]);
    expect(judged({ ends: [1, 2] })).toEqual(['task 1 ended 2 times on the server']);
    expect(judged({ ends: [1] })).toEqual(['1 tasks ended on the server, not 2']);
  });
});
