import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { type Comparison, compareRuns } from '../../src/harness/records/compare.js';
import type { DisruptionRecord } from '../../src/harness/records/disruption-record.js';
import { crossedLimits } from '../../src/harness/records/gate.js';
import { parseLimits } from '../../src/harness/records/limits.js';
import type { RunRecord } from '../../src/harness/records/record.js';
import { summarize } from '../../src/harness/records/summary.js';
import { plannerSpecs } from '../../src/pipeline/planners/planners.js';
import type { Column } from '../../src/report/columns.js';
import {
  describeComparison,
  renderComparison,
  renderCrossings,
} from '../../src/report/comparison-table.js';
import { renderRecords } from '../../src/report/record-table.js';
import { renderSummary } from '../../src/report/summary-table.js';
import { renderTable } from '../../src/report/table.js';
import type { PlannerSpec } from '../../src/search/planners.js';
import { makeRecord, makeRun, optimizedRecord } from '../harness/fixtures.js';

const records = [
  makeRecord({ makespan: 100 }),
  makeRecord({ makespan: 121, instance: 'abz6' }),
  makeRecord({ makespan: null, instance: 'abz7' }),
  makeRecord({
    makespan: null,
    instance: 'la01',
    suite: 'la',
    status: 'error',
    violations: null,
    error: 'worker exited with code: 3',
  }),
];
const summary = summarize(records);

/** An execution, but for its single repairs. */
const hit: DisruptionRecord = {
  policy: 'default',
  finished: true,
  skipped: [],
  steps: [],
  totals: {
    repairs: 4,
    events: 5,
    lost: 0,
    affected: 6,
    evaluations: 0,
    seconds: 0.25,
  },
  outcome: {
    makespan: { planned: 100, realised: 112 },
    tardiness: { planned: 0, realised: 3 },
    degradation_percent: 12,
    ...{ compared: 9, start_changes: 6, rank_changes: 1, wip_moves: 0, wip_units: 0 },
    ...{ shift_total: 8, shift_mean: 1, shift_max: 3 },
    ...{ inversions: 1, kendall: 0.1, displacement: 2, footrule: 0.1 },
  },
};
const baseline = makeRun(
  records.map(({ instance, suite }) => makeRecord({ makespan: 110, instance, suite })),
);
const comparison = compareRuns(makeRun(records), baseline);
const lines = (text: string) => text.trimEnd().split('\n');

describe('renderSummary', () => {
  it('has a row for each suite and planner and one over all suites', () => {
    const [head, , abz, la, all, ...rest] = lines(renderSummary(summary, 'table'));
    expect(head).toMatch(/^suite +planner +runs +feasible .* success % .* optimality % +gap %/);
    expect(abz).toMatch(/^abz +dispatch:spt +3 +2 +1 +0 +66\.7 +2 +91\.32 +10\.50 +10\.00/);
    expect(la).toMatch(/^la +dispatch:spt +1 +0 +0 +1 +0\.0 +0 +– +– +–/);
    expect(all).toMatch(/^all +dispatch:spt +4/);
    expect(rest).toEqual([]);
  });

  it('has no row over all suites where there is only one', () => {
    expect(lines(renderSummary(summarize(records.slice(0, 3)), 'table'))).toHaveLength(3);
  });

  it('shows variants to people only where there are several', () => {
    const mixed = [...records, makeRecord({ makespan: 100, variant: 'no-repair' })];
    expect(renderSummary(summary, 'md')).not.toContain('variant');
    expect(renderSummary(summarize(mixed), 'md')).toContain('| no-repair |');
  });

  it('shows the gap of the plans alone only where a search came after them', () => {
    expect(renderSummary(summary, 'md')).not.toContain('plan gap');
    const [head, , row] = lines(renderSummary(summarize([optimizedRecord(130, 104)]), 'table'));
    expect(head).toMatch(/success % +plan gap % .* gap %/);
    expect(row).toMatch(/100\.0 +30\.00 .* 4\.00/);
  });

  it('is the summary itself as JSON, and has its exact numbers in CSV', () => {
    expect(JSON.parse(renderSummary(summary, 'json'))).toEqual(summary);
    const rows = parse<{ suite: string; success_percent: string }>(renderSummary(summary, 'csv'), {
      columns: true,
    });
    expect(rows.map((row) => row.suite)).toEqual(['abz', 'la', '']);
    expect(Object.keys(rows[0])).toEqual(Object.keys(summary.suites[0]));
    expect(rows[0].success_percent).toBe(String(200 / 3));
  });
});

describe('tables on a terminal of 80 and of 60 columns', () => {
  const long = records.map((record) => ({ ...record, planner: 'dispatch:fdd-mwkr:active' }));
  const searched = long.map(({ planner }) => optimizedRecord(130, 104, { planner }));
  const pairs = compareRuns(makeRun(long), makeRun(long));
  const worse = pairs.pairs.map((pair) => ({ ...pair, verdict: 'worse' as const }));
  const changed: Comparison = { ...pairs, pairs: worse };
  const crossings = crossedLimits(parseLimits('success<100'), long, null);
  const specs: Column<PlannerSpec>[] = [
    { key: 'planner', header: 'planner', value: ({ spec }) => spec },
    { key: 'description', header: '', value: ({ description }) => description },
  ];

  const executed = long.map((record) => ({ ...record, method: 'right-shift', disruption: hit }));
  const ablated = long.map((record) => ({ ...record, variant: 'no-optimization' }));
  const summaryAt = (width: number, records: readonly RunRecord[]) =>
    renderSummary(summarize(records), 'table', { width });
  const tables: [string, (width: number) => string, string][] = [
    ['executed', (width) => renderRecords(executed, 'table', { width }), 'growth %'],
    ['their summary', (width) => summaryAt(width, executed), 'growth %'],
    ['a summary', (width) => summaryAt(width, long), 'success %'],
    ['one of variants', (width) => summaryAt(width, [...long, ...ablated]), 'variant'],
    ['records', (width) => renderRecords(long, 'table', { width }), 'gap %'],
    ['optimized', (width) => renderRecords(searched, 'table', { width }), 'plan gap %'],
    ['their summary', (width) => summaryAt(width, searched), 'gap %'],
    ['a comparison', (width) => renderComparison(changed, 'table', { width }), 'was'],
    ['crossings', (width) => renderCrossings(crossings, 'table', { width }), 'value'],
    ['planners', (width) => renderTable(specs, plannerSpecs, 'table', { width }), 'planner'],
  ];
  it.each(tables)('fit it and keep what matters: %s', (_, render, header) => {
    for (const width of [80, 60]) {
      expect(lines(render(width))[0]).toContain(header);
      for (const line of lines(render(width))) expect(line.length, line).toBeLessThanOrEqual(width);
    }
  });

  it('say which columns they leave out, where they do', () => {
    expect(lines(summaryAt(80, long)).slice(-2)).toEqual([
      'left out: feasible, infeasible, measured, optimality %, geo gap %, time, mean',
      'time; --format csv has all',
    ]);
    expect(lines(summaryAt(60, long)).slice(-2).join(' ')).toMatch(
      /^left out: feasible, infeasible, .*; --format csv has all$/,
    );
    expect(summaryAt(200, long)).not.toContain('left out');
    expect(renderSummary(summarize(long), 'md', { width: 80 })).not.toContain('left out');
  });
});

describe('renderRecords', () => {
  it('shows a row for each record, with its failure if it is one', () => {
    const text = renderRecords(records, 'table');
    expect(text).toMatch(/^abz6 +10×10 +dispatch:spt +ok +121 +90 +100 +21\.00/m);
    expect(text).toMatch(/^abz7 .* infeasible +– .* 3 +500 ms/m);
    expect(text).toMatch(/^la01 .* error .* worker exited with code: 3$/m);
  });

  it('does without columns in which nothing stands', () => {
    const [head] = lines(renderRecords(records.slice(0, 2), 'table'));
    expect(head).not.toMatch(/error|violations|replicate|plan gap/);
  });

  it('shows the plan beside what a search made of it', () => {
    const [head, , row] = lines(renderRecords([optimizedRecord(130, 104)], 'table'));
    expect(head).toMatch(/status +planned +plan gap % +makespan/);
    expect(row).toMatch(/ok +130 +30\.00 +104 /);
    const csv = renderRecords([optimizedRecord(130, 104), makeRecord()], 'csv');
    const [searched, planned] = parse(csv, { columns: true }) as Record<string, string>[];
    expect(searched).toMatchObject({
      plan_feasible: 'true',
      plan_makespan: '130',
      plan_gap_percent: '30',
      optimize_feasible: 'true',
      optimize_makespan: '104',
      optimize_gap_percent: '4',
      optimize_status: 'feasible',
      optimize_lower_bound: '95',
      optimize_iterations: '2048',
    });
    expect(planned).toMatchObject({ plan_makespan: '110', optimize_status: '' });
  });

  it('tells of an execution what was realised and changed, and no gap', () => {
    const record = makeRecord({ makespan: 112, method: 'lcrp', disruption: hit });
    const [head, , row] = lines(renderRecords([record], 'md'));
    expect(head).toContain('| makespan | growth % | repairs | edited | rank changes |');
    expect(head).not.toMatch(/gap|lower|upper/);
    expect(row).toContain('| lcrp | ok | 112 | 12.00 | 4 |');
    expect(lines(renderRecords([makeRecord()], 'md'))[0]).not.toMatch(/method|degr/);
  });

  it('has everything in CSV, and the records themselves in JSON', () => {
    const rows = parse(renderRecords(records, 'csv'), { columns: true }) as Record<
      string,
      string
    >[];
    expect(rows[1]).toMatchObject({
      instance: 'abz6',
      jobs: '10',
      seed: '1',
      makespan: '121',
      lower_bound_source: 'own',
      seconds_validate: '0.25',
      seconds_repair: '',
      tokens_input: '0',
    });
    expect(JSON.parse(renderRecords(records, 'json'))).toEqual(records);
  });
});

describe('renderComparison', () => {
  it('shows what changed, the worse first, and counts the rest', () => {
    const rows = lines(renderComparison(comparison, 'table'));
    expect(rows.slice(2, 6).map((row) => row.split(/ +/).slice(0, 2))).toEqual([
      ['worse', 'abz6'],
      ['worse', 'abz7'],
      ['worse', 'la01'],
      ['better', 'abz5'],
    ]);
    expect(rows[2]).toMatch(/121 +110 +\+10\.00 +21\.00 +10\.00/);
    expect(rows.at(-1)).toBe('4 pairs: 1 better, 3 worse, 0 the same');
  });

  it('is one line where nothing changed, in Markdown below a table without rows', () => {
    const same = compareRuns(baseline, baseline);
    const line = '4 pairs: 0 better, 0 worse, 4 the same\n';
    expect(renderComparison(same, 'table')).toBe(line);
    const [head, rule, blank, ...rest] = renderComparison(same, 'md').split('\n');
    expect([head.slice(0, 23), rule.slice(0, 15), blank]).toEqual([
      '| verdict | instance | ',
      '| --- | --- | -',
      '',
    ]);
    expect(rest.join('\n')).toBe(line);
  });

  it('tells with which budgets the two were optimized, if they differ', () => {
    const run = makeRun(records, { optimize: '10s' });
    expect(describeComparison(compareRuns(run, run))).not.toContain('optimize');
    expect(describeComparison(compareRuns(run, baseline))).toMatch(/, optimize 10s against none$/);
  });

  it('tells how many pairs cannot be compared', () => {
    const failed = makeRun([records[2]]);
    expect(describeComparison(compareRuns(failed, failed))).toBe(
      '1 pair: 0 better, 0 worse, 0 the same, 1 not comparable',
    );
  });

  it('has every pair in CSV and in JSON', () => {
    expect(parse(renderComparison(comparison, 'csv'))).toHaveLength(5);
    expect(JSON.parse(renderComparison(comparison, 'json'))).toEqual(comparison);
  });
});

describe('renderCrossings', () => {
  const crossings = crossedLimits(parseLimits('success<100,gap>+0.2'), records, comparison);

  it('shows the records behind each crossed limit, or the limit alone where there are none', () => {
    const rows = lines(renderCrossings(crossings, 'md')).slice(2);
    expect(rows).toEqual([
      '| success<100 | abz | dispatch:spt | abz7 | 0 | infeasible | 0.00 | – |  |',
      '| success<100 | la | dispatch:spt | la01 | 0 | error | 0.00 | – | worker exited with code: 3 |',
      '| gap>+0.2 | abz | dispatch:spt | abz6 | 0 | ok | 21.00 | 10.00 |  |',
      '| gap>+0.2 | la | dispatch:spt |  | – |  | – | – |  |',
    ]);
  });

  it('is the crossings themselves as JSON', () => {
    expect(JSON.parse(renderCrossings(crossings, 'json'))).toEqual(crossings);
  });
});
