import { alignment, type Column, cellText } from './columns.js';

/** Rows from which on a table breaks across pages. */
const LONG = 45;

/** Characters that LaTeX takes for commands, and such as plain fonts lack, as it sets them. */
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

/** A text as LaTeX sets it, letter by letter: nothing in it is a command, and no two signs become one. */
export function escapeLatex(text: string): string {
  const apart = text.replaceAll('\n', ' ').replace(/-(?=-)|,(?=,)/g, '$&\u0000');
  return apart.replace(SPECIAL, (sign) => LATEX[sign]).replaceAll('\u0000', '{}');
}

/**
 * Writes rows as a table of LaTeX with the rules of the package booktabs; tables too long for a page are those of
 * the package longtable.
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
  // After the end of a row a bracket or an asterisk would be its argument.
  return `${cells.join(' & ').replace(/^[[*]/, '{}$&')} \\\\`;
}

/** A cell; the sign of a number, also of the ends of an interval, is a minus and no hyphen. */
function latexCell<Row>(column: Column<Row>, row: Row): string {
  const text = cellText(column, row);
  const isNumber = alignment(column) === 'right';
  return escapeLatex(isNumber ? text.replace(/(?<=^| )-(?=[\d.])/g, '−') : text);
}
