import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, cliProcess, temporaryDirectory } from '../cli.js';

const workflow = {
  schema: 'alas-jssp/workflow@1',
  name: 'trip',
  nodes: [
    { id: 'book', type: 'task', effect: 'compensable', policyRef: 'saga' },
    { id: 'gate', type: 'task', handler: 'pass', approval: 'manager' },
  ],
  edges: [{ from: 'book', to: 'gate' }],
  policies: {
    plain: { timeout: { seconds: 60 } },
    saga: {
      idempotencyKey: {},
      timeout: { seconds: 60 },
      compensation: { handler: 'free', safeReinvoke: true, timeout: { seconds: 60 } },
    },
  },
  defaultPolicy: 'plain',
};

const handlers = `
import { appendFileSync } from 'node:fs';
export const handlers = {
  book: { run: (_, { runId }) => (appendFileSync('calls', runId + ' '), { cost: 5 }) },
  pass: { run: (input) => input },
};
export const compensators = { free: { run: () => {} } };
`;

const killer = `
import { appendFileSync } from 'node:fs';
const run = () => {
  appendFileSync('calls', 'killed ');
  process.kill(process.pid, 'SIGKILL');
};
export const handlers = { book: { run }, pass: { run } };
export const compensators = { free: { run } };
`;

function prepared() {
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, 'trip.json'), JSON.stringify(workflow));
  writeFileSync(join(cwd, 'trip.mjs'), handlers);
  writeFileSync(join(cwd, 'none.mjs'), 'export const handlers = {};');
  const alas = (line: string) => cli(line.split(' '), { cwd });
  return { cwd, alas, calls: () => readFileSync(join(cwd, 'calls'), 'utf8') };
}

const RUN = 'workflow run trip.json --handlers trip.mjs --log run.db';
const WORK = 'workflow work --log run.db --handlers trip.mjs';

describe('alas-jssp workflow work', () => {
  it('continues interrupted runs and runs with messages, and ends with --once', async () => {
    const { cwd, alas, calls } = prepared();
    await alas(`${RUN} --run a`);
    await alas(`${RUN} --run b`);
    await alas('log approve run.db b manager --by kim');
    const rules = [{ label: 'cut', node: 'book', kind: 'crash', when: 'after' }];
    const faults = { schema: 'alas-jssp/faults@1', rules };
    writeFileSync(join(cwd, 'faults.json'), JSON.stringify(faults));
    await alas(`${RUN} --run c --approve manager --inject faults.json`);
    const { code, stdout, stderr } = await alas(`${WORK} --once --json`);
    const results = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const ended = results.filter(({ status }) => status === 'COMPLETED');
    expect(ended.map(({ run }) => run).sort()).toEqual(['b', 'c']);
    expect(ended[0]).toMatchObject({ schema: 'alas-jssp/run-outcome@1', output: { cost: 5 } });
    expect(stderr).toMatch(/^b: COMPLETED, \d+ entries$/m);
    expect(code).toBe(0);
    expect(calls()).toBe('a b c c ');
    const again = await alas(`${WORK} --once --json --quiet`);
    expect([again.code, again.stderr]).toEqual([0, '']);
    expect(again.stdout).not.toContain('COMPLETED');
  });

  it('takes over at once what a killed worker had', async () => {
    const { cwd, alas, calls } = prepared();
    await alas(RUN);
    await alas(`${RUN} --run other`);
    await alas('log approve run.db trip-1 manager --by kim');
    writeFileSync(join(cwd, 'kill.mjs'), killer);
    const killed = 'workflow work --log run.db --handlers kill.mjs --once';
    expect((await cliProcess(killed.split(' '), { cwd })).code).toBe(null);
    const [{ status, help }] = JSON.parse((await alas('log show run.db --json')).stdout).runs;
    const resume = 'log resume run.db --run trip-1 --handlers MODULE';
    expect([status, help]).toEqual(['INTERRUPTED', resume]);
    const { code, stderr } = await alas(`${WORK} --once`);
    expect([code, stderr]).toEqual([0, expect.stringContaining('trip-1: COMPLETED')]);
    expect(calls()).toBe('trip-1 other killed ');
  });

  it('works until Ctrl-C', async () => {
    const { cwd, alas } = prepared();
    await alas(RUN);
    await alas('log approve run.db trip-1 manager --by kim');
    const interrupt = (stderr: string) => stderr.includes('trip-1: COMPLETED');
    const { code, stderr } = await cli(WORK.split(' '), { cwd, interrupt });
    expect(code).toBe(130);
    expect(stderr).toContain('interrupted: running runs continue until they end');
  });

  it('reports once in one line a run that it cannot resume, and exits with 1', async () => {
    const { alas } = prepared();
    await alas(RUN);
    await alas('log approve run.db trip-1 manager --by kim');
    const { code, stdout, stderr } = await alas(
      'workflow work --log run.db --handlers none.mjs --once',
    );
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^alas-jssp: run trip-1: .*\n$/);
  });

  it('refuses what is no log and no module in one line', async () => {
    const { cwd, alas } = prepared();
    writeFileSync(join(cwd, 'text.db'), 'no log');
    for (const [line, message] of [
      ['workflow work --log no.db --handlers trip.mjs --once', 'no.db: the file does not exist'],
      ['workflow work --log text.db --handlers trip.mjs --once', 'this is not a log'],
      ['workflow work --log no.db --handlers no.mjs --once', 'no.mjs: there is no such module'],
      ['workflow work --handlers trip.mjs', "required option '--log <file>' not specified"],
    ]) {
      const { code, stderr } = await alas(line);
      expect(stderr).toContain(message);
      expect(stderr, line).toMatch(/^alas-jssp: .*\n$/);
      expect(code).toBe(2);
    }
    expect(existsSync(join(cwd, 'no.db'))).toBe(false);
  });
});
