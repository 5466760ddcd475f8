import { describe, expect, it } from 'vitest';
import { summarize } from '../../src/harness/records/summary.js';
import { renderRecords } from '../../src/report/record-table.js';
import { renderSummary } from '../../src/report/summary-table.js';
import { syntheticRemarks } from '../../src/report/synthetic-remarks.js';
import { makeRecord } from '../harness/fixtures.js';

const real = makeRecord({ makespan: 120 });
const faulty = makeRecord({ makespan: 110, planner: 'degraded:0.1', synthetic: true });
const repaired = {
  ...faulty,
  stages: { ...faulty.stages, plan: null, repair: faulty.stages.plan },
};

describe('a planner that makes faulty plans on purpose', () => {
  it('is marked wherever its records and means are shown, but not in CSV', () => {
    const records = [real, faulty];
    for (const format of ['table', 'md'] as const) {
      expect(renderRecords(records, format)).toContain('degraded:0.1 (synthetic)');
      expect(renderSummary(summarize(records), format)).toContain('degraded:0.1 (synthetic)');
    }
    expect(renderRecords(records, 'csv')).toContain(',degraded:0.1,true,');
    expect(renderRecords(records, 'table')).not.toContain('dispatch:spt (synthetic)');
  });

  it('is explained where its repaired plans end ahead of a real planner', () => {
    expect(syntheticRemarks(summarize([real, repaired]))).toEqual([
      'degraded:0.1 (synthetic) ends ahead of dispatch:spt: repair also improves the plans that it changes, and feasible plans are not repaired',
    ]);
    expect(syntheticRemarks(summarize([real, faulty]))).toEqual([]);
    const worse = { ...repaired, gap_percent: 90 };
    expect(syntheticRemarks(summarize([real, worse]))).toEqual([]);
  });
});
