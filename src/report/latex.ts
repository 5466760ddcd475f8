import { alignment, type Column, cellText } from './columns.js';

/** Minimum number of rows of a table that breaks across pages. */
const LONG = 45;

/** Special characters of LaTeX and characters that plain fonts lack, with their LaTeX forms. */
const LATEX: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  '#': '\\#',
  $: '\\$',
  '%': '\\%',
  '&': '\\&',
  _: '\\_',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '"': "''",
  "'": '\\textquotesingle{}',
  '`': '\\textasciigrave{}',
  '–': '--',
  '—': '---',
  '−': '$-$',
  '×': '$\\times$',
  '≤': '$\\leq$',
  '≥': '$\\geq$',
  '†': '\\textdagger{}',
  '…': '\\ldots{}',
  '’': '\\textquoteright{}',
  '→': '$\\rightarrow$',
};

const SPECIAL = new RegExp(
  `[${Object.keys(LATEX)
    .join('')
    .replace(/[\\^\]-]/g, '\\$&')}]`,
  'g',
);

/** A text escaped for LaTeX: it contains no command, and no ligature joins two characters. */
export function escapeLatex(text: string): string {
  const apart = text.replaceAll('\n', ' ').replace(/-(?=-)|,(?=,)/g, '$&\u0000');
  return apart.replace(SPECIAL, (sign) => LATEX[sign]).replaceAll('\u0000', '{}');
}

/**
 * Writes rows as a table of LaTeX with the rules of the package booktabs; tables too long for a page use the package
 * longtable.
 */
export function renderLatex<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const isLong = rows.length > LONG;
  const environment = isLong ? 'longtable' : 'tabular';
  const aligned = columns.map((column) => (alignment(column) === 'right' ? 'r' : 'l')).join('');
  const head = latexRow(columns.map(({ header }) => escapeLatex(header)));
  const lines = rows.map((row) => latexRow(columns.map((column) => latexCell(column, row))));
  return [
    `% \\usepackage{booktabs${isLong ? ',longtable' : ''}}`,
    `\\begin{${environment}}{@{}${aligned}@{}}`,
    '\\toprule',
    head,
    '\\midrule',
    ...(isLong ? ['\\endhead'] : []),
    ...lines,
    '\\bottomrule',
    `\\end{${environment}}`,
    '',
  ].join('\n');
}

/** A table of {@link renderLatex} with its title: in a float, or above a long one. */
export function captionLatex(title: string, table: string): string {
  const caption = `\\caption{${escapeLatex(title)}}`;
  const long = /^(% .*\n\\begin\{longtable\}.*\n)/;
  if (long.test(table)) return table.replace(long, (head) => `${head}${caption}\\\\\n`);
  return `\\begin{table}\n\\centering\n${caption}\n${table}\\end{table}\n`;
}

function latexRow(cells: readonly string[]): string {
  // After the end of a row, LaTeX would read a bracket or an asterisk as its argument.
  return `${cells.join(' & ').replace(/^[[*]/, '{}$&')} \\\\`;
}

/** A cell; the sign of a number or of an interval's bound is a minus, not a hyphen. */
function latexCell<Row>(column: Column<Row>, row: Row): string {
  const text = cellText(column, row);
  const isNumber = alignment(column) === 'right';
  return escapeLatex(isNumber ? text.replace(/(?<=^| )-(?=[\d.])/g, '−') : text);
}
