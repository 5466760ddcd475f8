import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cli, temporaryDirectory } from '../cli.js';

/** A folder with a plan of ft06 and one of la01, as JSON texts. */
async function folder() {
  const directory = temporaryDirectory();
  const write = (name: string, text: string) => writeFileSync(join(directory, name), text);
  await cli(['plan', 'ft06', '--planner', 'insertion', '--out', join(directory, 'FT6.json')]);
  mkdirSync(join(directory, 'la01'));
  await cli(['plan', 'la01', '--out', join(directory, 'la01', 'mine.csv')]);
  return { directory, write, ft06: readFileSync(join(directory, 'FT6.json'), 'utf8') };
}

it('judges each plan of a folder for its instance, named by the plan, its file or its folder', async () => {
  const { directory, write, ft06 } = await folder();
  write('notes.txt', 'no plan');
  // Its own word counts more than the name of its file.
  write('la02.json', ft06);
  const all = await cli(['validate', '--suite', 'ft,la01', directory, '--json']);
  expect(all.code).toBe(0);
  const { schema, plans, missing } = JSON.parse(all.stdout);
  expect(schema).toBe('alas-jssp/validations@1');
  expect(plans.map((row: Record<string, unknown>) => [row.file, row.instance])).toEqual([
    ['FT6.json', 'ft06'],
    ['la01/mine.csv', 'la01'],
    ['la02.json', 'ft06'],
  ]);
  const alone = await cli(['validate', 'ft06', join(directory, 'FT6.json'), '--json']);
  expect(plans[0]).toMatchObject({
    status: 'valid',
    makespan: JSON.parse(alone.stdout).makespan,
    violations: {},
    root_causes: {},
    explanation: null,
  });
  expect(missing).toEqual(['ft10', 'ft20']);
  expect(all.stderr).toBe('3 plans: 3 valid, 0 invalid\nwithout a plan: ft10, ft20\n');
});

it('continues after a plan that is invalid, damaged or of another suite', async () => {
  const { directory, write, ft06 } = await folder();
  const entries = JSON.parse(ft06).entries;
  write('ft06__late.json', JSON.stringify({ entries: entries.slice(1) }));
  const invalid = await cli(['validate', '--suite', 'ft06,la01', directory]);
  expect(invalid.code).toBe(1);
  expect(invalid.stdout).toContain('ft06__late.json,ft06,invalid,,');
  write('broken.json', '{"entries": [');
  const elsewhere = await cli(['validate', '--suite', 'ft06', directory, '--json']);
  expect(elsewhere.code).toBe(2);
  const { plans } = JSON.parse(elsewhere.stdout);
  expect(plans.map(({ status }: { status: string }) => status)).toEqual([
    'error',
    'invalid',
    'valid',
    'error',
  ]);
  expect(plans[0].explanation).toBe('line 1: the JSON ends too early; add what is missing');
  expect(plans[3].explanation).toContain('this plan names no instance');
  const shown = await cli(['validate', '--suite', 'ft06', directory], { terminal: 80 });
  expect(shown.stdout).toContain('4 plans: 1 valid, 1 invalid, 2 not judged\n');
});

it.each([
  [['ft06'], "missing required argument 'plan'"],
  [['--suite', 'ft', 'plans', 'plan.json'], '--suite takes a folder of plans'],
  [['--suite', 'ft', 'plans', '--certificate', 'c.json'], '--certificate is for one plan'],
  [['--suite', 'ft', 'package.json'], 'it is a file, not a folder of plans'],
  [['--suite', 'ft', 'no-such-folder'], 'it cannot be read (ENOENT)'],
  [['--suite', 'ft', 'bin'], 'this folder has no plans'],
])('refuses %s', async (args, words) => {
  const { code, stderr } = await cli(['validate', ...args]);
  expect(code).toBe(2);
  expect(stderr).toContain(words);
});

it('reads a folder once that links lead back to', async () => {
  const { directory } = await folder();
  symlinkSync('..', join(directory, 'la01', 'again'));
  const all = await cli(['validate', '--suite', 'ft06,la01', directory, '--json']);
  const { plans } = JSON.parse(all.stdout);
  expect(plans.map(({ file }: { file: string }) => file)).toEqual(['FT6.json', 'la01/mine.csv']);
});
