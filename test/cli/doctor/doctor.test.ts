import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageVersion } from '@alas-jssp/core/package-version';
import { expect, it } from 'vitest';
import { runCheck } from '../../../src/cli/doctor/check.js';
import { checkPackages } from '../../../src/cli/doctor/installed.js';
import { checkClock } from '../../../src/cli/doctor/working.js';
import { cli, temporaryDirectory } from '../cli.js';

interface Diagnosis {
  readonly schema: string;
  readonly healthy: boolean;
  readonly checks: readonly {
    readonly name: string;
    readonly status: string;
    readonly found: string;
    readonly hint: string | null;
  }[];
}

const SECRET = 'sk-of-nobody-0123456789';

/** What doctor says in an empty directory, with one key set. */
async function diagnose(...args: string[]) {
  const cwd = temporaryDirectory();
  const outcome = await cli(['doctor', '--json', ...args], {
    cwd,
    env: { OPENAI_API_KEY: SECRET },
  });
  const diagnosis = JSON.parse(outcome.stdout) as Diagnosis;
  const byName = new Map(diagnosis.checks.map((check) => [check.name, check]));
  return { cwd, outcome, diagnosis, byName };
}

it('finds a sound installation, leaves no file behind, and shows no key', async () => {
  const { cwd, outcome, diagnosis, byName } = await diagnose();
  expect(diagnosis).toMatchObject({ schema: 'alas-jssp/doctor@1', healthy: true });
  expect(outcome.code).toBe(0);
  const working = ['threads', 'kernel', 'flexible kernel', 'benchmarks', 'log', 'output folder'];
  for (const name of working) expect(byName.get(name)?.status, name).toBe('ok');
  expect(byName.get('alas-jssp')?.found).toBe(packageVersion());
  expect(byName.get('@alas-jssp/service')?.found).toBe(packageVersion());
  expect(byName.get('keys of models')?.found).toContain('OPENAI_API_KEY');
  expect(outcome.stdout + outcome.stderr).not.toContain(SECRET);
  expect(readdirSync(cwd)).toEqual([]);
});

it('has a hint for everything that is not fine', async () => {
  const { diagnosis } = await diagnose();
  for (const { status, hint } of diagnosis.checks) expect(hint === null).toBe(status === 'ok');
});

it('ends with 1 and a hint if the output folder cannot be written', async () => {
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, 'file'), '');
  const { code, stdout, stderr } = await cli(['doctor', '--format', 'csv', '--out', 'file'], {
    cwd,
  });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^output folder,broken,/m);
  expect(stderr).toMatch(/^broken: output folder \(name a writable folder with --out\)$/m);
});

it('looks for the nearest folder that exists', async () => {
  const cwd = temporaryDirectory();
  mkdirSync(join(cwd, 'results'));
  const { stdout } = await cli(['doctor', '--json', '--out', 'results/a/b'], { cwd });
  const { checks } = JSON.parse(stdout) as Diagnosis;
  expect(checks.find(({ name }) => name === 'output folder')?.found).toMatch(
    /results is writable$/,
  );
  expect(readdirSync(join(cwd, 'results'))).toEqual([]);
});

it('knows a clock before the release, and turns whatever a check throws into a fault', async () => {
  expect(checkClock(0)).toMatchObject({ status: 'broken', hint: 'set the clock of this machine' });
  const check = await runCheck('thing', 'buy a new one', () => {
    throw new Error('it fell\nat line 1');
  });
  expect(check).toEqual({
    name: 'thing',
    status: 'broken',
    found: 'it fell',
    hint: 'buy a new one',
  });
});

it.each([
  ['cut', '{"version', 'broken', /JSON/],
  ['no object', 'null', 'ok', /^of no version$/],
  ['with control characters', '{"version":"1\\u001b[31m\\nX"}', 'ok', /^1\\u001b\[31m\\nX$/],
])('continues if the package.json of an optional package is %s', async (_, text, status, found) => {
  const file = join(temporaryDirectory(), 'package.json');
  writeFileSync(file, text);
  const checks = await checkPackages((name) => (name === 'openai' ? file : undefined));
  expect(checks.length).toBeGreaterThan(5);
  const check = checks.find(({ name }) => name === 'openai');
  expect(check?.status).toBe(status);
  expect(check?.found).toMatch(found);
});

it('blames the folder of temporary files, not the database, if that folder is missing', async () => {
  const { code, stderr } = await cli(['doctor'], { env: { TMPDIR: '/nonexistent/folder' } });
  expect(code).toBe(1);
  expect(stderr).toMatch(/broken: log \(set TMPDIR to a folder that can be written\)/);
});
