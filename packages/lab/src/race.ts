// The laboratory: variants of the search raced against each other on generated training instances.
//   npm run bench -- race --variant cutoff=6000 --variant population=10,patience=3
//   npm run bench -- race --against main
// The base is the search of --against (a commit, branch or tag), or else the working tree. Variants are the
// working tree with other values of `EvolutionTuning`; without any, the working tree as it is. More:
//   --kinds two,ta-30x20   kinds of `race/training.ts`, or kinds and sizes (default: all)
//   --tightness 1.3,1.5    minimises the total weighted tardiness for due dates like these, in turn
//   --downtimes 3          so many on every machine
//   --seconds 10           budget of each island in processor time, or
//   --iterations 100000    in iterations, which gives equal results every time
//   --islands 2            searches that exchange their best, in turns in one thread
//   --pairs 48             pairs at most; --first 0: number of the first instances
//   --worth 0              gain in percent below which a variant is given up
//   --jobs 2               solves at a time
//   --note TEXT            puts a line with the decision into the table of docs/design/lab.md, for each variant
//   --records FILE         default: results/lab/records.jsonl
// A race may be interrupted at any time and resumes where it was: no solve is made twice.
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { endWithError } from './measure.js';
import { buildHere, buildOf } from './race/builds.js';
import {
  type Budget,
  gainOf,
  openRecords,
  type Pair,
  race,
  type Standing,
  type Variant,
} from './race/race.js';
import { kinds, trainingInstances } from './race/training.js';

const ALPHA = 0.05;
// Wrong options end in one line.
process.on('uncaughtException', endWithError);

const { values } = parseArgs({
  options: {
    variant: { type: 'string', multiple: true },
    against: { type: 'string' },
    kinds: { type: 'string', default: Object.keys(kinds).join(',') },
    tightness: { type: 'string' },
    downtimes: { type: 'string' },
    seconds: { type: 'string', default: '10' },
    iterations: { type: 'string' },
    islands: { type: 'string', default: '2' },
    pairs: { type: 'string', default: '48' },
    first: { type: 'string', default: '0' },
    worth: { type: 'string', default: '0' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    note: { type: 'string' },
    records: { type: 'string', default: 'results/lab/records.jsonl' },
  },
});

const BUILDS = 'results/lab/builds';
const here = await buildHere(BUILDS);
const base: Variant =
  values.against === undefined
    ? { name: 'working tree', build: here, settings: {} }
    : { name: values.against, build: await buildOf(values.against, BUILDS), settings: {} };
const texts = values.variant ?? (values.against === undefined ? [] : ['']);
const rivals = texts.map((text) => ({
  name: text === '' ? 'working tree' : text,
  build: here,
  settings: Object.fromEntries(text === '' ? [] : text.split(',').map(settingOf)),
}));
const conditions = {
  ...(values.tightness && {
    tightness: values.tightness.split(',').map((text) => number('tightness', text)),
  }),
  ...(values.downtimes && { downtimes: number('downtimes', values.downtimes) }),
};
const budget: Budget =
  values.iterations === undefined
    ? { seconds: number('seconds', values.seconds, 0.01) }
    : { iterations: number('iterations', values.iterations, 1) };
const standings = await race({
  variants: [base, ...rivals],
  instances: trainingInstances(values.kinds.split(','), number('first', values.first), conditions),
  ...(values.tightness && { objective: 'total-weighted-tardiness' }),
  records: openRecords(values.records, 'results/reference/lab/records.jsonl'),
  budget,
  islands: number('islands', values.islands, 1),
  most: number('pairs', values.pairs, 1),
  jobs: number('jobs', values.jobs, 1),
  alpha: ALPHA,
  worth: number('worth', values.worth),
  onPair: (all) => process.stderr.write(`${all.map(lineOf).join('\n')}\n\n`),
});
for (const standing of standings) {
  console.log(lineOf(standing));
  console.log(`    by kind and size: ${bySize(standing)}`);
  if (values.note !== undefined) addRow(rowOf(standing));
}

/** A number of an option, of at least so much. */
function number(name: string, text: string, least = 0) {
  const value = Number(text);
  if (text === '' || !(value >= least)) {
    throw new Error(`--${name} ${text}: give a number from ${least}`);
  }
  return value;
}

/** Puts a line at the end of the table of decisions, which is the last one of the page. */
function addRow(row: string) {
  const page = readFileSync('docs/design/lab.md', 'utf8');
  const end = page.indexOf('\n', page.lastIndexOf('\n|') + 1) + 1;
  writeFileSync('docs/design/lab.md', page.slice(0, end) + row + page.slice(end));
}

function settingOf(text: string): [string, number] {
  const [name, value] = text.split('=');
  if (value === undefined || Number.isNaN(Number(value)))
    throw new Error(`'${text}' is no name=number`);
  return [name, Number(value)];
}

function decisionOf({ isKept }: Standing) {
  return isKept === null ? 'open' : isKept ? 'kept' : 'not kept';
}

function lineOf(standing: Standing) {
  const { variant, pairs, mean = 0, low, high } = standing;
  return `${variant.name.padEnd(40)} ${String(pairs.length).padStart(4)} pairs  gain ${signed(mean)} %  [${signed(low)}, ${signed(high)}]  half way ${signed(halfWay(pairs))} %  ${decisionOf(standing)}`;
}

/** The mean gain after half of the budget, which is read off the same solves. */
function halfWay(pairs: readonly Pair[]) {
  const half = (budget.seconds ?? budget.iterations ?? 0) / 2;
  const at = ({ trace }: Pair['base']) => ({
    value: (trace.findLast(([when]) => when <= half) ?? trace[0])[1],
  });
  return mean(pairs.map(({ base, rival }) => gainOf({ base: at(base), rival: at(rival) })));
}

function bySize({ pairs }: Standing) {
  const groups = new Map<string, number[]>();
  for (const pair of pairs) {
    const { kind, size } = pair.base.instance;
    const name = `${kind}-${size}`;
    groups.set(name, [...(groups.get(name) ?? []), gainOf(pair)]);
  }
  return Array.from(groups, ([name, gains]) => `${name} ${signed(mean(gains))}`).join(', ');
}

/** A line for the page of the laboratory. */
function rowOf(standing: Standing) {
  const { variant, pairs, mean, low, high } = standing;
  const due = values.tightness ? `, due dates of tightness ${values.tightness}` : '';
  const down = values.downtimes ? `, ${values.downtimes} downtimes a machine` : '';
  const on = `${values.kinds.replaceAll(',', ', ')}${due}${down}; ${budget.seconds ? `${budget.seconds} s` : `${budget.iterations} iterations`} × ${values.islands}`;
  return `| ${(values.note ?? '').replace('{}', variant.name)} | ${on} | ${pairs.length} | ${signed(mean)} | ${signed(low)} to ${signed(high)} | ${decisionOf(standing)} |\n`;
}

function mean(numbers: readonly number[]) {
  return numbers.reduce((sum, x) => sum + x, 0) / Math.max(1, numbers.length);
}

function signed(x: number | undefined) {
  if (x === undefined) return '?';
  return `${x < 0 ? '−' : '+'}${Number.isFinite(x) ? Math.abs(x).toFixed(2) : '∞'}`;
}
