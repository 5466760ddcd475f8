import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readPrices } from '../../src/llm/prices.js';
import { cli, temporaryDirectory } from './cli.js';

// Files as version 1.0 wrote them. They are never written again: what reads them here has to read them for ever
// (docs/reference/versions.md). A new version of a format gets a folder of its own beside this one.
const fixtures = fileURLToPath(new URL('./fixtures/formats-1', import.meta.url));

/** A format: its file, how its version is written, and the command that reads it, in a copy of the fixtures. */
type Reader = readonly [format: string, file: string, mark: string, command: string];

const readers: readonly Reader[] = [
  ['instances', 'instance-1.json', 'instance@1', 'show instance-1.json'],
  ['instances with more features', 'instance-2.json', 'instance@2', 'show instance-2.json'],
  ['plans', 'plan.json', 'plan@1', 'validate ft06 plan.json'],
  [
    'saved schedules',
    'run/schedules/ft06__dispatch-mwkr__full__0.json',
    'plan@1',
    `validate ft06 run/schedules/ft06__dispatch-mwkr__full__0.json`,
  ],
  ['certificates', 'certificate.json', 'certificate@1', 'verify certificate.json'],
  ['manifests', 'run/manifest.json', 'manifest@1', 'report run --format csv'],
  ['records', 'run/records.jsonl', 'record@1', 'report run --format csv'],
  [
    'entries of the leaderboard',
    'entry.json',
    'leaderboard-entry@1',
    'submit --table entry.json --format csv',
  ],
  [
    'events',
    'events.json',
    'events@1',
    'repair ft06 plan.json --events events.json --out now.json',
  ],
  [
    'policies',
    'policy.json',
    'policy@1',
    'repair ft06 plan.json --events events.json --policy policy.json --out now.json',
  ],
  ['exported logs', 'log.json', 'log@1', 'log verify log.json'],
  ['workflows', 'workflow.json', 'workflow@1', 'workflow check workflow.json'],
  [
    'calendars',
    'calendar.json',
    'calendar@1',
    'import orders.csv --map map.json --calendar calendar.json --out shop.json',
  ],
  [
    'maps of orders',
    'map.json',
    'import-map@1',
    'import orders.csv --map map.json --calendar calendar.json --out shop.json',
  ],
];

/** A copy of the fixtures. */
function copyFixtures(): string {
  const directory = temporaryDirectory();
  cpSync(fixtures, directory, { recursive: true });
  return directory;
}

describe.each(readers)('%s of version 1', (_, file, mark, command) => {
  it('are read', async () => {
    const { code, stderr } = await cli(command.split(' '), { cwd: copyFixtures() });
    expect(code, stderr).toBe(0);
  });

  it('of version 9 are refused in one line, with what to do', async () => {
    const cwd = copyFixtures();
    const path = join(cwd, file);
    const text = readFileSync(path, 'utf8');
    const later = text.replace(mark, `${mark.slice(0, -1)}9`);
    expect(later).not.toBe(text);
    // A later version has keys that this one does not know; that is not what is wrong with it.
    writeFileSync(path, later.replace('"schema"', '"laterKey":{},"schema"'));
    const { code, stderr } = await cli(command.split(' '), { cwd });
    expect(code, stderr).toBe(2);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toContain(`alas-jssp/${mark.slice(0, -1)}9`);
    expect(stderr).toMatch(
      /; (this alas-jssp reads version (1|2|1 and 2): update it|update alas-jssp)$/m,
    );
  });
});

it('proofs of version 1 are read, those of version 9 are not accepted', async () => {
  const cwd = copyFixtures();
  expect((await cli(['verify', 'bound.proof.gz'], { cwd })).code).toBe(0);
  const proof = join(cwd, 'bound.proof.gz');
  const text = gunzipSync(readFileSync(proof)).toString();
  writeFileSync(proof, gzipSync(text.replace('alas-jssp proof 1', 'alas-jssp proof 9')));
  const { code, stdout, stderr } = await cli(['verify', 'bound.proof.gz', '--json'], { cwd });
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain('of version 9; this alas-jssp reads version 1: update it\n');
});

it('databases of version 1 are read, those of version 9 are refused', async () => {
  const cwd = copyFixtures();
  expect((await cli(['log', 'verify', 'log.db'], { cwd })).code).toBe(0);
  const Database = createRequire(import.meta.url)('libsql');
  const database = new Database(join(cwd, 'log.db'));
  database.exec('PRAGMA user_version = 9');
  database.close();
  const { code, stderr } = await cli(['log', 'show', 'log.db'], { cwd });
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /of format 9; this version of alas-jssp reads format 1; update alas-jssp$/m,
  );
});

it('prices of version 1 are read, those of version 9 are refused', () => {
  const file = join(copyFixtures(), 'prices.json');
  expect(readPrices(file).usdPerMillionTokens['gpt-4o']).toMatchObject({ input: 2, output: 8 });
  writeFileSync(file, readFileSync(file, 'utf8').replace('prices@1', 'prices@9'));
  expect(() => readPrices(file)).toThrow(/this alas-jssp reads version 1: update it/);
});
