import { describe, expect, it } from 'vitest';
import { readPaperClaims } from '../../src/harness/paper/claims.js';
import { paperReport } from '../../src/harness/paper/report.js';
import { claimedTables, paperLegend, paperTables } from '../../src/report/paper-tables.js';
import { optimizedRecord } from '../harness/fixtures.js';

const records = ['degraded:0.1', 'dispatch:best'].flatMap((planner, p) =>
  Array.from({ length: 12 }, (_, k) =>
    optimizedRecord(140 + k - 9 * p, 110 + k - 9 * p, {
      planner,
      synthetic: p === 0,
      suite: ['dmu', 'ta', 'abz', 'swv', 'yn', 'ft'][k % 6],
      instance: `i${k}`,
      tokens: { input: 1000 * k, output: 7, estimated: false },
      cost_usd: p === 0 ? 0.0125 : null,
    }),
  ),
);
const report = paperReport(records, { baseline: { planner: 'dispatch:best', variant: 'full' } });
const tables = paperTables(report, 'md', {});
const rowsOf = (index: number) => tables[index].text.trimEnd().split('\n').slice(2);

describe('paperTables', () => {
  it('has the tables of the paper, in its order', () => {
    const numbers = tables.map(({ title }) => /^Table (\d+)\. /.exec(title)?.[1]);
    expect(numbers).toEqual(['3', '4', '5', '11', '12', '13', '14']);
  });

  it('has a column for each suite, with interval and count, and one for all', () => {
    const [head] = tables[1].text.split('\n');
    expect(head).toContain('| planner | stage | dmu | 95 % (n) | ta | 95 % (n) | abz |');
    expect(head).toContain('| ft | 95 % (n) | all | 95 % (n) | all geo |');
    const [planned, searched] = rowsOf(1);
    expect(planned).toContain('| degraded:0.1 (synthetic) | plan | ');
    expect(searched).toMatch(
      /\| optimize \| .*\? \| .*\(\*\) \| \d\d\.\d\d – \d\d\.\d\d \(12\) \| \d\d\.\d\d \|$/,
    );
  });

  it('labels synthetic planners in every table', () => {
    for (const [index, { title }] of tables.entries()) {
      if (title.startsWith('Table 5')) continue;
      const labelled = rowsOf(index).filter((row) => row.includes('degraded:0.1'));
      expect(labelled.length, title).toBeGreaterThan(0);
      for (const row of labelled) expect(row).toContain('degraded:0.1 (synthetic)');
      for (const row of rowsOf(index)) expect(row).not.toContain('dispatch:best (synthetic)');
    }
    expect(paperLegend(report, 2000).join('\n')).toContain(
      'synthetic: plans made faulty, empty or random on purpose',
    );
  });

  it('has – for costs that nobody knows, and counts those that are known', () => {
    const totals = rowsOf(5).filter((row) => row.includes('| total |'));
    expect(totals[0]).toContain('| total | 66084 | 0.1500 | 12 of 12 | 0.0125 |');
    expect(totals[1]).toContain('| total | 66084 | – | 0 of 12 | – | – |');
  });

  it('sums up with p-values, the baseline beside', () => {
    const [success, optimality] = rowsOf(6);
    expect(success).toContain(
      '| success, % | 100.0 | 100.0= | – | 12 | 0.00 | 12 | all equal | all equal |',
    );
    expect(optimality).toMatch(
      /\| optimality, % \| 94\.00 \| 86\.66\(\*\) \| .* \| < 0\.0001 \| 0\.0005 \|/,
    );
  });

  it('says so where there is no ablation', () => {
    expect(tables[2].text).toBe('No planner ran in several variants.\n');
    expect(paperLegend({ ...report, baseline: null }, 2000)[1]).toMatch(
      /^Tests are against the variant/,
    );
  });

  it('fits a terminal of 80 columns and keeps the mean of all suites', () => {
    for (const { text } of paperTables(report, 'table', { width: 80 })) {
      const lines = text.trimEnd().split('\n');
      for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80);
    }
    expect(paperTables(report, 'table', { width: 80 })[1].text).toMatch(/^planner .* all/);
  });
});

describe('claimedTables', () => {
  it('marks every table as claimed, and has nothing of ours', () => {
    const claimed = claimedTables(readPaperClaims(), 'md', {});
    expect(claimed).toHaveLength(7);
    for (const { title } of claimed)
      expect(title).toMatch(/^Claimed in table \d+ of the paper, not/);
    expect(claimed[0].text).toContain(
      '| MAS GPT-4o | CrewAI | 25 | 57.1 | 33.3 | 13.3 | 75 | 31.1 |',
    );
    expect(claimed[0].text.split('\n')[0]).toContain('method (claimed)');
  });
});
