import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMemoryStore, openSqliteStore } from '@alas-jssp/workflow';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountOf, openCoordination } from '../../src/index.js';
import { cli } from '../cli/cli.js';
import { MIDNIGHT, ridesCase } from './reactive.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'coordination-'));

beforeAll(() => {
  // Processes of their own need the package as it is built.
  const built = spawnSync('npm', ['run', 'build'], { cwd: root, encoding: 'utf8' });
  expect(built.stdout + built.stderr).not.toContain('error');
  expect(built.status).toBe(0);
});

afterAll(() => rmSync(directory, { recursive: true }));

const PREPARE = `
import { writeFileSync } from 'node:fs';
import { openSqliteStore } from '@alas-jssp/workflow';
import { bundledEvents, bundledPlan, bundledProblem, openCoordination } from './dist/index.js';
const [log, argument] = process.argv.slice(1);
const store = openSqliteStore(log);
const rides = {
  problem: bundledProblem('ride-sharing'),
  plan: bundledPlan('ride-sharing'),
  events: bundledEvents('ride-sharing-reactive').events,
};
`;

/** Executes the rides in a process that kills itself after so many appends. */
const KILLED = `${PREPARE}
let appends = 0;
const append = (...all) => {
  const written = store.append(...all);
  if (++appends >= Number(argument)) process.kill(process.pid, 'SIGKILL');
  return written;
};
const opened = await openCoordination({ store: { ...store, append }, ...rides });
await opened.at(${MIDNIGHT});
`;

/** Executes the rides in a process that is still at it when it has told the first. */
const SLOW = `${PREPARE}
const inform = () => {
  writeFileSync(argument, '');
  return new Promise((done) => setTimeout(done, 600_000));
};
const opened = await openCoordination({ store, inform, ...rides });
await opened.at(${MIDNIGHT});
`;

const flags = ['--input-type=module', '-e'];

async function accountIn(log: string): Promise<unknown> {
  const store = openSqliteStore(log);
  try {
    return accountOf((await openCoordination({ store })).log());
  } finally {
    store.close();
  }
}

async function wholeAccount(): Promise<unknown> {
  const opened = await openCoordination(ridesCase(createMemoryStore()));
  await opened.at(MIDNIGHT);
  return accountOf(opened.log());
}

it.each([1, 12, 24, 40, 70])(
  'goes on to the same end when it was killed after %i appends',
  async (lasts) => {
    const log = join(directory, `killed-${lasts}.db`);
    const { signal } = spawnSync(process.execPath, [...flags, KILLED, log, String(lasts)], {
      cwd: root,
      timeout: 120_000,
    });
    expect(signal).toBe('SIGKILL');
    const { code } = await cli([
      'execute',
      'ride-sharing',
      '--log',
      log,
      '--resume',
      '--to',
      '24:00',
    ]);
    expect(code).toBe(0);
    expect(await accountIn(log)).toEqual(await wholeAccount());
  },
);

it('is refused to a second process, in one line, until the first has gone', async () => {
  const [log, told] = [join(directory, 'slow.db'), join(directory, 'told')];
  const child = spawn(process.execPath, [...flags, SLOW, log, told], { cwd: root });
  const gone = once(child, 'exit');
  while (!existsSync(told)) {
    if (child.exitCode !== null) throw new Error('the first process has ended');
    await new Promise((done) => setTimeout(done, 50));
  }
  const resume = ['execute', 'ride-sharing', '--log', log, '--resume', '--to', '24:00'];
  const refused = await cli(resume);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/^alas-coordination: [^\n]*coordination[^\n]*\n$/);
  child.kill('SIGKILL');
  await gone;
  expect((await cli(resume)).code).toBe(0);
  expect(await accountIn(log)).toEqual(await wholeAccount());
});
