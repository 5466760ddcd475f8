import { describe, expect, it } from 'vitest';
import { joinRuns } from '../../../src/harness/records/joined-runs.js';
import { makeRecord, makeRun } from '../fixtures.js';

const named = (directory: string, ...run: Parameters<typeof makeRun>) => ({
  directory,
  ...makeRun(...run),
});
const one = named('one', [makeRecord({ makespan: 110 })]);

describe('joinRuns', () => {
  it('puts records together and counts what finished runs have', () => {
    const { outcome } = one.manifest;
    const other = named(
      'other',
      [makeRecord({ makespan: 120, planner: 'insertion' })],
      { optimize: '10s', replicates: 3 },
      { outcome: { ...outcome, interrupted: true } },
    );
    const joined = joinRuns([one, other]);
    expect(joined.records).toEqual([...one.records, ...other.records]);
    expect(joined).toMatchObject({ planned: 4, interrupted: true });
  });

  it('takes the same planner on other instances if it did the same there', () => {
    const elsewhere = [makeRecord({ makespan: 120, instance: 'abz6' })];
    expect(joinRuns([one, named('other', elsewhere)]).records).toHaveLength(2);
    expect(() => joinRuns([one, named('other', elsewhere, { optimize: '10s' })])).toThrow(
      'one and other have the same planner with other optimize',
    );
    expect(() => joinRuns([one, named('other', elsewhere, { repairer: 'llm' })])).toThrow(
      'one and other have the same planner with other repairer',
    );
  });

  it.each([
    ['the same record twice', 'both have records of dispatch:spt (full) on abz5', one.records, {}],
    [
      'other bounds',
      'were measured by other upper bounds for abz5',
      [makeRecord({ makespan: 110, upper_bound: 99, planner: 'insertion' })],
      {},
    ],
    [
      'other numbers',
      'have other numbers for abz5',
      [makeRecord({ makespan: 110, planner: 'insertion' })],
      { instances: [{ instance: 'abz5', suite: 'abz', sha256: 'beef' }] },
    ],
  ])('refuses %s', (_, message, records, changes) => {
    expect(() => joinRuns([one, named('other', [...records], {}, changes)])).toThrow(message);
  });
});
