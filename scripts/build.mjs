// Builds what is not up to date. A step is skipped if the contents of its inputs and of its outputs are those after its
// last run: an output that was changed, damaged or removed is made again.
// Usage: node scripts/build.mjs [--lab | STEP...]   without steps: all but the lab
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';

const root = fileURLToPath(new URL('..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** Next to the libraries, because their versions are inputs. */
const stampFile = join(root, 'node_modules/.cache/alas-jssp/build.json');

/** Inputs of all steps: commands, options, and the versions of compilers and libraries. */
const SETTINGS = [
  'package.json',
  'tsconfig*.json',
  'node_modules/.package-lock.json',
  'scripts/*.mjs',
  'packages/*/{package,tsconfig*}.json',
  'packages/*/build.mjs',
];

/** Bundles in the compiler's folders. They are inputs only of steps that name them in `bundles`. */
const KERNEL = 'dist/search/kernel.wasm';
const FLEXIBLE_KERNEL = 'dist/search/flexible-kernel.wasm';
const THREAD = 'dist/thread/**';
const PAGE = ['page.js', 'page.css', 'still.js'].map((file) => `dist/report/page/${file}`);
const BROWSER = 'dist/browser/engine.js';
const PLAYGROUND = ['index.html', 'page.js', 'page.css'].map((file) => `dist/playground/${file}`);
const BUNDLES = [KERNEL, FLEXIBLE_KERNEL, THREAD, BROWSER, ...PAGE, ...PLAYGROUND];

const BASE = ['core', 'workflow', 'living-plan', 'convert', 'changeset'];
const sourcesOf = (...packages) => packages.map((name) => `packages/${name}/src/**`);
const buildsOf = (...packages) => packages.map((name) => `packages/${name}/dist/**`);
/** What the compiler makes of the root and of the packages below it. */
const COMPILED = ['dist/**', ...buildsOf(...BASE)];

/**
 * The steps in their order. Each runs a script of package.json, by default `build:NAME`. Inputs may be more than a step
 * reads, never less.
 */
const STEPS = {
  'client-types': {
    inputs: ['schemas/openapi.json', 'scripts/client-types/*'],
    outputs: ['packages/service/src/client/openapi.ts'],
  },
  packages: { inputs: sourcesOf(...BASE), outputs: buildsOf(...BASE) },
  root: { inputs: ['src/**', ...buildsOf(...BASE)], outputs: ['dist/**'] },
  agents: {
    inputs: [...sourcesOf('agents', 'blueprint'), ...COMPILED],
    outputs: buildsOf('agents', 'blueprint'),
  },
  coordination: {
    inputs: [...sourcesOf('coordination'), ...COMPILED, ...buildsOf('agents', 'blueprint')],
    outputs: buildsOf('coordination'),
  },
  kernel: { inputs: ['src/search/**'], bundles: [KERNEL] },
  'flexible-kernel': { inputs: ['src/search/**'], bundles: [FLEXIBLE_KERNEL] },
  thread: { inputs: COMPILED, bundles: [THREAD] },
  browser: {
    inputs: ['src/**', ...sourcesOf('core')],
    parts: [KERNEL, FLEXIBLE_KERNEL],
    bundles: [BROWSER],
  },
  playground: {
    inputs: ['src/**', 'benchmarks/**', ...sourcesOf('core')],
    parts: [KERNEL, FLEXIBLE_KERNEL],
    bundles: PLAYGROUND,
  },
  page: { inputs: ['src/**', ...sourcesOf(...BASE)], bundles: PAGE },
  service: {
    inputs: ['src/**', ...sourcesOf('service', ...BASE), ...COMPILED],
    outputs: buildsOf('service'),
  },
  engine: {
    inputs: ['benchmarks/**', ...COMPILED],
    parts: [KERNEL, FLEXIBLE_KERNEL],
    outputs: [...buildsOf('engine'), 'packages/engine/benchmarks/**'],
  },
  lab: {
    script: 'compile:lab',
    inputs: ['packages/*/src/**', ...COMPILED],
    outputs: buildsOf('lab'),
  },
};

/** Hashes of the contents of files, until a step runs. */
const hashes = new Map();

function hashOf(file) {
  const known = hashes.get(file);
  if (known !== undefined) return known;
  const hash = createHash('sha256')
    .update(readFileSync(join(root, file)))
    .digest('hex');
  hashes.set(file, hash);
  return hash;
}

/** A hash of the paths and the contents of files. */
function hashAll(patterns, ignore = []) {
  const hash = createHash('sha256');
  for (const file of globSync(patterns, { cwd: root, ignore, dot: true }).sort())
    hash.update(`${file}\0${hashOf(file)}\n`);
  return hash.digest('hex');
}

const inputsOf = ({ inputs, parts = [] }) =>
  hashAll([...SETTINGS, ...inputs], BUNDLES) + hashAll(parts);
const outputsOf = ({ outputs = [], bundles = [] }) => hashAll(outputs, BUNDLES) + hashAll(bundles);

const stamps = existsSync(stampFile) ? JSON.parse(readFileSync(stampFile, 'utf8')) : {};

function saveStamp(name, stamp) {
  stamps[name] = stamp;
  mkdirSync(dirname(stampFile), { recursive: true });
  // Replaced, not written in place: copies of a checkout may share the file.
  writeFileSync(`${stampFile}.${process.pid}`, JSON.stringify(stamps));
  renameSync(`${stampFile}.${process.pid}`, stampFile);
}

function build(name) {
  const step = STEPS[name];
  const inputs = inputsOf(step);
  if (stamps[name]?.inputs === inputs && stamps[name].outputs === outputsOf(step)) return;
  const command = scripts[step.script ?? `build:${name}`];
  process.stdout.write(`> ${command}\n`);
  saveStamp(name, null);
  // Without npm, which takes as long to start as a step.
  const PATH = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const { status } = spawnSync(command, {
    cwd: root,
    shell: true,
    stdio: 'inherit',
    env: { ...process.env, PATH },
  });
  if (status !== 0) process.exit(1);
  hashes.clear();
  saveStamp(name, { inputs, outputs: outputsOf(step) });
}

const asked = process.argv.slice(2).filter((word) => word !== '--lab');
const unknown = asked.find((name) => !Object.hasOwn(STEPS, name));
if (unknown !== undefined) {
  process.stderr.write(`there is no step ${unknown}; steps: ${Object.keys(STEPS).join(', ')}
`);
  process.exit(2);
}
const withLab = process.argv.includes('--lab');
const all = Object.keys(STEPS).filter((name) => name !== 'lab' || withLab);
for (const name of asked.length === 0 ? all : asked) build(name);
