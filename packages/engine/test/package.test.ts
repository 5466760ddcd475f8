import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { npm } from '../../../scripts/npm.mjs';
import manifest from '../package.json' with { type: 'json' };

const engine = fileURLToPath(new URL('..', import.meta.url));
const root = join(engine, '../..');
const run = (cwd: string, file: string, ...args: string[]) =>
  execFileSync(file, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

let project: string;
let installed: string;

/** The packages that a package depends on, itself not counted. */
function dependenciesOf(home: string, found = new Map<string, string>()): Map<string, string> {
  const { dependencies = {} } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    if (found.has(name)) continue;
    found.set(name, join(root, 'node_modules', name));
    dependenciesOf(join(root, 'node_modules', name), found);
  }
  return found;
}

/** Bytes of all files of a folder. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => statSync(join(folder, file)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'alas-engine-'));
  npm(['pack', '--ignore-scripts', '--pack-destination', project], { cwd: engine });
  const tarball = readdirSync(project).find((file) => file.endsWith('.tgz')) ?? '';
  installed = join(project, 'node_modules', manifest.name);
  mkdirSync(installed, { recursive: true });
  run(installed, 'tar', 'xzf', join(project, tarball), '--strip-components=1');
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  for (const [name, home] of dependenciesOf(installed)) {
    const link = join(project, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(home, link, 'junction');
  }
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

it('is at most 10 MB and 10 packages with all that it depends on', () => {
  const dependencies = dependenciesOf(installed);
  expect(1 + dependencies.size).toBeLessThanOrEqual(10);
  const bytes = [installed, ...dependencies.values()].reduce((sum, home) => sum + sizeOf(home), 0);
  expect(bytes).toBeLessThan(10e6);
});

it('has the same names in its entries as alas-jssp', async () => {
  for (const entry of ['jssp', 'validator', 'disruption', 'search', 'lcrp']) {
    const names = (code: string) =>
      run(
        project,
        'node',
        '--input-type=module',
        '-e',
        `${code}; console.log(Object.keys(x).sort().join())`,
      );
    const rootEntry = join(root, 'dist', entry, 'index.js');
    expect(names(`import * as x from '${manifest.name}/${entry}'`)).toBe(
      names(`import * as x from '${rootEntry}'`),
    );
  }
});

it('judges, repairs and searches with threads where nothing else is installed', () => {
  const program = `
    import { resolveSource, AlasError, InputError } from '@alas-jssp/engine';
    import { applyEvents, parseEvent } from '@alas-jssp/engine/disruption';
    import { repair } from '@alas-jssp/engine/lcrp';
    import { dispatch, optimize } from '@alas-jssp/engine/search';
    import { validate } from '@alas-jssp/engine/validator';

    const instance = resolveSource('ft06').load();
    const plan = dispatch(instance, { rule: 'mwkr' });
    const best = await optimize(instance, { start: plan, budget: { iterations: 20_000 }, seed: 1, threads: 2 });
    const events = [parseEvent('breakdown:machine=0,from=9,to=20')];
    const repaired = await repair({ schedule: best.schedule, events, now: 9 });
    let refused = false;
    try { resolveSource('ft07'); } catch (error) { refused = error instanceof InputError && error instanceof AlasError; }
    console.log(JSON.stringify({
      valid: validate(instance, best.schedule).valid,
      makespan: best.schedule.makespan,
      repaired: validate(applyEvents(best.schedule, events, 9).instance, repaired.schedule).valid,
      refused,
    }));
  `;
  writeFileSync(join(project, 'program.mjs'), program);
  expect(JSON.parse(run(project, 'node', 'program.mjs'))).toEqual({
    valid: true,
    makespan: 55,
    repaired: true,
    refused: true,
  });
  writeFileSync(join(project, 'program.ts'), program);
  const tsc = join(
    dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin/tsc',
  );
  const options =
    '--noEmit --strict --skipLibCheck false --module nodenext --target es2023 --types node';
  const types = join(root, 'node_modules/@types');
  run(project, 'node', tsc, ...options.split(' '), '--typeRoots', types, 'program.ts');
});

it('plans and repairs shops with alternative machines, with its own kernel', () => {
  const program = `
    import { resolveSource } from '@alas-jssp/engine';
    import { parseEvent } from '@alas-jssp/engine/disruption';
    import { repair } from '@alas-jssp/engine/lcrp';
    import { dispatchBest, optimize } from '@alas-jssp/engine/search';
    import { validate } from '@alas-jssp/engine/validator';

    const instance = resolveSource('mk01').load();
    const start = dispatchBest(instance).schedule;
    const found = await optimize(instance, { start, budget: { iterations: 2_000 }, seed: 1, threads: 2 });
    const events = [parseEvent('breakdown:machine=0,from=5,to=30')];
    const repaired = await repair({ schedule: found.schedule, events, now: 5 });
    console.log(JSON.stringify({
      valid: validate(found.schedule.instance, found.schedule).valid,
      isShort: found.schedule.makespan <= start.makespan && found.schedule.makespan >= 36,
      repaired: validate(repaired.schedule.instance, repaired.schedule).valid,
    }));
  `;
  writeFileSync(join(project, 'flexible.mjs'), program);
  const answer = JSON.parse(run(project, 'node', 'flexible.mjs'));
  expect(answer).toEqual({ valid: true, isShort: true, repaired: true });
});
