// The search of a checkout as one file, so that several versions race each other, and none changes while it
// does. Kept by a hash of their code.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { hashOf } from './training.js';

/** A search in one file, and the hash of all that is in it. */
export interface Build {
  file: string;
  hash: string;
}

const CORE = 'packages/core';

/** Parts of the search that `solver.js` puts together. */
const ENTRY = `
export { createInstance } from './src/jssp/instance.ts';
export { lowerBound } from './src/jssp/bounds.ts';
export { createProblem } from './src/search/problem.ts';
export { createEvolution, usualTuning } from './src/search/evolution/evolution.ts';
export { createExchange, createExchangeBuffers, workOnIsland } from './src/search/threads/exchange.ts';
`;

/** The search of the working tree, whose kernel is built already. */
export function buildHere(folder: string) {
  return bundle('.', readFileSync('dist/search/kernel.wasm'), folder);
}

/** The search of a commit, branch or tag. */
export async function buildOf(ref: string, folder: string) {
  const root = mkdtempSync(join(tmpdir(), 'alas-jssp-lab-'));
  try {
    const listing = ['ls-tree', '--name-only', ref, 'src', 'package.json', CORE];
    const parts = execFileSync('git', listing, { encoding: 'utf8' }).trim().split('\n');
    const archive = execFileSync('git', ['archive', ref, ...parts], { maxBuffer: 2 ** 28 });
    execFileSync('tar', ['-x', '-C', root], { input: archive });
    const kernel = join(root, 'kernel.wasm');
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const [, source, , , ...options] = scripts['build:kernel'].split(' ');
    const compiler = resolve('node_modules/assemblyscript/bin/asc.js');
    const args = [compiler, join(root, source), '--outFile', kernel, ...options];
    execFileSync(process.execPath, args, { stdio: 'inherit' });
    return await bundle(root, readFileSync(kernel), folder);
  } finally {
    rmSync(root, { recursive: true });
  }
}

async function bundle(root: string, kernel: Buffer, folder: string): Promise<Build> {
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, resolveDir: resolve(root), loader: 'ts' },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    nodePaths: [resolve('node_modules')],
    // The core of the same checkout; before it was a package it was in src/.
    alias: existsSync(join(root, CORE)) ? { '@alas-jssp/core': resolve(root, CORE, 'src') } : {},
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
  });
  const [{ text }] = outputFiles;
  const solver = readFileSync(new URL('../../dist/race/solver.js', import.meta.url), 'utf8');
  const hash = hashOf(text + kernel.toString('base64') + solver);
  const home = resolve(folder, hash);
  const file = join(home, 'search.js');
  if (existsSync(file)) return { file, hash };
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'kernel.wasm'), kernel);
  const imports = { '#search-kernel': './kernel.wasm' };
  writeFileSync(join(home, 'package.json'), JSON.stringify({ type: 'module', imports }));
  writeFileSync(join(home, 'solver.js'), solver);
  writeFileSync(file, text);
  return { file, hash };
}
