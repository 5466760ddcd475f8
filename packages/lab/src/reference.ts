// The reference results of results/reference/leaderboard: every planner that runs here on a small set of
// instances, in parts, each a run of its own whose manifest and records are kept with checksums; parts without models also
// keep their schedules, which are judged again for their entries on the leaderboard.
//   npm run bench -- reference [PART …] [--list] [--again] [--check] [--answers FOLDER] [--scale F]
// Without a PART all but `local-model`. What is finished is not repeated (unless --again), what was broken off is
// resumed. --list says what there is to do and how long it takes, --check compares the checksums, --answers
// links the folder of recorded answers (*.jsonl) to results/answers: manifests name each file there with its checksum,
// and the records alone are kept. --scale shortens all budgets, to try it out. One task at a time, on a machine that does nothing else: seconds count.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

process.chdir(fileURLToPath(new URL('../../..', import.meta.url)));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    answers: { type: 'string' },
    scale: { type: 'string', default: '1' },
    out: { type: 'string', default: 'results/reference/leaderboard' },
  },
});

const SMALL = 'ft06,ft10,ft20,abz5,abz6,abz7,abz8,abz9,la38,orb01,swv06,yn1,ta21,dmu41';
const INSTANCES = SMALL.split(',').length;
const RULES = ['mwkr', 'fdd-mwkr', 'spt', 'random'];
const ANSWERS = 'results/answers';
const scale = Number(values.scale);
/** CP-SAT may be in an environment of its own, which `.ci/run` keeps between runs. */
const PATH = [...pythonEnvironments(), process.env.PATH].join(delimiter);

/** What is handed to `alas-jssp run`, the seconds that it takes, and why it cannot be made today, if so. */
interface Part {
  options?: string[];
  suite?: string;
  seconds: number;
  missing?: () => string | null;
}

const parts: Record<string, Part> = {
  rules: {
    options: ['dispatch:best', ...RULES.map((rule) => `dispatch:${rule}`)].flatMap(planner),
    seconds: 5,
  },
  insertion: { options: planner('insertion'), seconds: 3 },
  'search-10s': searchPart(10, 3),
  'search-60s': searchPart(60, 1),
  'cpsat-10s': {
    options: [
      ...planner(
        `cpsat-10s=exec:python3 examples/planners/cpsat.py {instance} ${10 * scale} {seed} 1`,
      ),
      ...['--time-limit', '60', '--replicates', '3'],
    ],
    seconds: INSTANCES * 3 * (10 * scale + 1),
    missing: () => (hasOrTools() ? null : 'there is no python3 with ortools: pip install ortools'),
  },
  ...modelParts(),
  'local-model': { seconds: 1200 },
};

const chosen = (positionals.length > 0 ? positionals : usualParts()).flatMap(partsOf);
if (!(scale > 0)) fail('--scale is a number above 0');
process.exitCode = values.check ? check() : values.list ? list() : await makeAll();

function planner(spec: string) {
  return ['--planner', spec];
}

function searchPart(seconds: number, replicates: number) {
  const budget = seconds * scale;
  return {
    options: [...planner(`search:${budget}s`), '--replicates', String(replicates)],
    seconds: INSTANCES * replicates * budget,
  };
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}

function pythonEnvironments() {
  const home = process.env.ALAS_JSSP_ENGINES ?? join(homedir(), '.cache', 'alas-jssp', 'engines');
  if (!existsSync(home)) return [];
  const names = readdirSync(home).filter((name) => name.startsWith('cpsat-'));
  return names.map((name) => join(home, name, 'bin'));
}

function hasOrTools() {
  const env = { ...process.env, PATH };
  return spawnSync('python3', ['-c', 'import ortools'], { env, stdio: 'ignore' }).status === 0;
}

/**
 * A part for each file of recorded answers: their results on the instances that it has answers for. Commands name the
 * files below `results/answers`, which is not committed, so that manifests are the same wherever the answers are.
 */
function modelParts(): Record<string, Part> {
  if (values.answers !== undefined) {
    rmSync(ANSWERS, { force: true });
    mkdirSync('results', { recursive: true });
    symlinkSync(resolve(values.answers), ANSWERS, 'junction');
  }
  if (!existsSync(ANSWERS)) return {};
  const files = readdirSync(ANSWERS).filter((name) => name.endsWith('.jsonl'));
  return Object.fromEntries(
    files.sort().map((file) => {
      const path = `${ANSWERS}/${file}`;
      const name = basename(file, '.jsonl');
      const lines = readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '');
      const instances = new Set(lines.map((line) => JSON.parse(line).instance));
      const spec = `${name}=transcripts:${path}#sha256=${checksumOf(path)}`;
      const options = [...planner(spec), '--repair'];
      return [`models/${name}`, { suite: [...instances].join(','), options, seconds: 5 }];
    }),
  );
}

function usualParts() {
  return Object.keys(parts).filter((name) => name !== 'local-model');
}

function partsOf(word: string) {
  const found = Object.keys(parts).filter((name) => name === word || name.startsWith(`${word}/`));
  if (found.length === 0)
    fail(`there is no part ${word}; there are ${Object.keys(parts).join(', ')}`);
  return found;
}

/** The state of a part: `finished`, `broken off` or `open`. */
function stateOf(name: string) {
  const file = join(values.out, name, 'manifest.json');
  if (!existsSync(file)) return 'open';
  const { finished, interrupted } = JSON.parse(readFileSync(file, 'utf8')).outcome;
  return finished === null || interrupted ? 'broken off' : 'finished';
}

function toDo() {
  return chosen.filter((name) => values.again || stateOf(name) !== 'finished');
}

function list() {
  for (const name of chosen) {
    const missing = parts[name].missing?.() ?? null;
    const state = missing === null ? stateOf(name) : `left out: ${missing}`;
    console.log(`${name.padEnd(34)} ${inWords(parts[name].seconds).padStart(7)}  ${state}`);
  }
  return 0;
}

async function makeAll() {
  if (positionals.length === 0 && !existsSync(ANSWERS)) {
    console.error('recorded answers of models are left out: name their folder with --answers');
  }
  const open = toDo();
  for (const [index, name] of open.entries()) {
    const left = open.slice(index);
    const missing = parts[name].missing?.() ?? null;
    if (missing !== null) {
      console.error(`${name} is left out: ${missing}`);
      continue;
    }
    const rest = left.reduce((sum, other) => sum + parts[other].seconds, 0);
    console.error(
      `${name}: some ${inWords(parts[name].seconds)}; all that is left some ${inWords(rest)}`,
    );
    const code = name === 'local-model' ? await makeLocalModel() : await make(name);
    // Exit code 1 is a record without a feasible plan, as those of models are.
    if (code > 1) {
      console.error(`broken off in ${name}; the same command resumes it`);
      return code;
    }
    keep(name);
    const refused = hasEntry(name) ? await makeEntry(name) : 0;
    if (refused > 0) return refused;
  }
  return show();
}

/** Whether a part has an entry on the leaderboard. */
function hasEntry(name: string) {
  return name !== 'local-model';
}

/** Whether a part keeps its schedules: those of recorded answers are made of texts that are not ours to publish. */
function hasSchedules(name: string) {
  return hasEntry(name) && !name.startsWith('models/');
}

/** Judges the schedules of a part, if it keeps them, and writes its entry. */
function makeEntry(name: string) {
  const entry = join(values.out, 'entries', `${name}.json`);
  mkdirSync(dirname(entry), { recursive: true });
  const how = hasSchedules(name) ? '--sums' : '--without-schedules';
  return alas('submit', [join(values.out, name), how, '--quiet', '--out', entry], 'ignore');
}

/** Makes a part, or resumes it. */
function make(name: string) {
  const { options = [], suite = SMALL } = parts[name];
  const out = join(values.out, name);
  if (values.again) rmSync(out, { recursive: true, force: true });
  const goesOn = existsSync(join(out, 'manifest.json'));
  const how = goesOn
    ? ['--resume', out]
    : ['--suite', suite, ...options, '--seed', '1', '--out', out];
  if (!goesOn && hasSchedules(name)) how.push('--save-schedules');
  return alas('run', [...how, '--workers', '1', '--format', 'csv'], 'ignore');
}

async function makeLocalModel() {
  const options = ['--suite', 'ft06,la38', '--dir', 'results/local-model'];
  const code = await run([join(import.meta.dirname, 'local-model.js'), ...options], 'inherit');
  const made = 'results/local-model/run';
  if (existsSync(made)) cpSync(made, join(values.out, 'local-model'), { recursive: true });
  return code;
}

/** Keeps the manifest, the records and the schedules of a part, and the checksums of the first two. */
function keep(name: string) {
  const folder = join(values.out, name);
  const kept = ['manifest.json', 'records.jsonl', ...(hasSchedules(name) ? ['schedules'] : [])];
  for (const file of readdirSync(folder)) {
    if (!kept.includes(file)) rmSync(join(folder, file), { recursive: true });
  }
  mkdirSync(values.out, { recursive: true });
  const lines = keptFiles().map((file) => `${checksum(file)}  ${file}\n`);
  writeFileSync(join(values.out, 'SHA256SUMS'), lines.join(''));
}

function keptFiles() {
  return madeParts().flatMap((name) => [`${name}/manifest.json`, `${name}/records.jsonl`]);
}

/** Parts that are there, also those that could not be made today. */
function madeParts() {
  const files = readdirSync(values.out, { recursive: true, encoding: 'utf8' }).map((file) =>
    file.replaceAll(sep, '/'),
  );
  return files
    .filter((file) => file.endsWith('/manifest.json'))
    .map((file) => file.slice(0, -'/manifest.json'.length))
    .sort();
}

function checksum(file: string) {
  return checksumOf(join(values.out, file));
}

function checksumOf(file: string) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** Compares the files with their checksums, as `sha256sum --check` does. */
function check() {
  const sums = readFileSync(join(values.out, 'SHA256SUMS'), 'utf8').trim().split('\n');
  const changed = sums.filter((line) => {
    const [sum, file] = line.split('  ');
    return !existsSync(join(values.out, file)) || checksum(file) !== sum;
  });
  for (const line of changed) console.error(`changed: ${line.split('  ')[1]}`);
  if (changed.length === 0) console.log(`${sums.length} files are as they were made`);
  return changed.length === 0 ? 0 : 1;
}

/** Prints the leaderboard. */
async function show() {
  const folders = madeParts().map((name) => join(values.out, name));
  const code = await alas(
    'report',
    [...folders, '--table', 'summary', '--format', 'table'],
    'inherit',
  );
  console.error(
    `the page: npx alas-jssp report ${folders.join(' ')} --html results/leaderboard.html`,
  );
  return code;
}

function alas(command: string, words: readonly string[], stdout: 'ignore' | 'inherit') {
  return run(['bin/alas-jssp.js', command, ...words], stdout);
}

/** Runs a program of ours; it shows its progress on stderr, and gets Ctrl-C as this one does. */
function run(words: readonly string[], stdout: 'ignore' | 'inherit'): Promise<number> {
  const child = spawn(process.execPath, words, {
    stdio: ['ignore', stdout, 'inherit'],
    env: { ...process.env, PATH },
  });
  const wait = () => undefined;
  process.on('SIGINT', wait);
  return new Promise((resolve) =>
    child.on('exit', (code) => {
      process.off('SIGINT', wait);
      resolve(code ?? 130);
    }),
  );
}

function inWords(seconds: number) {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}
