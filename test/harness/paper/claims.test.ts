import { describe, expect, it } from 'vitest';
import { readPaperClaims } from '../../../src/harness/paper/claims.js';

describe('readPaperClaims', () => {
  const { tables, note } = readPaperClaims();

  it('has a value for every column of every row of the seven tables', () => {
    expect(Object.values(tables).map(({ number }) => number)).toEqual([3, 4, 5, 11, 12, 13, 14]);
    for (const { columns, rows } of Object.values(tables)) {
      for (const row of rows) expect(row).toHaveLength(columns.length);
    }
    expect(note).toContain('not what was measured here');
  });

  it('has the averages that the paper draws from its rows, as far as it computes them right', () => {
    const averages = tables.cost.rows.filter(([source]) => String(source).endsWith('(average)'));
    const mas = tables.cost.rows.slice(0, 2).map(([, , , cost]) => Number(cost));
    expect(averages[0][3]).toBeCloseTo((mas[0] + mas[1]) / 2, 3);
    const alas = tables.cost.rows.slice(3, 7).map(([, , , cost]) => Number(cost));
    expect(averages[1][3]).toBeCloseTo(alas.reduce((sum, cost) => sum + cost, 0) / 4, 3);
  });
});
