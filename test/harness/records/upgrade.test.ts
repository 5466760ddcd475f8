import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRecords } from '../../../src/harness/records/record-file.js';
import { upgradeRecord } from '../../../src/harness/records/upgrade.js';

/** Two executed records as version 1 wrote them: one repaired six times, one given up. */
const file = new URL('fixtures/record-1.jsonl', import.meta.url).pathname;

describe('upgradeRecord', () => {
  it('reads an executed record of version 1 with the same numbers under the names of today', () => {
    const [old] = readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => JSON.parse(line || 'null'))
      .filter((record) => record?.status === 'ok');
    const read = readRecords(file).find(({ status }) => status === 'ok');
    const { totals, steps, outcome } = old.disruption;
    expect(read).toMatchObject({
      schema: 'alas-jssp/record@4',
      seed: old.seed,
      repair: {
        phase: 'reordering',
        seed_coverage: 0.94,
        edited_operations: totals.edited.operations,
        edit_radius: totals.edited.radius,
        start_changes: totals.edited.starts,
        rank_changes: totals.edited.ranks,
        shift_total: totals.start_deviation,
        wip_moves: totals.earlier,
        wip_units: totals.earlier_units,
      },
    });
    expect(read?.disruption?.totals).toEqual({
      repairs: totals.repairs,
      events: totals.events,
      lost: totals.lost,
      affected: totals.affected,
      evaluations: totals.evaluations,
      seconds: totals.seconds,
    });
    const last = steps.length - 1;
    expect(read?.disruption?.steps[last]).toMatchObject({
      edited_fraction: steps[last].edited.fraction,
      shift_max: steps[last].starts.max,
      kendall: steps[last].sequences.kendall,
      match_up: steps[last].match_up,
      makespan: steps[last].makespan,
    });
    expect(read?.disruption?.outcome).toMatchObject({
      degradation_percent: outcome.degradation_percent,
      rank_changes: outcome.edited.ranks,
      shift_mean: outcome.starts.mean,
      footrule: outcome.sequences.footrule,
    });
  });

  it('leaves records of today, and what is no record, as they are', () => {
    const [record] = readRecords(file);
    expect(upgradeRecord(record)).toBe(record);
    expect(upgradeRecord(null)).toBeNull();
    expect(upgradeRecord([1])).toEqual([1]);
  });

  it('never throws, whatever a damaged record holds', () => {
    const key = fc.constantFrom('stages', 'repair', 'disruption', 'seconds', 'tokens', 'plan');
    const damaged = fc.dictionary(key, fc.jsonValue());
    fc.assert(
      fc.property(damaged, (parts) => {
        upgradeRecord({ ...parts, schema: 'alas-jssp/record@1' });
      }),
    );
  });
});

describe('records of version 2', () => {
  it('are read without rounds of repairs', () => {
    const [{ repair, ...record }] = readRecords(file);
    const { rounds: _, ...old } = { ...repair };
    expect(upgradeRecord({ ...record, schema: 'alas-jssp/record@2', repair: old })).toEqual({
      ...record,
      repair: { ...old, rounds: null },
    });
  });
});
