import { describe, expect, it } from 'vitest';
import { columnsOf, columnsToShow } from '../../src/report/columns.js';

interface Row {
  readonly name: string;
  readonly gap_percent: number;
  readonly seconds: { readonly total: number } | null;
  readonly steps: readonly { readonly now: number }[];
  readonly violations: Record<string, number>;
}

const row: Row = { name: 'a', gap_percent: 1, seconds: null, steps: [], violations: {} };
const column = columnsOf<Row>();

describe('columnsOf', () => {
  it('takes a value by its path, which names the column in CSV and in words', () => {
    const total = column('seconds.total', String, { minor: 2 });
    expect(total).toMatchObject({ key: 'seconds_total', header: 'seconds total', minor: 2 });
    expect(total.value({ ...row, seconds: { total: 3 } })).toBe(3);
    expect(total.value(row)).toBeNull();
    expect(column('gap_percent')).toMatchObject({ key: 'gap_percent', header: 'gap %' });
    expect(column('gap_percent', { key: 'gap', header: 'off' })).toMatchObject({
      key: 'gap',
      header: 'off',
    });
  });

  it('compiles only with paths that lead to a value', () => {
    // @ts-expect-error: misspelt
    column('gap_precent');
    // @ts-expect-error: misspelt further down
    column('seconds.totals');
    // @ts-expect-error: no value but a list of them
    column('steps');
    // @ts-expect-error: anything may stand there
    column('violations.x');
    expect(column('name').value(row)).toBe('a');
  });

  it('shows people what is not hidden and has something to show', () => {
    const named = column('name', { when: (rows) => rows.length > 1 });
    const columns = [named, ...column.hidden('gap_percent'), ...column.hiddenAs({ t: 'name' })];
    expect(columnsToShow(columns, [row])).toEqual([]);
    expect(columnsToShow(columns, [row, row])).toEqual([named]);
  });
});
