import { describe, expect, it } from 'vitest';
import { attribution } from '../../../src/harness/attribution/attribution.js';
import { attributionFindings } from '../../../src/report/attribution-tables.js';
import { runTest, type TestRun } from '../fixtures.js';

const RANDOM_ORDER = 'module:examples/planners/random-order.mjs';
const TWO_OPERATIONS = 'module:test/harness/planners/two-operations.mjs';

async function attributed(options: TestRun) {
  const { records } = await runTest({ ...options, attribution: true });
  const report = attribution(records);
  if (report === null) throw new Error('no attribution');
  const ofControl = (control: string) => report.shares.find((row) => row.control === control);
  return { records, report, ofControl };
}

describe('a run with attribution', () => {
  it('runs the controls with the same seeds and budget', async () => {
    const { records } = await attributed({ suite: 'ft06', planners: ['insertion'] });
    expect(records.map(({ planner, synthetic }) => [planner, synthetic])).toEqual([
      ['insertion', false],
      ['empty', true],
      ['random', true],
      ['dispatch:mwkr', false],
    ]);
    expect(new Set(records.map(({ seed }) => seed)).size).toBe(1);
    const [{ attribution: facts }] = records;
    expect(facts).toMatchObject({ operations: 36, claimed: 36, pairs: { kept: 1 } });
  });

  it('owes nothing to an answer of 2 of 36 operations, although it ends optimal', async () => {
    const { report, records } = await attributed({
      suite: 'ft06',
      planners: [TWO_OPERATIONS],
      repair: true,
      optimize: '20k-iterations',
    });
    expect(records[0]).toMatchObject({ gap_percent: 0, attribution: { claimed: 2 } });
    for (const { plan } of report.shares) expect(plan.percent).toBe(0);
    expect(attributionFindings(report)[0]).toMatch(/^module.*: nothing is owed to its plans/);
  });

  it('owes all of the gain to an optimal plan that nothing follows', async () => {
    const { ofControl } = await attributed({ suite: 'ft06', planners: ['search:20k-iterations'] });
    expect(ofControl('random')?.plan.percent).toBe(100);
    expect(ofControl('empty')?.plan.percent).toBe(100);
    expect(ofControl('dispatch:mwkr')?.plan.percent).toBeLessThan(100);
  });

  it('owes exactly nothing to the random control under another name', async () => {
    const { report, ofControl } = await attributed({
      suite: 'la01,la02',
      planners: ['other=random'],
      optimize: '200-iterations',
    });
    expect(ofControl('random')).toMatchObject({ difference: 0, finding: 'none' });
    expect(ofControl('random')?.plan.percent).toBe(0);
    const edges = report.edges.find(({ planner }) => planner === 'other');
    expect(edges?.claimed_percent).toBe(100);
  });

  it('owes nothing beyond noise to random plans of another generator', async () => {
    const { ofControl } = await attributed({
      suite: 'la01,la02,la03,la04,la05,la06,la07,la08',
      planners: [RANDOM_ORDER],
      replicates: 8,
      optimize: '100-iterations',
    });
    const { plan, finding } = ofControl('random') ?? {};
    expect(plan?.low).toBeLessThanOrEqual(0);
    expect(plan?.high).toBeGreaterThanOrEqual(0);
    expect(finding).toBe('not shown');
  });

  it('measures tardiness too, and variants that do not validate', async () => {
    const { records, report } = await attributed({
      suite: 'ft06',
      planners: ['degraded:0.2'],
      objective: 'total-weighted-tardiness',
      dueTightness: 1.1,
      variants: ['full', 'no-validation', 'no-repair'],
      optimize: '500-iterations',
    });
    const random = records.filter(({ planner }) => planner === 'random');
    expect(new Set(random.map((record) => record.attribution?.values.plan)).size).toBe(1);
    // Each variant has the planner against three controls, and the rule against the other two.
    expect(report.shares.length).toBe(15);
  });
});
