import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMemoryStore, openSqliteStore, replayRun } from '@alas-jssp/workflow';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  accountOf,
  applyEvent,
  bundledEvents,
  bundledPlan,
  bundledProblem,
  createReplayRegistry,
  openCoordination,
  repairCoordination,
} from '../../src/index.js';
import { cli } from '../cli/cli.js';
import { startTeamServer } from '../teams/team-server.js';
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

/** Executes the wedding with a team in a process that kills itself after so many appends. */
const KILLED_TEAM = `
import { openSqliteStore } from '@alas-jssp/workflow';
import { bundledEvents, bundledPlan, bundledProblem, openCoordination, openTeamModels } from './dist/index.js';
const [log, most, planner] = process.argv.slice(1);
const store = openSqliteStore(log);
const models = await openTeamModels([planner]);
let appends = 0;
const append = (...all) => {
  const written = store.append(...all);
  if (++appends >= Number(most)) process.kill(process.pid, 'SIGKILL');
  return written;
};
const opened = await openCoordination({
  store: { ...store, append },
  problem: bundledProblem('wedding'),
  plan: bundledPlan('wedding'),
  events: bundledEvents('wedding-traffic').events,
  team: {
    settings: { planner, topology: 'alas', rounds: 2, variant: 'full', form: 'json', first: null },
    line: { askFor: (scope, signal) => models.askFor({ planner, scope, replicate: 0, signal }) },
  },
});
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

/** Executes the wedding with a team until the process is killed; then another process resumes it. */
async function killedTeam(
  { planner, heard }: Awaited<ReturnType<typeof startTeamServer>>,
  most: number | 'while it asks',
): Promise<string> {
  const log = join(directory, `team-${most}.db`);
  const appends = String(typeof most === 'number' ? most : 1000);
  const words = [...flags, KILLED_TEAM, log, appends, planner];
  const child = spawn(process.execPath, words, { cwd: root });
  const gone = once(child, 'exit');
  if (most === 'while it asks') {
    while (heard.length < 4) await new Promise((done) => setTimeout(done, 1));
    child.kill('SIGKILL');
  }
  expect((await gone)[1]).toBe('SIGKILL');
  const resume = ['execute', 'wedding', '--log', log, '--resume', '--planner', planner];
  expect((await cli(resume)).code).toBe(0);
  return log;
}

it('goes on with the plan of a team to the same end, wherever it was killed', async () => {
  const events = bundledEvents('wedding-traffic').events;
  const changed = events.reduce(applyEvent, bundledProblem('wedding'));
  const budget = '20k-iterations';
  const { plan } = repairCoordination(changed, bundledPlan('wedding'), { now: 780, budget });
  const accounts: unknown[] = [];
  for (const most of [37, 38, 'while it asks'] as const) {
    const server = await startTeamServer({ '13:00': [plan] });
    const log = await killedTeam(server, most);
    accounts.push(await accountIn(log));
    const store = openSqliteStore(log);
    const registry = createReplayRegistry(store);
    expect(await replayRun(store, 'coordination', { registry })).toMatchObject({ parity: true });
    store.close();
    const replay = [join(root, '../../bin/alas-jssp.js'), 'log', 'replay', log];
    const { stdout } = spawnSync(process.execPath, replay, { encoding: 'utf8' });
    expect(stdout).toMatch(/^coordination: parity, /);
    // Answers are lost only before the proposal is in the log; then the team is asked again.
    const asked = server.heard.length;
    if (most === 'while it asks') expect(asked).toBeGreaterThanOrEqual(4 + 6);
    else expect(asked).toBe(6);
  }
  expect(JSON.stringify(accounts[0])).toContain('planned again by the team (alas, 6 requests');
  for (const account of accounts) expect(account).toEqual(accounts[0]);
});
