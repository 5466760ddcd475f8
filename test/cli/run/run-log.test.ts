import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqliteStore, stateOfRun, verifyLog } from '../../../packages/workflow/src/index.js';
import { cli, cliProcess, temporaryDirectory } from '../cli.js';

/**
 * Hands over an empty plan; the first time the process is killed a few turns of the queue of promises
 * later, when the plan is in the log. (The thread has no time for timers before it is done.)
 */
const killer = `
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
const killAfter = (turns) =>
  turns > 0
    ? queueMicrotask(() => killAfter(turns - 1))
    : process.kill(process.pid, 'SIGKILL');
export const planner = {
  name: 'killer',
  async plan({ name }) {
    appendFileSync('asked', name + ' ');
    if (!existsSync('killed')) {
      writeFileSync('killed', '');
      killAfter(30);
    }
    return { entries: [] };
  },
};
`;

it('resumes from its log after a kill, unless the log was changed', async () => {
  const cwd = temporaryDirectory();
  const file = join(cwd, 'run.db');
  const alas = (line: string) => cli(line.split(' '), { cwd });
  const asked = () => readFileSync(join(cwd, 'asked'), 'utf8');
  writeFileSync(join(cwd, 'killer.mjs'), killer);
  const settings = '--planner module:./killer.mjs --repair --optimize 500-iterations';
  const what = `run --suite abz5 ${settings} --log run.db --out run`;
  const killed = await cliProcess(what.split(' '), { cwd });
  expect([killed.code, killed.stdout]).toEqual([null, '']);

  const left = openSqliteStore(file);
  const [runId] = left.runs();
  expect(stateOfRun(left, runId).end).toBeUndefined();
  expect(stateOfRun(left, runId).nodes.get('plan')?.status).toBe('done');
  // The contents of the side files go into the log.
  left.close();

  const bytes = readFileSync(file);
  // A page may be there twice, in use and not.
  const changed = bytes.toString('latin1').replaceAll('"replicate":0', '"replicate":1');
  writeFileSync(file, changed, 'latin1');
  const refused = await alas('run --resume run');
  expect(refused.stderr).toMatch(/^alas-jssp: run\.db: .*entry 0: it does not match its hash.*; /);
  expect(refused.code).toBe(2);

  writeFileSync(file, bytes);
  const resumed = await alas('run --resume run --json');
  expect(resumed.code).toBe(0);
  expect(JSON.parse(resumed.stdout).records).toMatchObject([{ instance: 'abz5', status: 'ok' }]);
  expect(asked()).toBe('abz5 ');
  const log = openSqliteStore(file, { mode: 'read' });
  try {
    expect(log.runs()).toEqual([runId]);
    expect(stateOfRun(log, runId).end?.status).toBe('COMPLETED');
    expect(verifyLog(log).valid).toBe(true);
  } finally {
    log.close();
  }
});

it('is replayed with files of your own where they are named', async () => {
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, 'mine.txt'), '2 2\n0 3 1 2\n1 4 0 1\n');
  const alas = (line: string) => cli(line.split(' '), { cwd });
  await alas('run --suite mine.txt --log run.db --no-out --quiet');
  const lost = await alas('log replay run.db');
  expect([lost.code, lost.stderr]).toEqual([
    2,
    'alas-jssp: the instance mine is no benchmark; name its file, or the folder or glob that was run, with --suite\n',
  ]);
  const found = await alas('log replay run.db --suite mine.txt');
  expect([found.code, found.stdout]).toEqual([0, expect.stringContaining(': parity, ')]);
  writeFileSync(join(cwd, 'mine.txt'), '2 2\n0 3 1 2\n1 4 0 2\n');
  const other = await alas('log replay run.db --suite .');
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('other numbers')]);
});

it('is shared by three processes at once, and none of their records is lost', async () => {
  const cwd = temporaryDirectory();
  const line = 'run --suite ft06,la01,la02 --planner dispatch:mwkr --log run.db --no-out --json';
  const outcomes = await Promise.all([1, 2, 3].map(() => cliProcess(line.split(' '), { cwd })));
  for (const { code, stdout, stderr } of outcomes) {
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('alas-jssp:')]);
    const statuses = JSON.parse(stdout).records.map(({ status }: { status: string }) => status);
    expect(statuses).toEqual(['ok', 'ok', 'ok']);
  }
  const log = openSqliteStore(join(cwd, 'run.db'), { mode: 'read' });
  try {
    const runs = log.runs();
    expect(runs).toHaveLength(9);
    expect(runs.filter((runId) => /~[23]$/.test(runId))).toHaveLength(6);
    for (const runId of runs) expect(stateOfRun(log, runId).end?.status).toBe('COMPLETED');
    expect(verifyLog(log).valid).toBe(true);
  } finally {
    log.close();
  }
});
