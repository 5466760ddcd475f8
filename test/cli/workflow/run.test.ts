import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, type Outcome, temporaryDirectory } from '../cli.js';

const booking = (id: string) => ({
  id,
  type: 'task',
  handler: 'book',
  effect: 'compensable',
  policyRef: 'booking',
});

const trip = {
  schema: 'alas-jssp/workflow@1',
  name: 'trip',
  nodes: [
    booking('flight'),
    booking('hotel'),
    { id: 'gate', type: 'task', handler: 'total', approval: 'manager' },
    booking('train'),
  ],
  edges: [
    { from: 'flight', to: 'hotel' },
    { from: 'hotel', to: 'gate' },
    { from: 'gate', to: 'train' },
  ],
  policies: {
    plain: {},
    booking: {
      timeout: { seconds: 20 },
      idempotencyKey: {},
      compensation: { handler: 'cancel', safeReinvoke: true, timeout: { seconds: 20 } },
    },
  },
  defaultPolicy: 'plain',
};

/** Bookings are files; files called `down-NODE` and `stuck-NODE` say what does not work. */
const handlers = `
import { appendFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
export const handlers = {
  book: {
    run(input, { nodeId }) {
      if (existsSync('down-' + nodeId)) throw Object.assign(new Error('no answer'), { code: 'Busy' });
      appendFileSync('calls', nodeId + ' ');
      writeFileSync(nodeId, '');
      return { cost: (input.cost ?? 0) + 10 };
    },
    externalRef: ({ cost }) => 'ref-' + cost,
  },
  total: { kind: 'pure', run: ({ cost }) => ({ cost: cost + 1 }) },
};
export const compensators = {
  cancel: {
    run(_, { nodeId }) {
      if (existsSync('stuck-' + nodeId)) throw new Error('stuck');
      rmSync(nodeId, { force: true });
    },
  },
};
`;

const COMPLETED = {
  run: 'trip-1',
  status: 'COMPLETED',
  output: { cost: 31 },
  committed: ['flight', 'hotel', 'train'].map((nodeId) => expect.objectContaining({ nodeId })),
  undone: [],
  remaining: [],
  inDoubt: [],
};

function prepared(...signs: string[]) {
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, 'trip.json'), JSON.stringify(trip));
  writeFileSync(join(cwd, 'trip.mjs'), handlers);
  for (const sign of signs) writeFileSync(join(cwd, sign), '');
  const alas = (line: string): Promise<Outcome> => cli(line.split(' '), { cwd });
  const jsonOf = async (line: string) => {
    const { code, stdout, stderr } = await alas(`${line} --json`);
    expect(stderr).not.toContain('this is a bug');
    return { code, ...JSON.parse(stdout) };
  };
  return {
    cwd,
    alas,
    jsonOf,
    booked: () => BOOKINGS.filter((name) => existsSync(join(cwd, name))),
  };
}

const BOOKINGS = ['flight', 'hotel', 'train'];
const RUN = 'workflow run trip.json --handlers trip.mjs --log run.db';

describe('alas-jssp workflow run', () => {
  it('runs a workflow to its end, and its log verifies, replays and restores every state', async () => {
    const { cwd, alas, jsonOf, booked } = prepared();
    writeFileSync(join(cwd, 'in.json'), '{"cost": 0}');
    const run = await jsonOf(`${RUN} --input in.json --approve manager --snapshot-every 4`);
    expect(run).toMatchObject({ code: 0, schema: 'alas-jssp/run-outcome@1', ...COMPLETED });
    expect(booked()).toEqual(BOOKINGS);
    expect((await alas('log verify run.db')).code).toBe(0);
    const replay = await jsonOf('log replay run.db --handlers trip.mjs');
    expect(replay).toMatchObject({
      code: 0,
      parity: true,
      runs: [{ run: 'trip-1', parity: true, rerun: 1 }],
    });
    expect(readFileSync(join(cwd, 'calls'), 'utf8')).toBe('flight hotel train ');
    const first = JSON.parse((await alas('log restore run.db 1')).stdout);
    expect(first).toMatchObject({ version: 1, restore_point: null, input: { cost: 0 }, end: null });
    const last = JSON.parse((await alas(`log restore run.db ${run.versions - 1}`)).stdout);
    expect(last).toMatchObject({
      end: { status: 'COMPLETED' },
      application: { flight: { cost: 10 }, train: { cost: 31 } },
    });
    expect(last.restore_point).toBeGreaterThan(4);
    const beyond = await alas('log restore run.db 99');
    expect([beyond.code, beyond.stderr]).toEqual([2, expect.stringContaining('no entry 99')]);
  });

  it('finds the first divergence when the code has changed', async () => {
    const { cwd, alas } = prepared();
    await alas(`${RUN} --approve manager`);
    writeFileSync(join(cwd, 'changed.mjs'), handlers.replace('cost + 1 ', 'cost + 2 '));
    const { code, stdout } = await alas('log replay run.db --handlers changed.mjs');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^trip-1: divergence at entry \d+ \(gate\), code: the step now gives another output; /,
    );
  });

  it('undoes what failed, and lists what a person must look at', async () => {
    const { alas, jsonOf, booked } = prepared('down-train', 'stuck-flight');
    const { code, stdout } = await alas(`${RUN} --approve manager`);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^trip-1: COMPENSATION_FAILED, \d+ entries\nBusy in train: no answer\n {2}undone: hotel, train\n {2}left: ref-10 of flight \(compensable; failed: stuck\), key trip-1\|flight\|[0-9a-f]{64}\n$/,
    );
    expect(booked()).toEqual(['flight']);
    const again = await jsonOf('log resume run.db --handlers trip.mjs');
    expect(again).toMatchObject({ code: 1, status: 'COMPENSATION_FAILED' });
  });

  it('undoes by hand what could not be undone before, and one node of a run that waits', async () => {
    const { cwd, alas, jsonOf, booked } = prepared('down-train', 'stuck-flight');
    await alas(`${RUN} --approve manager`);
    rmSync(join(cwd, 'stuck-flight'));
    const trigger = 'log trigger run.db trip-1 --by kim --handlers trip.mjs';
    expect(await jsonOf(trigger)).toMatchObject({ code: 1, status: 'COMPENSATED', remaining: [] });
    expect(booked()).toEqual([]);
    expect(await jsonOf(`${RUN} --run w`)).toMatchObject({ code: 1, status: 'WAITING' });
    const one = await jsonOf('log trigger run.db w hotel --by kim --handlers trip.mjs');
    expect(one).toMatchObject({
      status: 'COMPENSATED',
      remaining: [{ nodeId: 'flight', reason: 'declared' }],
    });
    expect(booked()).toEqual(['flight']);
    const none = await alas('log trigger run.db w train --by kim --handlers trip.mjs');
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('no effect in w')]);
  });

  it('waits for approvals and continues when they are given', async () => {
    const { alas, jsonOf } = prepared();
    const waiting = await alas(RUN);
    expect([waiting.code, waiting.stdout]).toEqual([1, expect.stringContaining('WAITING')]);
    const wrong = await alas('log approve run.db trip-1 manger --by kim');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('mean manager')]);
    expect((await alas('log approve run.db trip-1 manager --by kim')).code).toBe(0);
    const resumed = await jsonOf('log resume run.db --handlers trip.mjs');
    expect(resumed).toMatchObject({ code: 0, ...COMPLETED });
    expect((await alas('log approve run.db trip-1 manager --by kim')).code).toBe(2);
  });

  it('does not resume from a changed log', async () => {
    const { cwd, alas } = prepared();
    await alas(RUN);
    const log = readFileSync(join(cwd, 'run.db'));
    log[log.lastIndexOf('ref-10')] = 'R'.charCodeAt(0);
    writeFileSync(join(cwd, 'run.db'), log);
    for (const line of [
      'log resume run.db --handlers trip.mjs',
      'log trigger run.db trip-1 --by kim --handlers trip.mjs',
      'log approve run.db trip-1 manager --by kim',
    ]) {
      const { code, stderr } = await alas(line);
      expect(stderr).toContain('entry 3: it does not match its hash');
      expect(code, line).toBe(2);
    }
    expect(readFileSync(join(cwd, 'calls'), 'utf8')).toBe('flight hotel ');
  });

  it('injects faults, and resumes what they broke off', async () => {
    const { cwd, alas, jsonOf } = prepared();
    const rules = [{ label: 'cut', node: 'train', kind: 'crash', when: 'after' }];
    const faults = { schema: 'alas-jssp/faults@1', rules };
    writeFileSync(join(cwd, 'faults.json'), JSON.stringify(faults));
    const broken = await alas(`${RUN} --approve manager --inject faults.json`);
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('cut interrupts')]);
    const resumed = await jsonOf('log resume run.db --handlers trip.mjs');
    expect(resumed).toMatchObject({ code: 0, ...COMPLETED });
    expect(readFileSync(join(cwd, 'calls'), 'utf8')).toBe('flight hotel train train ');
  });

  it('reports faults that were not injected', async () => {
    const { cwd, alas } = prepared();
    const rules = [{ label: 'cut', node: 'trian', kind: 'failure' }];
    const faults = { schema: 'alas-jssp/faults@1', rules };
    writeFileSync(join(cwd, 'faults.json'), JSON.stringify(faults));
    const { code, stderr } = await alas(`${RUN} --approve manager --inject faults.json`);
    expect([code, stderr]).toEqual([
      0,
      'the fault cut was not injected: the run did not reach it at trian\n',
    ]);
  });

  it('goes back to a node by hand and resumes from there', async () => {
    const { cwd, alas, jsonOf, booked } = prepared();
    await alas(RUN);
    const back = 'log trigger run.db trip-1 --back-to flight --by kim --handlers trip.mjs';
    expect(await jsonOf(back)).toMatchObject({ code: 1, status: 'WAITING' });
    expect(booked()).toEqual(['flight', 'hotel']);
    expect(readFileSync(join(cwd, 'calls'), 'utf8')).toBe('flight hotel hotel ');
    await alas('log approve run.db trip-1 manager --by kim');
    const resumed = await jsonOf('log resume run.db --handlers trip.mjs');
    expect(resumed).toMatchObject({ code: 0, ...COMPLETED });
    expect(await jsonOf(`${back} --even-committed`)).toMatchObject({ status: 'COMPLETED' });
    expect(readFileSync(join(cwd, 'calls'), 'utf8')).toBe('flight hotel hotel train hotel train ');
    const both = await alas('log trigger run.db trip-1 hotel --back-to flight --by kim');
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--back-to')]);
    const typos = ['hotl --even-committed', '--back-to hotl --even-committed'];
    for (const typo of typos) {
      const unknown = await alas(`log trigger run.db trip-1 ${typo} --by kim --handlers trip.mjs`);
      expect([unknown.code, unknown.stderr]).toEqual([
        2,
        expect.stringContaining('; did you mean hotel?'),
      ]);
    }
  });

  it('started twice under one id is started once', async () => {
    const { cwd, jsonOf } = prepared();
    expect(await jsonOf(`${RUN} --run once`)).toMatchObject({ code: 1, status: 'WAITING' });
    const again = await jsonOf(`${RUN} --run once --approve manager`);
    expect(again).toMatchObject({ code: 0, ...COMPLETED, run: 'once' });
    const ended = await jsonOf(`${RUN} --run once`);
    expect(ended).toMatchObject({ code: 0, ...COMPLETED, run: 'once', versions: again.versions });
    expect(readFileSync(join(cwd, 'calls'), 'utf8')).toBe('flight hotel train ');
  });

  it('lists what is in doubt, until a person has settled it', async () => {
    const { cwd, alas, jsonOf } = prepared();
    const seconds = { seconds: 0.05 };
    const policies = { hasty: { timeout: seconds, lateAnswer: seconds, idempotencyKey: {} } };
    const pay = { id: 'pay', type: 'task', effect: 'irreversible', policyRef: 'hasty' };
    const once = { schema: 'alas-jssp/workflow@1', name: 'once', nodes: [pay], policies };
    writeFileSync(join(cwd, 'once.json'), JSON.stringify({ ...once, edges: [] }));
    const deaf = 'export const handlers = { pay: { run: () => new Promise(() => {}) } };';
    writeFileSync(join(cwd, 'once.mjs'), deaf);
    const { code, stdout } = await alas(
      'workflow run once.json --handlers once.mjs --log once.db --run o',
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^o: IN_DOUBT, .*\n {2}in doubt: no reference of pay \(irreversible\), key .*\n.* log settle LOG o pay --happened\|--did-not --by WHO\n$/s,
    );
    await alas('log settle once.db o pay --did-not --by kim');
    const settled = await jsonOf('log resume once.db --handlers once.mjs');
    expect(settled).toMatchObject({ code: 1, status: 'FAILED', inDoubt: [], remaining: [] });
    await alas('workflow run once.json --handlers once.mjs --log once.db --run p');
    await alas('log settle once.db p pay --happened --by kim');
    const left = await alas('log resume once.db --run p --handlers once.mjs');
    expect(left.stdout).toMatch(/^p: COMPENSATION_FAILED, .* {2}left: .* \(irreversible\), key /s);
  });

  it('answers what is wrong in one line', async () => {
    const { cwd, alas } = prepared();
    await alas(RUN);
    writeFileSync(join(cwd, 'empty.mjs'), 'export const plan = 1;');
    writeFileSync(join(cwd, 'none.mjs'), 'export const handlers = {};');
    writeFileSync(join(cwd, 'export.jsonl'), (await alas('log export run.db')).stdout);
    for (const [line, message] of [
      [`${RUN} --approve manger`, "trip has no approval 'manger'; did you mean manager?"],
      [`${RUN} --inject trip.json`, 'trip.json:$: the key'],
      ['workflow run trip.json', "handlers of the workflow 'trip' are unknown"],
      ['workflow run trip.json --handlers no.mjs', 'no.mjs: there is no such module'],
      ['workflow run trip.json --handlers empty.mjs', 'export handlers is no object'],
      ['workflow run trip.json --handlers none.mjs', 'trip.json:$.nodes[0]: '],
      [`${RUN} --input {`, '--input:1: '],
      [`${RUN} --input no.json`, 'no.json: there is no such file'],
      [`${RUN} --run trip-1 --input [1]`, 'the log has a run trip-1 (it has another input)'],
      ['log replay run.db', 'unknown'],
      ['log resume export.jsonl', 'export.jsonl: this is an export'],
      ['log resume no.db', 'no.db: the file does not exist'],
    ]) {
      const { code, stderr } = await alas(line);
      expect(stderr).toContain(message);
      expect(stderr).toMatch(/^alas-jssp: .*; .*\n$/);
      expect(code, line).toBe(2);
    }
  });
});

describe('alas-jssp workflow run with the blueprint', () => {
  const blueprint = async (): Promise<string> => {
    const cwd = temporaryDirectory();
    const { stdout } = await cli(['workflow', 'blueprint'], { cwd });
    writeFileSync(join(cwd, 'bp.json'), stdout);
    return cwd;
  };
  const run = (cwd: string, ...args: string[]) =>
    cli(['workflow', 'run', 'bp.json', '--json', ...args], { cwd });
  const outputOf = ({ stdout }: Outcome) => JSON.parse(stdout).output;

  it('plans ft06 if nothing else is said, and whatever the input says', async () => {
    const cwd = await blueprint();
    expect(outputOf(await run(cwd))).toEqual({ status: 'ok', makespan: 55, error: null });
    const la01 = ['--input', '{"instance":"la01","planner":"insertion"}'];
    expect(outputOf(await run(cwd, ...la01))).toMatchObject({ makespan: 666 });
  });

  it('has a log that replays, and from which an interrupted run is resumed', async () => {
    const cwd = await blueprint();
    const faults = {
      schema: 'alas-jssp/faults@1',
      rules: [{ label: 'cut', node: 'validate', kind: 'crash', when: 'after' }],
    };
    writeFileSync(join(cwd, 'faults.json'), JSON.stringify(faults));
    const broken = await run(cwd, '--log', 'run.db', '--inject', 'faults.json');
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('interrupted: cut')]);
    const resumed = await cli(['log', 'resume', 'run.db', '--json'], { cwd });
    expect(outputOf(resumed)).toMatchObject({ status: 'ok', makespan: 55 });
    const replayed = await cli(['log', 'replay', 'run.db', '--json'], { cwd });
    expect(JSON.parse(replayed.stdout)).toMatchObject({ parity: true });
  });

  it('refuses an input that it does not understand, with the path in it', async () => {
    const cwd = await blueprint();
    const refused = {
      '[]': '--input:$: invalid input: expected object',
      '{"machine":"la01"}': '--input:$: unrecognized key: "machine"; give an object with any of',
      '{"instance":"la99"}': '--input:$.instance: no suite, instance, file or directory is called',
      '{"planner":"dispach:spt"}': "--input:$.planner: there is no planner 'dispach:spt'; did you",
      '{"budget":"long"}': "--input:$.budget: 'long' is no budget",
      '{"replicate":-1}': '--input:$.replicate: too small',
      '{"planner":"openai:gpt-4o"}': '--input:$.planner: openai:gpt-4o asks a model',
    };
    for (const [input, problem] of Object.entries(refused)) {
      const { code, stderr } = await run(cwd, '--input', input);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`alas-jssp: ${problem}`)]);
      expect(stderr.trim()).not.toContain('\n');
    }
  });
});
