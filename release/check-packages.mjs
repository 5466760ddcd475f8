// Checks the tarballs that `npm run pack` wrote, before they are installed: manifest and exports (publint), types
// (arethetypeswrong), contents, and the size budgets of budgets.json.
// Usage: npm run check:packages [-- FOLDER]
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { findForeignContents, listFiles } from './contents.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = resolve(here, '..');
const folder = resolve(process.argv[2] ?? join(root, 'packed'));
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Entries without types, and why that is right. */
const UNTYPED = {
  'alas-jssp/internal/search-kernel': 'WebAssembly, which the service loads by its path',
  'alas-jssp/internal/search-flexible-kernel': 'WebAssembly, which the service loads by its path',
};

function findWrongTypes(name, file) {
  const untyped = Object.keys(UNTYPED)
    .filter((entry) => entry.startsWith(`${name}/`))
    .map((entry) => entry.slice(name.length + 1));
  const excluded = untyped.length > 0 ? ['--exclude-entrypoints', ...untyped] : [];
  const attw = join(here, 'node_modules/@arethetypeswrong/cli/dist/index.js');
  // It exits before a pipe has taken more than its first 64 kB: without a table of its own it prints less.
  const args = [
    attw,
    file,
    '--profile',
    'esm-only',
    '--format',
    'ascii',
    '--no-emoji',
    '--no-color',
    ...excluded,
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return status === 0 ? [] : [`types: ${stdout}${stderr}`];
}

async function findWrongManifest(unpacked) {
  const { messages, pkg } = await publint({
    pkgDir: unpacked,
    level: 'suggestion',
    strict: true,
    pack: false,
  });
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`);
}

/** What is larger than its budget, and what has none. */
function findExcess(sizes, budget) {
  if (budget === undefined) return ['no budget in release/budgets.json'];
  return Object.entries(budget)
    .filter(([key, most]) => sizes[key] > most)
    .map(([key, most]) => `${key} is ${sizes[key]}, more than the ${most} of release/budgets.json`);
}

/** What a package says of itself that is not so. */
function findWrongWords({ manifest, folder: unpacked }) {
  const wrong = [];
  for (const [name, range] of Object.entries({
    ...manifest.dependencies,
    ...manifest.peerDependencies,
  }))
    if (/^(@alas-jssp\/|alas-jssp$)/.test(name) && range !== manifest.version)
      wrong.push(`depends on ${name} at ${range}, not at its own version ${manifest.version}`);
  if (JSON.stringify(manifest).includes('alas-source'))
    wrong.push('package.json leads to sources, which are not in the tarball');
  for (const key of ['devDependencies', 'scripts', 'workspaces'])
    if (manifest[key] !== undefined) wrong.push(`package.json has ${key}`);
  const files = listFiles(unpacked);
  for (const file of ['README.md', 'LICENSE'])
    if (!files.includes(file)) wrong.push(`has no ${file}`);
  for (const [name, file] of Object.entries(manifest.imports ?? {}))
    if (file.startsWith('./') && !files.includes(file.slice(2)))
      wrong.push(`${name} of imports is ${file}, which is not in the tarball`);
  return wrong;
}

async function check({ name, file, size, unpackedSize, files }, budgets) {
  const unpacked = mkdtempSync(join(tmpdir(), 'alas-check-'));
  try {
    execFileSync('tar', ['xzf', file, '--strip-components=1', '-C', unpacked], { cwd: folder });
    const manifest = readJson(join(unpacked, 'package.json'));
    return [
      ...(await findWrongManifest(unpacked)),
      ...findWrongTypes(name, join(folder, file)),
      ...findWrongWords({ manifest, folder: unpacked }),
      ...findForeignContents(unpacked, [root]),
      ...findExcess({ packed: size, unpacked: unpackedSize, files }, budgets[name]),
    ];
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
}

const budgets = readJson(join(here, 'budgets.json'));
let failures = 0;
for (const one of readJson(join(folder, 'index.json'))) {
  const problems = await check(one, budgets);
  failures += problems.length;
  const { packed } = budgets[one.name] ?? {};
  const share =
    packed === undefined ? '' : `, ${Math.round((100 * one.size) / packed)} % of its budget`;
  process.stdout.write(`${problems.length === 0 ? 'ok    ' : 'wrong '} ${one.file}${share}\n`);
  for (const problem of problems) process.stdout.write(`       ${problem}\n`);
}
process.exitCode = failures === 0 ? 0 : 1;
