// The tables of docs/search.md, as Markdown, from recorded solves:
//   node bench/search-tables.mjs [results/reference/search]
// hard.jsonl (means over seeds) beside cp-sat.jsonl, classic.jsonl by suite, la-orb.jsonl.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBenchmark } from 'alas-jssp/jssp';

const folder = process.argv[2] ?? 'results/reference/search';
const read = (name) => {
  const file = join(folder, name);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
};

const MARKS = [5, 10, 20, 60];
const hard = read('hard.jsonl');
const cpSat = read('cp-sat.jsonl');
if (hard.length > 0) console.log(hardTable());
const classic = read('classic.jsonl');
if (classic.length > 0) console.log(suiteTable(classic, 10));
const small = read('la-orb.jsonl');
if (small.length > 0) console.log(provenTable(small, 10));

function hardTable() {
  const names = [...new Set(hard.map(({ instance }) => instance))];
  const seeds = new Set(hard.map(({ seed }) => seed)).size;
  const lines = names.map((name) => {
    const ours = hard.filter(({ instance }) => instance === name);
    const theirs = cpSat.filter(({ instance }) => instance === name);
    const makespans = ours.map(({ makespan }) => makespan).join(', ');
    const numbers = [
      ...MARKS.map((mark) => meanGap(ours, mark)),
      ...[10, 60].map((mark) => meanGap(theirs, mark)),
    ];
    return { cells: [name, findBenchmark(name).bounds.upper, makespans], numbers };
  });
  const means = lines[0].numbers.map((_, i) => mean(lines.map(({ numbers }) => numbers[i])));
  return table(
    [
      [
        'instance',
        'best known',
        `after 60 s, ${seeds} seeds`,
        'search, 5 s',
        '10 s',
        '20 s',
        '60 s',
      ],
      ['CP-SAT, 10 s', '60 s'],
    ].flat(),
    [
      ...lines.map(({ cells, numbers }) => [...cells, ...numbers.map(fixed)]),
      ['**mean**', '', '', ...means.map((x) => `**${fixed(x)}**`)],
    ],
  );
}

function suiteTable(rows, mark) {
  const suites = [...new Set(rows.map(suiteOf))];
  const line = (name, some) => [
    name,
    some.length,
    fixed(meanGap(some, mark)),
    fixed(Math.max(...some.map((row) => gap(row, mark)))),
    some.filter((row) => gap(row, mark) <= 0).length,
    some.filter(({ status, seconds }) => status === 'optimal' && seconds <= mark).length,
  ];
  return table(
    [
      'suite',
      'instances',
      `mean gap after ${mark} s`,
      'largest',
      'best known met',
      'proven optimal',
    ],
    [
      ...suites.map((suite) =>
        line(
          suite,
          rows.filter((row) => suiteOf(row) === suite),
        ),
      ),
      line('**all**', rows),
    ],
  );
}

function provenTable(rows, mark) {
  const missed = rows.filter((row) => gap(row, mark) > 0).map(({ instance }) => instance);
  const unproven = rows
    .filter(({ status }) => status !== 'optimal')
    .map(({ instance }) => instance);
  return [
    suiteTable(rows, mark),
    `Not at the optimum: ${missed.join(', ') || 'none'}. Not proven: ${unproven.join(', ') || 'none'}.`,
    '',
  ].join('\n');
}

function suiteOf({ instance }) {
  return findBenchmark(instance).suite;
}

function gap({ instance, trace }, mark) {
  const { upper } = findBenchmark(instance).bounds;
  const before = trace.filter(([seconds]) => seconds <= mark);
  return (100 * (before.at(-1)[1] - upper)) / upper;
}

/** Of solves with this budget; before the search knew its budget, they were read off longer ones. */
function meanGap(rows, mark) {
  const exact = rows.filter(({ budget_seconds }) => budget_seconds === mark);
  return mean((exact.length > 0 ? exact : rows).map((row) => gap(row, mark)));
}

function mean(numbers) {
  return numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
}

function fixed(x) {
  return Number.isNaN(x) ? '' : x.toFixed(2);
}

function table(heads, lines) {
  const row = (cells) => `| ${cells.join(' | ')} |`;
  const rule = row(heads.map((_, i) => (i === 0 ? '---' : '---:')));
  return [row(heads), rule, ...lines.map(row), ''].join('\n');
}
