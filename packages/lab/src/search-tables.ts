// The tables of docs/reference/search.md, as Markdown, from recorded solves:
//   npm run bench -- search-tables [results/reference/search] [--only goals|hard|classic|paper|two-sets|la-orb|open]
//                                [--write]   into docs/reference/search.md instead of stdout
//   npm run bench -- search-tables results/reference/flexible --only flexible|setups [--write]
//   npm run bench -- search-tables results/reference/large --only large|million [--write]
// The goals with what is reached and CP-SAT beside it; the hard instances; sets by suite; open instances. Each is
// made of the newest commit that has solved the most of its set, from all files of the folder.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { LargeRow } from './large/large-rows.js';
import { largeTable, millionTable } from './large/tables.js';
import { endWithError } from './measure.js';
import type { Benchmark } from './search/benchmark.js';
import type { CpSatRow } from './search/beside.js';
import { familyTable } from './search/families.js';
import { gapOf, makespanAfter, readFolder, readRows, type SolveRow } from './search/rows.js';
import { meanGap, type SelectedSolves, selectSolves } from './search/select.js';
import { goals, sourcesOf } from './search/sets.js';

const DOCUMENT = new URL('../../../docs/reference/search.md', import.meta.url);
const MARKS = [10, 60];
type Cell = string | number;

const tables: Record<string, () => string> = {
  goals: goalTable,
  hard: hardTable,
  classic: () => suiteTable('classic', 10),
  paper: () => suiteTable('paper', 10),
  'two-sets': () => [10, 60].map((mark) => suiteTable('two-sets', mark)).join('\n'),
  'la-orb': () => [10, 30].map(provenTable).join('\n'),
  open: openTable,
  flexible: () => MARKS.map((mark) => besideTable('flexible', mark)).join('\n'),
  setups: () => besideTable('setups', 10),
  large: () => largeTable(largeRows(), cpSatRows()),
  million: () => millionTable(largeRows(), cpSatRows()),
};

let folder: string;
let solves: SolveRow[];
let cpSat: SolveRow[];
try {
  const options = { only: { type: 'string' }, write: { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  folder = positionals[0] ?? 'results/reference/search';
  solves = readFolder(folder);
  cpSat = readRows(join(folder, 'cp-sat.jsonl'));
  if (values.only !== undefined && tables[values.only] === undefined) {
    throw new Error(`--only ${values.only}: give one of ${Object.keys(tables).join(', ')}`);
  }
  const put = values.write ? writeTable : (_: string, text: string) => console.log(text);
  for (const [name, make] of Object.entries(tables)) {
    const text = (values.only ?? name) === name ? make() : '';
    if (text.trim() !== '') put(name, text);
  }
} catch (error) {
  endWithError(error);
}

/** Puts a table between the marks of its name in the document, in place of the one that is there. */
function writeTable(name: string, text: string) {
  const document = readFileSync(DOCUMENT, 'utf8');
  const mark = `<!-- table: ${name} -->\n`;
  const from = document.indexOf(mark);
  const to = document.indexOf('<!-- end -->', from);
  if (from < 0 || to < 0)
    throw new Error(`docs/reference/search.md has no place for the table ${name}`);
  const [before, after] = [document.slice(0, from + mark.length), document.slice(to)];
  writeFileSync(DOCUMENT, `${before}${text.trim()}\n${after}`);
}

function goalTable() {
  const lines = goals.map(({ title, set, seconds, measure, before, asked }) => {
    const sources = sourcesOf(set);
    const ours = selectSolves(solves, sources, seconds);
    const theirs = selectSolves(cpSat, sources, seconds);
    const tell = (value: number | undefined) =>
      value === undefined ? '' : measure === 'gap' ? percent(value) : value;
    const all = sources.length;
    return [
      `${title}, ${seconds} s`,
      tell(before),
      asked === undefined ? '' : measure === 'gap' ? `≤ ${percent(asked)}` : `${asked} of ${all}`,
      reached(ours, sources, seconds, measure),
      theirs.instances < sources.length ? '' : reached(theirs, sources, seconds, measure),
    ];
  });
  return table(['', 'November 2026', 'asked', 'reached', 'CP-SAT'], lines);
}

/** A mean gap, or a number of instances at the best known makespan or proven; of how many if not of all. */
function reached(
  { rows, instances }: SelectedSolves,
  sources: readonly Benchmark[],
  seconds: number,
  measure: string,
) {
  if (instances === 0) return '';
  const part = instances < sources.length ? ` (${instances} of ${sources.length})` : '';
  if (measure === 'gap') return percent(meanGap(rows, sources, seconds)) + part;
  const upper = new Map(sources.map(({ name, bounds }) => [name, bounds.upper]));
  const counts = (row: SolveRow) =>
    measure === 'met'
      ? makespanAfter(row, seconds) <= (upper.get(row.instance) ?? Number.NaN)
      : row.status === 'optimal' && row.seconds <= seconds;
  const seeds = rows.length / instances;
  return `${trim(rows.filter(counts).length / seeds)} of ${instances}`;
}

function hardTable() {
  const sources = sourcesOf('hard');
  const columns = [
    ...MARKS.map((mark) => ({ mark, rows: selectSolves(solves, sources, mark).rows })),
    ...MARKS.map((mark) => ({ mark, rows: selectSolves(cpSat, sources, mark).rows })),
  ];
  const longest = columns[MARKS.length - 1].rows;
  if (longest.length === 0) return '';
  const seeds = new Set(longest.map(({ seed }) => seed)).size;
  const cells = (some: readonly Benchmark[]) =>
    columns.map(({ mark, rows }) => {
      const names = new Set(some.map(({ name }) => name));
      return fixed(
        meanGap(
          rows.filter(({ instance }) => names.has(instance)),
          some,
          mark,
        ),
      );
    });
  return table(
    [
      ...['instance', 'best known', `after 60 s, ${seeds} ${seeds === 1 ? 'seed' : 'seeds'}`],
      ...MARKS.map((mark, i) => (i === 0 ? `search, ${mark} s` : `${mark} s`)),
      ...MARKS.map((mark, i) => (i === 0 ? `CP-SAT, ${mark} s` : `${mark} s`)),
    ],
    [
      ...sources.map((source) => [
        source.name,
        source.bounds.upper,
        longest
          .filter(({ instance }) => instance === source.name)
          .map((row) => makespanAfter(row, 60))
          .join(', '),
        ...cells([source]),
      ]),
      ['**mean**', '', '', ...cells(sources).map((x) => x && `**${x}**`)],
    ],
  );
}

function suiteTable(set: string, mark: number) {
  const sources = sourcesOf(set);
  const { rows, instances } = selectSolves(solves, sources, mark);
  // Goals tell of sets that are solved in part.
  if (instances < sources.length) return '';
  const line = (name: string, some: readonly Benchmark[]) => {
    const of = new Map(some.map(({ name: each, bounds }) => [each, bounds.upper]));
    const own = rows.filter(({ instance }) => of.has(instance));
    const gaps = own.map((row) =>
      gapOf(makespanAfter(row, mark), of.get(row.instance) ?? Number.NaN),
    );
    return [
      name,
      own.length,
      fixed(meanGap(own, some, mark)),
      fixed(Math.max(...gaps)),
      gaps.filter((gap) => gap <= 0).length,
      own.filter(({ status, seconds }) => status === 'optimal' && seconds <= mark).length,
    ];
  };
  const suites = [...new Set(sources.map(({ suite }) => suite))];
  const groups = suites.map((suite) =>
    line(
      suite,
      sources.filter((source) => source.suite === suite),
    ),
  );
  return table(
    [
      ...[set, 'solves', `mean gap after ${mark} s`],
      ...['largest', 'best known met', 'proven optimal'],
    ],
    [...(suites.length > 1 ? groups : []), line('**all**', sources)],
  );
}

/** The search and CP-SAT by family, with the budget of both. */
function besideTable(set: string, mark: number) {
  const sources = sourcesOf(set);
  const { rows, instances } = selectSolves(solves, sources, mark);
  if (instances === 0) return '';
  const others = cpSatRows().filter(
    (row) => row.budget_seconds === mark && row.threads === rows[0].threads,
  );
  const part = instances < sources.length ? `, ${instances} of ${sources.length} instances` : '';
  return `After ${mark} s with ${rows[0].threads} threads${part}:\n${familyTable(sources, rows, others, mark)}`;
}

function provenTable(mark: number) {
  const sources = sourcesOf('la-orb');
  const { rows } = selectSolves(solves, sources, mark);
  const suites = suiteTable('la-orb', mark);
  if (suites === '') return '';
  const names = (some: readonly SolveRow[]) =>
    [...new Set(some.map(({ instance }) => instance))].join(', ') || 'none';
  const upper = new Map(sources.map(({ name, bounds }) => [name, bounds.upper]));
  const missed = rows.filter(
    (row) => makespanAfter(row, mark) > (upper.get(row.instance) ?? Number.NaN),
  );
  const unproven = rows.filter((row) => row.status !== 'optimal' || row.seconds > mark);
  return `${suites}\nNot at the optimum: ${names(missed)}. Not proven: ${names(unproven)}.\n`;
}

function largeRows() {
  return readRows<LargeRow>(join(folder, 'large.jsonl'));
}

function cpSatRows() {
  return readRows<CpSatRow>(join(folder, 'cp-sat.jsonl'));
}

/** The campaign: open instances that had more than the solve which ranks them, by their gap. */
function openTable() {
  const rows = readRows(join(folder, 'open.jsonl'));
  const lines = sourcesOf('open').flatMap(({ name, bounds }) => {
    const own = rows.filter(({ instance }) => instance === name);
    if (own.length < 2) return [];
    const best = own.reduce((a, b) => (b.makespan < a.makespan ? b : a));
    const sum = (value: (row: SolveRow) => number) =>
      own.reduce((total, row) => total + value(row), 0);
    const gap = gapOf(best.makespan, bounds.upper);
    const times = [sum((row) => row.seconds), sum((row) => row.processor_seconds ?? 0)].map(
      Math.round,
    );
    const start = best.started_from === null ? '' : `, from ${best.started_from}`;
    const how = `seed ${best.seed} of ${Math.round(best.seconds)} s${start}`;
    const known = `${bounds.lower}–${bounds.upper}`;
    return [{ gap, cells: [name, known, best.makespan, fixed(gap), how, own.length, ...times] }];
  });
  if (lines.length === 0) return '';
  return table(
    [
      ...['instance', 'best known bounds', 'reached', 'gap %', 'found by'],
      ...['solves', 'seconds', 'of processor time'],
    ],
    lines.sort((a, b) => a.gap - b.gap).map(({ cells }) => cells),
  );
}

function percent(x: number) {
  return `${fixed(x)} %`;
}

function fixed(x: number) {
  return Number.isFinite(x) ? x.toFixed(2) : '';
}

function trim(x: number) {
  return Number(x.toFixed(1));
}

function table(heads: readonly string[], lines: readonly (readonly Cell[])[]) {
  const row = (cells: readonly Cell[]) => `| ${cells.join(' | ')} |`;
  const rule = row(heads.map((_, i) => (i === 0 ? '---' : '---:')));
  return [row(heads), rule, ...lines.map(row), ''].join('\n');
}
