import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../../packages/workflow/src/index.js';
import { cli, temporaryDirectory } from '../cli.js';

const order = {
  schema: 'alas-jssp/workflow@1',
  name: 'order',
  nodes: [
    { id: 'reserve', type: 'task', effect: 'compensable', policyRef: 'saga' },
    { id: 'check', type: 'task', handler: 'pass', approval: 'manager' },
    {
      id: 'paid',
      type: 'wait',
      message: 'payment',
      io: { output: { type: 'object', required: ['amount'] } },
    },
    { id: 'ship', type: 'task', handler: 'pass' },
  ],
  edges: [
    { from: 'reserve', to: 'check' },
    { from: 'check', to: 'paid' },
    { from: 'paid', to: 'ship' },
  ],
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

/** A reservation is a file; it takes as long as there is a file `wait`. */
const handlers = (cwd: string) => `
import { existsSync, rmSync, writeFileSync } from 'node:fs';
const file = (name) => ${JSON.stringify(`${cwd}/`)} + name;
export const handlers = {
  reserve: {
    async run() {
      writeFileSync(file('reserved'), '');
      while (existsSync(file('wait'))) await new Promise((resolve) => setTimeout(resolve, 5));
      return { place: 7 };
    },
  },
  pass: { run: (input) => input },
};
export const compensators = { free: { run: () => rmSync(file('reserved'), { force: true }) } };
`;

function prepared() {
  const cwd = temporaryDirectory();
  const file = (name: string) => join(cwd, name);
  writeFileSync(file('order.json'), JSON.stringify(order));
  writeFileSync(file('order.mjs'), handlers(cwd));
  /** Names of files stand for those in the directory. */
  const alas = async (line: string) => {
    const args = line
      .split(' ')
      .map((word) =>
        /\.(db|json|mjs)$/.test(word) ? word.replace(/^@?/, (at) => `${at}${cwd}/`) : word,
      );
    const outcome = await cli(args);
    expect(outcome.stderr).not.toContain('this is a bug');
    return { ...outcome, stderr: outcome.stderr.replaceAll(`${cwd}/`, '') };
  };
  const jsonOf = async (line: string) => JSON.parse((await alas(`${line} --json`)).stdout);
  return { file, alas, jsonOf };
}

const RUN = 'workflow run order.json --handlers order.mjs --log run.db --run o1';
const RESUME = 'log resume run.db --handlers order.mjs';

describe('a message from the command line', () => {
  it('brings a run on: approvals, and data that fit their schema', async () => {
    const { alas, jsonOf } = prepared();
    expect((await alas(RUN)).stdout).toMatch(/^o1: WAITING/);
    const approved = await alas('log approve run.db o1 manager --by kim');
    expect([approved.code, approved.stderr]).toEqual([
      0,
      'o1: manager is approved by kim; continue with a worker or alas-jssp log resume\n',
    ]);
    expect((await alas(RESUME)).stdout).toMatch(/^o1: WAITING/);
    const wrong = await alas('log signal run.db o1 payment --data {"sum":5}');
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringMatching(/^alas-jssp: run\.db: the data of payment do not fit: .*amount.*\n$/),
    ]);
    const paid = await alas('log signal run.db o1 payment --data {"amount":5} --by kim');
    expect([paid.code, paid.stderr]).toEqual([0, expect.stringContaining('payment was sent')]);
    expect(await jsonOf(RESUME)).toMatchObject({ status: 'COMPLETED', output: { amount: 5 } });
    expect((await alas('log verify run.db')).code).toBe(0);
    const replay = await alas('log replay run.db --handlers order.mjs');
    expect([replay.code, replay.stdout]).toEqual([0, expect.stringContaining('parity')]);
  });

  it('may come before the run waits for it, from a file', async () => {
    const { file, alas, jsonOf } = prepared();
    await alas(RUN);
    writeFileSync(file('payment.json'), '{"amount": 9}');
    expect((await alas(`log signal run.db o1 payment --data @payment.json`)).code).toBe(0);
    await alas('log approve run.db o1 manager --by kim');
    expect(await jsonOf(RESUME)).toMatchObject({ status: 'COMPLETED', output: { amount: 9 } });
  });

  it('denies and cancels, and what was done is undone', async () => {
    for (const [line, error] of [
      ['log deny run.db o1 manager --by kim --reason late', 'Denied'],
      ['log cancel run.db o1 --by kim --reason late', 'Cancelled'],
    ]) {
      const { file, alas, jsonOf } = prepared();
      await alas(RUN);
      expect(existsSync(file('reserved'))).toBe(true);
      expect((await alas(line)).code).toBe(0);
      const result = await jsonOf(RESUME);
      expect(result).toMatchObject({ status: 'COMPENSATED', error: { code: error } });
      expect(result.error.message).toContain('late');
      expect(existsSync(file('reserved'))).toBe(false);
    }
  });

  it('reaches a running run, which continues by itself', async () => {
    const { file, alas } = prepared();
    writeFileSync(file('wait'), '');
    const running = alas(RUN);
    while (!existsSync(file('reserved'))) await new Promise((resolve) => setTimeout(resolve, 5));
    const approved = await alas('log approve run.db o1 manager --by kim');
    expect([approved.code, approved.stderr]).toEqual([
      0,
      'o1: manager is approved by kim; the process that owns the run continues\n',
    ]);
    await alas('log signal run.db o1 payment --data {"amount":5}');
    rmSync(file('wait'));
    const { code, stdout } = await running;
    expect([code, stdout]).toEqual([0, expect.stringContaining('o1: COMPLETED')]);
  });

  it('undoes a running run', async () => {
    const { file, alas } = prepared();
    writeFileSync(file('wait'), '');
    const running = alas(RUN);
    while (!existsSync(file('reserved'))) await new Promise((resolve) => setTimeout(resolve, 5));
    const cancelled = await alas('log cancel run.db o1 --by kim');
    expect(cancelled.code).toBe(0);
    rmSync(file('wait'));
    const { code, stdout } = await running;
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^o1: (COMPENSATED|CANCELLED)/)]);
    expect(existsSync(file('reserved'))).toBe(false);
  });

  it('is refused in one line where it makes no sense', async () => {
    const { alas } = prepared();
    await alas(`${RUN} --approve manager`);
    for (const [line, message] of [
      ['log approve run.db o1 manger --by kim', 'did you mean manager?'],
      ['log deny run.db o1 manger --by kim --reason no', 'did you mean manager?'],
      ['log signal run.db o1 paymnt', 'did you mean payment?'],
      ['log signal run.db o1 payment --data {', '--data:1: '],
      ['log signal run.db o1 payment --data @no.json', 'no.json: there is no such file'],
      ['log settle run.db o1 reserve --happened --by kim', 'nothing is in doubt in the run o1'],
      ['log settle run.db o1 reserve --by kim', 'give --happened or --did-not'],
      ['log settle run.db o1 reserve --happened --did-not --by kim', 'both options are given'],
      ['log cancel run.db o2 --by kim', "this log has no run 'o2'"],
      ['log cancel run.db o1', "required option '--by <who>' not specified"],
    ]) {
      const { code, stderr } = await alas(line);
      expect(stderr, line).toMatch(/^alas-jssp: .*\n$/);
      expect(stderr).toContain(message);
      expect(code, line).toBe(2);
    }
    await alas('log cancel run.db o1 --by kim');
    await alas(RESUME);
    const ended = await alas('log approve run.db o1 manager --by kim');
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('has ended')]);
  });
});

describe('an effect in doubt', () => {
  const saga = {
    ...order.policies.saga,
    timeout: { seconds: 0.01 },
    lateAnswer: { seconds: 0.01 },
  };
  const nodes = order.nodes.slice(0, 1);
  const doubtful = { ...order, nodes, edges: [], policies: { ...order.policies, saga } };

  it.each(['--happened', '--did-not'])('is settled by hand: %s', async (fact) => {
    const { file, alas, jsonOf } = prepared();
    writeFileSync(file('order.json'), JSON.stringify(doubtful));
    const deaf = handlers(file('')).replace('setTimeout(resolve, 5)', '{}');
    writeFileSync(file('order.mjs'), deaf);
    writeFileSync(file('wait'), '');
    const ended = await alas(RUN);
    expect([ended.code, ended.stdout]).toEqual([1, expect.stringContaining('o1: IN_DOUBT')]);
    expect(ended.stdout).toContain('  in doubt: no reference of reserve (compensable), ');
    const sure = await alas('log settle run.db o1 reserv --happened --by kim');
    expect([sure.code, sure.stderr]).toEqual([2, expect.stringContaining('reserve')]);
    expect((await alas(`log settle run.db o1 reserve ${fact} --by kim`)).code).toBe(0);
    expect(await jsonOf(RESUME)).toMatchObject({ status: 'COMPENSATED', inDoubt: [] });
    expect(existsSync(file('reserved'))).toBe(false);
    const again = await alas(`log settle run.db o1 reserve ${fact} --by kim`);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('nothing is in doubt')]);
  });
});

describe('the list of runs', () => {
  it('says which run waits or is stuck, why, and what helps', async () => {
    const { file, alas, jsonOf } = prepared();
    await alas(RUN);
    await alas(`${RUN.replace('o1', 'o2')} --approve manager`);
    const store = openSqliteStore(file('run.db'));
    const entry = { runId: 'o3', nodeId: '', ts: '2026-01-02T03:04:05.678Z', correlationId: 'o3' };
    const inDoubt = [{ nodeId: 'pay', effect: 'compensable', idempotencyKey: 'k', attempts: [] }];
    const payload = { status: 'IN_DOUBT', inDoubt };
    store.append([
      { ...entry, eventType: 'StartRun', payload: {} },
      { ...entry, eventType: 'EndRun', payload },
    ]);
    const foreign = { workflow: { name: 'foreign' } };
    store.append([{ ...entry, runId: 'o4', eventType: 'StartRun', payload: foreign }]);
    store.close();
    const { runs } = await jsonOf('log show run.db');
    expect(runs).toMatchObject([
      { run: 'o1', workflow: 'order', status: 'WAITING', why: 'it waits for the approval manager' },
      { run: 'o2', status: 'WAITING', why: 'it waits for the message payment' },
      { run: 'o3', status: 'IN_DOUBT', why: 'unknown whether these happened: pay' },
      { run: 'o4', status: 'INTERRUPTED', why: 'interrupted' },
    ]);
    const helps = runs.map(({ help }: { help: string }) => help.replaceAll(`${file('')}/`, ''));
    expect(helps).toEqual([
      'log approve run.db o1 manager --by WHO',
      'log signal run.db o2 payment',
      'log settle run.db o3 pay --happened|--did-not --by WHO',
      'log resume run.db --run o4 --handlers MODULE',
    ]);
    const one = await alas('log show run.db --run o3');
    expect(one.stderr).toContain('o3: IN_DOUBT, unknown whether these happened: pay; ');
  });
});
