import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type EventType,
  type NewEntry,
  openSqliteStore,
  toWorkflow,
} from '../../../packages/workflow/src/index.js';
import { cli, temporaryDirectory } from '../cli.js';

const entry = (runId: string, eventType: EventType, nodeId = '', payload = {}): NewEntry => ({
  ...{ runId, eventType, nodeId, payload },
  ts: '2026-01-02T03:04:05.678Z',
  correlationId: nodeId,
});

function prepared(): string {
  const cwd = temporaryDirectory();
  const store = openSqliteStore(join(cwd, 'run.db'));
  store.append([
    entry('r1', 'StartRun'),
    entry('r1', 'EndNode', 'plan', { output: { makespan: 60 } }),
    entry('r1', 'EndNode', 'repair[0]/time', { output: 1 }),
    entry('r1', 'EndNode', 'plan', { output: { makespan: 55 } }),
    entry('r1', 'EndRun', '', { status: 'COMPLETED' }),
  ]);
  store.close();
  const two = openSqliteStore(join(cwd, 'two.db'));
  two.append([entry('a', 'StartRun')]);
  two.append([entry('b', 'StartRun'), entry('b', 'EndRun', '', { status: 'FAILED' })]);
  two.close();
  return cwd;
}

describe('alas-jssp log', () => {
  it('shows entries by run, node, type and count, and runs if there are several', async () => {
    const cwd = prepared();
    const log = (line: string) => cli(['log', ...line.split(' ')], { cwd });
    const versions = async (line: string) =>
      JSON.parse((await log(`${line} --json`)).stdout).entries.map(
        (e: NewEntry & { version: number }) => e.version,
      );
    expect(await versions('show run.db')).toEqual([0, 1, 2, 3, 4]);
    expect(await versions('show run.db --node repair')).toEqual([2]);
    expect(await versions('show run.db --type endnode,EndRun --last 2')).toEqual([3, 4]);
    expect((await log('show run.db --format table')).stdout).toMatch(
      /^version {2}time .*\n─+\n +0 {2}03:04:05.678 .*StartRun/,
    );
    expect((await log('show run.db --format md --last 1')).stdout).toContain(
      '{"status":"COMPLETED"}',
    );
    expect((await log('show two.db --format csv')).stdout).toBe(
      [
        'run,entries,began,last_event,status,why,help,workflow,owner,until,wake_at',
        'a,1,2026-01-02T03:04:05.678Z,StartRun,INTERRUPTED,interrupted,log resume two.db --run a,,,,',
        'b,2,2026-01-02T03:04:05.678Z,EndRun,FAILED,,,,,,',
        '',
      ].join('\n'),
    );
    const bad = await log('show run.db --type Retri');
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('did you mean Retry')]);
    const typo = await log('show run.db --node repare');
    expect([typo.code, typo.stderr]).toEqual([
      2,
      expect.stringContaining("the run r1 has no entries of a node 'repare'"),
    ]);
    const none = await log('show two.db --run c');
    expect([none.code, none.stderr]).toEqual([
      2,
      "alas-jssp: two.db: this log has no run 'c'; name one with --run, such as b\n",
    ]);
  });

  it('verifies, exports, imports and compares', async () => {
    const cwd = prepared();
    const log = (line: string) => cli(['log', ...line.split(' ')], { cwd });
    const verified = JSON.parse((await log('verify run.db --json')).stdout);
    expect(verified).toMatchObject({ schema: 'alas-jssp/log-verification@1', valid: true });
    const { head } = verified.runs[0];
    expect((await log(`verify run.db --head ${head}`)).code).toBe(0);
    expect((await log('verify run.db --head 0000')).code).toBe(1);

    expect((await log('export run.db --out run.jsonl')).stderr).toBe(
      'run.db: exported to run.jsonl\n',
    );
    expect((await log('import run.jsonl copy.db')).stderr).toBe('copy.db: 5 entries of 1 runs\n');
    expect((await log(`verify copy.db --head ${head}`)).code).toBe(0);
    const text = (await log('export copy.db')).stdout;
    writeFileSync(join(cwd, 'bad.jsonl'), text.replace('"makespan":60', '"makespan":50'));
    const found = await log('verify bad.jsonl --format table');
    expect(found.code).toBe(1);
    expect(found.stdout).toContain('run "r1", entry 1: it does not match its hash: it was changed');

    expect((await log('import bad.jsonl new.db')).code).toBe(2);
    expect(existsSync(join(cwd, 'new.db'))).toBe(false);

    const diff = JSON.parse((await log('diff run.jsonl 1 4 --json')).stdout);
    expect(diff.differences).toEqual([
      { op: 'replace', path: '/plan/makespan', was: 60, value: 55 },
      { op: 'add', path: '/repair[0]~1time', value: 1 },
    ]);
    expect(await log('diff run.jsonl 1 99')).toMatchObject({
      code: 2,
      stderr: "alas-jssp: run.jsonl: there is no entry 99 in the run 'r1'; give one from 0 to 4\n",
    });
  });

  it('follows a run until it ends', async () => {
    const cwd = temporaryDirectory();
    const store = openSqliteStore(join(cwd, 'live.db'));
    store.append([entry('r', 'StartRun')]);
    const tail = cli(['log', 'tail', 'live.db', '--json'], { cwd });
    store.append([entry('r', 'Retry', 'plan')]);
    await new Promise((resolve) => setTimeout(resolve, 600));
    store.append([entry('r', 'EndRun')]);
    const { code, stdout } = await tail;
    store.close();
    expect(code).toBe(0);
    const types = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).eventType);
    expect(types).toEqual(['StartRun', 'Retry', 'EndRun']);
  });

  it('answers files that are no logs in one line', async () => {
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'text'), 'no log at all');
    writeFileSync(join(cwd, 'empty'), '');
    expect((await cli(['log', 'show', 'empty'], { cwd })).stderr).toBe(
      'alas-jssp: empty: the file is empty; name a log that alas-jssp wrote\n',
    );
    for (const [file, message] of [
      ['text', 'text: this is not a log'],
      ['missing.db', 'missing.db: the file does not exist'],
      ['.', '.: this is a directory'],
    ]) {
      for (const command of ['show', 'verify', 'tail', 'export']) {
        const { code, stderr } = await cli(['log', command, file], { cwd });
        expect(stderr).toMatch(/^alas-jssp: .*; .*\n$/);
        expect(stderr).toContain(message);
        expect(code).toBe(2);
      }
    }
  });

  it('answers files with a damaged page in one line, whatever is asked', async () => {
    const cwd = temporaryDirectory();
    const file = join(cwd, 'run.db');
    const store = openSqliteStore(file);
    const workflow = toWorkflow({
      schema: 'alas-jssp/workflow@1',
      name: 'w',
      nodes: [{ id: 'a', type: 'task' }],
      edges: [],
    });
    store.append([entry('r1', 'StartRun', '', { workflow, input: 0, seed: 0 } as never)]);
    const entryOfNode = entry('r1', 'ValidatePass', 'a', { x: 'x'.repeat(300) });
    for (let i = 1; i < 60; i++) store.append([entryOfNode]);
    store.close();
    writeFileSync(join(cwd, 'none.mjs'), 'export const handlers = { a: { run: () => 1 } };');
    const whole = readFileSync(file);
    const commands = [
      ...['show run.db', 'verify run.db', 'export run.db', 'restore run.db 50', 'diff run.db 1 50'],
      'replay run.db --handlers none.mjs',
      'resume run.db --handlers none.mjs',
    ];
    const said = new Set<string>();
    for (let at = 4096; at < whole.length; at += 4096) {
      writeFileSync(file, Buffer.from(whole).fill(0x41, at, at + 4096));
      for (const command of commands) {
        const { code, stderr } = await cli(['log', ...command.split(' ')], { cwd });
        expect(stderr, command).not.toMatch(/bug|\n +at /);
        if (code !== 2) continue;
        expect(stderr, command).toMatch(
          /^(r1: 60 entries\n)?alas-jssp: run\.db: [^\n]*; [^\n]*\n$/,
        );
        said.add(command);
      }
    }
    // To verify is to answer: that it is damaged is no error.
    expect([...said].sort()).toEqual(commands.filter((one) => one !== 'verify run.db').sort());
  });
});
