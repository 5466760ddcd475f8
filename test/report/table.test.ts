import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Column } from '../../src/report/columns.js';
import { fixed } from '../../src/report/format.js';
import { renderTable } from '../../src/report/table.js';

interface Row {
  name: string;
  gap: number | null;
}

const columns: Column<Row>[] = [
  { key: 'name', header: 'name', value: ({ name }) => name },
  {
    key: 'gap_percent',
    header: 'gap %',
    value: ({ gap }) => gap,
    format: fixed(1),
    tone: () => 'bad',
  },
  { key: 'known', header: 'known', value: ({ gap }) => gap !== null, minor: 1 },
  { key: 'secret', header: 'secret', value: () => 'x', hidden: true },
];
const rows: Row[] = [
  { name: 'abz5', gap: 12.345 },
  { name: 'x', gap: null },
];

describe('renderTable', () => {
  it('shows what would steer the terminal as it is written in JSON, but for breaks of lines', () => {
    const steering = [{ name: 'red\u001b[31m\nnext', gap: 1 }];
    for (const format of ['table', 'md'] as const) {
      const text = renderTable(columns, steering, format);
      expect(text).toMatch(/red\\+u001b/);
      expect(text).toContain('next');
      expect(text).not.toContain('\u001b');
    }
  });

  it('aligns text left and numbers right under a rule, without borders', () => {
    expect(renderTable(columns, rows, 'table')).toBe(
      [
        'name  gap %  known',
        '──────────────────',
        'abz5   12.3  true',
        'x         –  false',
        '',
      ].join('\n'),
    );
  });

  it('counts the cells that signs take on a terminal', () => {
    const names: readonly Column<{ name: string; last: string }>[] = [
      { key: 'name', header: 'name', value: ({ name }) => name },
      { key: 'last', header: 'last', value: ({ last }) => last, minor: 1 },
    ];
    const named = [{ name: '车间调度问题一二三四', last: 'x' }];
    expect(renderTable(names, named, 'table', { width: 26 })).toContain('x');
    expect(renderTable(names, named, 'table', { width: 25 })).toContain('left out: last');
  });

  it('leaves out minor columns where the terminal is too narrow, and no others', () => {
    expect(renderTable(columns, rows, 'table', { width: 18 })).toContain('known');
    const narrow = renderTable(columns, rows, 'table', { width: 17 }).split('\n');
    expect(narrow[0]).not.toContain('known');
    expect(narrow.slice(4).join(' ')).toBe('left out: known; --format csv has all ');
    const most = renderTable(columns, rows, 'table', { width: 3 }).split('\n');
    expect(most.slice(0, 4)).toEqual(narrow.slice(0, 4));
  });

  it('leaves out first what is missed least, and wraps what is too long in the end', () => {
    const wide: Column<Row>[] = [
      { ...columns[0], minor: 1 },
      { ...columns[1], minor: 2 },
      { key: 'text', header: 'text', value: () => 'one two three four five six seven' },
    ];
    expect(renderTable(wide, [rows[0]], 'table', { width: 42 })).toMatch(/^name {2}text\n/);
    expect(renderTable(wide, [rows[0]], 'table', { width: 20 })).toBe(
      [
        ...['text', '─'.repeat(20), 'one two three four', 'five six seven'],
        ...['left out: name, gap', '%; --format csv has', 'all', ''],
      ].join('\n'),
    );
  });

  it('ends a word that is longer than its column in an ellipsis, and keeps the lines of a text', () => {
    const named: Column<Row>[] = [columns[0], { ...columns[0], key: 'again', header: 'again' }];
    const long = [{ name: 'unbelievable, and\nmore', gap: null }];
    expect(renderTable(named, long, 'table', { width: 20 })).toBe(
      [
        ...['name      again', '─'.repeat(20), 'unbelie…  unbelieva…', 'and       and'],
        ...['more      more', ''],
      ].join('\n'),
    );
  });

  it('colours only where colours are wanted, and the same text', () => {
    const colored = renderTable(columns, rows, 'table', { color: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours are made of
    const plain = colored.replaceAll(/\u001b\[\d+m/g, '');
    expect(colored).toContain('\u001b[31m');
    expect(plain.replaceAll(/ +$/gm, '')).toBe(renderTable(columns, rows, 'table'));
  });

  it('writes Markdown with what Markdown would misread escaped', () => {
    expect(renderTable(columns, [{ name: 'a|b\nc', gap: 0 }], 'md')).toBe(
      '| name | gap % | known |\n| --- | ---: | --- |\n| a\\|b c | 0.0 | true |\n',
    );
  });

  it('writes CSV that reads back as the full values, whatever the texts', () => {
    const row = fc.record({ name: fc.string(), gap: fc.option(fc.double({ noNaN: true })) });
    fc.assert(
      fc.property(fc.array(row), (any) => {
        const [head, ...lines] = parse(renderTable(columns, any, 'csv')) as string[][];
        expect(head).toEqual(['name', 'gap_percent', 'known', 'secret']);
        expect(lines).toEqual(
          any.map(({ name, gap }) => [
            name,
            gap === null ? '' : String(gap),
            String(gap !== null),
            'x',
          ]),
        );
      }),
    );
  });

  it('writes the rows themselves as JSON', () => {
    expect(JSON.parse(renderTable(columns, rows, 'json'))).toEqual(rows);
  });
});
