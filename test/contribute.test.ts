import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { globSync } from 'tinyglobby';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const page = readFileSync('docs/how-to/contribute.md', 'utf8');
const root = resolve('.');
let copy = '';

/** The files that are compiled, with all that they import, and declarations of modules without types. */
const ENTRIES = [
  'src/index.ts',
  'src/cli/main.ts',
  ...globSync('packages/{core,convert}/**/*.d.ts', {
    absolute: true,
    ignore: ['**/dist/**', '**/node_modules/**'],
  }),
];

/** The sources of the package, to which recipes are applied. */
function copySources(): string {
  mkdirSync('node_modules/.cache', { recursive: true });
  const folder = mkdtempSync(resolve('node_modules/.cache/contribute-'));
  cpSync('src', join(folder, 'src'), { recursive: true });
  cpSync('package.json', join(folder, 'package.json'));
  mkdirSync(join(folder, 'benchmarks'));
  for (const entry of readdirSync('benchmarks', { withFileTypes: true })) {
    const [from, to] = [root, folder].map((home) => join(home, 'benchmarks', entry.name));
    // The folder of the tables is where they really are.
    if (entry.isDirectory()) symlinkSync(from, to, 'junction');
    else cpSync(from, to);
  }
  const settings = { extends: join(root, 'tsconfig.json'), include: [], files: ENTRIES };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  return folder;
}

/** The changes of files that recipes make: the text to replace, or '' for the first line, and what replaces it. */
function changesIn(recipe: string): { path: string; old: string; now: string }[] {
  return [...recipe.matchAll(/```diff\n--- (\S+)\n([\s\S]*?)```/g)].flatMap(([, path, lines]) =>
    [...lines.matchAll(/((?:-.*\n)*)((?:\+.*\n)+)/g)].map(([, before, after]) => {
      const [old, now] = [before, after].map((part) => part.replaceAll(/^[-+]/gm, '').trimEnd());
      return { path, old, now };
    }),
  );
}

/** Checks that the text to replace is where a recipe says. */
function expectPlace(path: string, old: string): void {
  const text = readFileSync(join(copy, path), 'utf8');
  expect(text.split(old), `${path} has this once: ${old}`).toHaveLength(2);
}

/** Writes the files of a recipe, and makes its changes of others. */
function apply(recipe: string): void {
  const files = recipe.matchAll(/```\w+\n(?:\/\/ )?file: (\S+)\n([\s\S]*?)```/g);
  for (const [, path, text] of files) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), text);
  }
  for (const { path, old, now } of changesIn(recipe)) {
    const text = readFileSync(join(copy, path), 'utf8');
    if (old !== '') expectPlace(path, old);
    writeFileSync(join(copy, path), old === '' ? `${now}\n${text}` : text.replace(old, () => now));
  }
}

/** Runs code that imports the changed sources, and returns what it exports as `result`. */
async function run(name: string, code: string): Promise<unknown> {
  const outfile = join(copy, `${name}.mjs`);
  await build({
    stdin: { contents: code, resolveDir: copy, loader: 'ts' },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    conditions: ['alas-source'],
    external: ['temporal-polyfill', '@libsql/*', 'libsql', '@alas-jssp/engine'],
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    logLevel: 'silent',
  });
  return ((await import(outfile)) as { result: unknown }).result;
}

beforeAll(() => {
  copy = copySources();
  for (const recipe of page.split(/^## /m).slice(1)) apply(recipe);
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe('the recipes of docs/how-to/contribute.md', () => {
  test('are four', () => {
    const titles = Array.from(page.matchAll(/^## (.*)$/gm), ([, title]) => title);
    expect(titles).toEqual(['Add a rule', 'Add a suite', 'Add a planner', 'Add an event']);
  });

  test('leave room for the next contribution', () => {
    const changes = changesIn(page).filter(({ old }) => old !== '');
    expect(changes).toHaveLength(5);
    for (const { path, old } of changes) expectPlace(path, old);
  });

  test('compile together', () => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '--noEmit', '-p', copy]);
    expect(String(stdout)).toBe('');
  });

  test('add a rule that plans as its definition says', async () => {
    const result = await run(
      'rule',
      `import { instanceFromJobs } from './src/jssp/instance.js';
      import { dispatch } from './src/search/construct/dispatch.js';
      import { rules } from './src/search/construct/rules.js';
      import { heuristicPlannerSpecs } from './src/search/planners.js';
      const shop = instanceFromJobs('twk', [[[0, 5], [1, 5]], [[0, 3], [1, 9]], [[0, 4], [1, 1]]]);
      export const result = {
        start: [...dispatch(shop, { rule: 'twk' }).start],
        last: rules.at(-1).name,
        specs: heuristicPlannerSpecs.map(({ spec }) => spec).filter((spec) => /twk/.test(spec)),
      };`,
    );
    // Total work 10, 12 and 5: the jobs come in the order 2, 0, 1.
    const start = [4, 9, 9, 14, 0, 4];
    const specs = ['dispatch:twk', 'dispatch:twk:active'];
    expect(result).toEqual({ start, last: 'TWK', specs });
  });

  test('add a suite, with tables that a command writes', async () => {
    const script = join(root, 'scripts/write-suite.mjs');
    const operations = [{ machine: 'Machine0', duration: 5 }];
    const shop = { schema: 'alas-jssp/instance@1', machines: 1, jobs: [{ due: 9, operations }] };
    writeFileSync(join(copy, 'benchmarks/tiny/tiny02.json'), JSON.stringify(shop));
    execFileSync(process.execPath, [script, join(copy, 'benchmarks/tiny')]);
    const result = await run(
      'suite',
      `import { benchmarksOf, suiteNames } from './src/jssp/benchmark-index.js';
      import { resolveSources } from './src/jssp/suites.js';
      const [source, other] = resolveSources('tiny');
      const { jobs, duration } = source.load();
      export const result = {
        name: source.name, jobs, duration: [...duration], last: suiteNames.at(-1),
        count: benchmarksOf('tiny').length, bounds: [source.bounds.lower, source.bounds.upper],
        due: [...other.load().due],
      };`,
    );
    // Machine 0 works for 3 + 4; job 1 can begin there after 3, when its first step is done.
    const bounds = [7, 7];
    const duration = [3, 2, 2, 4];
    const names = { name: 'tiny01', last: 'tiny' };
    expect(result).toEqual({ ...names, jobs: 2, duration, count: 2, bounds, due: [9] });
  });

  test('add a planner', async () => {
    const result = await run(
      'planner',
      `import { instanceFromJobs } from './src/jssp/instance.js';
      import { createPlanner, plannerSpecs } from './src/pipeline/planners/planners.js';
      import { isFeasible } from './src/validator/index.js';
      const shop = instanceFromJobs('serial', [[[0, 1], [1, 2]], [[1, 4], [0, 4]]]);
      const schedule = await createPlanner('serial').plan(shop, { seed: 0 });
      export const result = {
        start: [...schedule.start], feasible: isFeasible(shop, schedule.start),
        listed: plannerSpecs.some(({ spec }) => spec === 'serial'),
      };`,
    );
    expect(result).toEqual({ start: [8, 9, 0, 4], feasible: true, listed: true });
  });

  test('add an event that is parsed, described, applied and refused', async () => {
    const result = await run(
      'event',
      `import { instanceFromJobs } from './src/jssp/instance.js';
      import { createSchedule } from './src/jssp/schedule.js';
      import { german } from './src/jssp/sentences/german.js';
      import { describeEvent, applyEvents, EVENT_KINDS, formatEvent, parseEvent } from './src/disruption/index.js';
      import { reasonOfEvent } from './src/lcrp/metrics/edit-words.js';
      const shop = instanceFromJobs('due', [[[0, 4], [1, 2]], [[1, 2]]]);
      const schedule = createSchedule(shop, Int32Array.from([0, 4, 0]));
      const event = parseEvent('due-date:job=1,due=20', { knownBy: 1 });
      const applied = applyEvents(schedule, [event], 1);
      let problem = '';
      try { applyEvents(schedule, [{ ...event, job: 1 }], 1); } catch (error) { problem = error.message; }
      export const result = {
        text: formatEvent(event), words: describeEvent(event), due: [...applied.instance.due],
        reason: reasonOfEvent(applied.events[0], applied), grund: reasonOfEvent(applied.events[0], applied, german),
        problem, listed: EVENT_KINDS.includes('due-date'),
      };`,
    );
    expect(result).toEqual({
      text: 'due-date:at=1,job=1,due=20',
      words: 'due date of job 1',
      due: [20, -1],
      reason: 'job 1 is due at 20',
      grund: 'Auftrag 1 ist 20 fällig',
      problem: expect.stringMatching(/^due date of job 2: every operation of the job has started/),
      listed: true,
    });
  });
});
