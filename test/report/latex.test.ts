import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOf } from '../../src/report/columns.js';
import { fixed } from '../../src/report/format.js';
import { captionLatex, escapeLatex } from '../../src/report/latex.js';
import { renderTable } from '../../src/report/table.js';

interface Row {
  readonly name: string;
  readonly gap: number | null;
}

const column = columnsOf<Row>();
const columns = [column('name'), column('gap', fixed(1), { header: 'gap %' })];
const render = (rows: readonly Row[]) => renderTable(columns, rows, 'latex');

/**
 * Reads the tables that we write as LaTeX would, as far as they go: groups, environments, rows and cells, control
 * words that end in {}; throws on anything else that has a meaning there. A stand-in where there is no LaTeX.
 */
function readLatex(text: string): { cells: string[][]; columns: string } {
  const body = text.replaceAll(/^%.*\n/gm, '');
  const open: string[] = [];
  for (const [, way, name] of body.matchAll(/\\(begin|end)\{([a-z]+)\}/g)) {
    if (way === 'begin') open.push(name);
    else expect(open.pop()).toBe(name);
  }
  expect(open).toEqual([]);
  const [, aligned, inner] =
    /\\begin\{(?:tabular|longtable)\}\{@\{\}([lr]*)@\{\}\}\n([\s\S]*)\\end\{(?:tabular|longtable)\}/.exec(
      body,
    ) ?? [];
  const rules = /^\\(?:toprule|midrule|bottomrule|endhead)$/;
  const lines = inner.split('\n').filter((line) => line !== '' && !rules.test(line));
  return {
    columns: aligned,
    cells: lines
      .filter((line) => !line.startsWith('\\caption'))
      .map((line) => {
        expect(line).toMatch(/ \\\\$/);
        expect(line).not.toMatch(/^[[*]/);
        const row = line.slice(0, -3).split(/(?<!\\) & /);
        for (const cell of row) {
          const rest = cell.replaceAll(/\\[#$%&_{}]|\\[a-z]+\{\}|\{\}|\$-\$|\$\\[a-z]+\$/gi, '');
          expect(rest).not.toMatch(/[\\#$%&_{}~^<>|"]/);
        }
        return row;
      }),
  };
}

describe('renderTable as LaTeX', () => {
  it('has the rules of booktabs', () => {
    expect(
      render([
        { name: 'abz5', gap: -1.25 },
        { name: '50 % of a_b & c', gap: null },
      ]),
    ).toBe(
      [
        '% \\usepackage{booktabs}',
        '\\begin{tabular}{@{}lr@{}}',
        '\\toprule',
        'name & gap \\% \\\\',
        '\\midrule',
        'abz5 & $-$1.3 \\\\',
        '50 \\% of a\\_b \\& c & -- \\\\',
        '\\bottomrule',
        '\\end{tabular}',
        '',
      ].join('\n'),
    );
  });

  it('sets a minus before both ends of an interval, and leaves hyphens in names', () => {
    const interval = column.of('interval', () => '-2.76 – -1.87', { align: 'right' });
    const table = renderTable([column('name'), interval], [{ name: 'search-5', gap: 1 }], 'latex');
    expect(table).toContain('search-5 & $-$2.76 -- $-$1.87 \\\\');
  });

  it('sets every text letter by letter, whoever wrote it', () => {
    const hostile = fc.string({ unit: fc.constantFrom(...'\\{}#$%&_~^<>|"\'`-,[]*–×†…a\n\u001b') });
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 5 }), (names) => {
        const { cells, columns } = readLatex(render(names.map((name) => ({ name, gap: 1 }))));
        expect(columns).toBe('lr');
        expect(cells).toHaveLength(names.length + 1);
        for (const row of cells) expect(row).toHaveLength(2);
      }),
    );
    expect(escapeLatex('a--b,,c')).toBe('a-{}-b,{},c');
    expect(escapeLatex('\\input{x}')).toBe('\\textbackslash{}input\\{x\\}');
    expect(render([{ name: '[1]', gap: 1 }])).toContain('\n{}[1] & 1.0');
  });

  it('breaks long tables across pages, with their captions', () => {
    const rows = Array.from({ length: 50 }, (_, k) => ({ name: `i${k}`, gap: k }));
    const long = captionLatex('All 100 %', render(rows));
    expect(long).toMatch(
      /^% \\usepackage\{booktabs,longtable\}\n\\begin\{longtable\}.*\n\\caption\{All 100 \\%\}\\\\\n/,
    );
    expect(readLatex(long).cells).toHaveLength(51);
    const short = captionLatex('Few', render(rows.slice(0, 2)));
    expect(short).toMatch(/^\\begin\{table\}\n\\centering\n\\caption\{Few\}\n%/);
    expect(readLatex(short).cells).toHaveLength(3);
  });
});
