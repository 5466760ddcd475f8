import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, type Outcome, temporaryDirectory } from '../cli.js';

const LOOKS_LIKE_A_KEY = 'sk-live-9f8e7d6c5b4a3210';
const IN_THE_ENVIRONMENT = 'correct horse battery';
const UNDER_A_SECRET_KEY = 'hunter2hunter2';
const MARKED = 'pin71';
const SECRETS = [LOOKS_LIKE_A_KEY, IN_THE_ENVIRONMENT, UNDER_A_SECRET_KEY, MARKED];

const card = { type: 'object', properties: { number: { type: 'string', 'x-secret': true } } };
const task = (id: string, more: object) => ({ id, type: 'task', handler: 'pass', ...more });

/** Secrets come in with the input, go from step to step and come out. */
const workflow = {
  schema: 'alas-jssp/workflow@1',
  name: 'pay',
  nodes: [
    task('ask', { io: { output: { properties: { card } } } }),
    task('charge', {
      effect: 'compensable',
      policyRef: 'held',
      io: { input: { properties: { card } }, output: { properties: { card } } },
    }),
    task('gate', { handler: 'count', approval: 'kim' }),
  ],
  edges: [
    { from: 'ask', to: 'charge' },
    { from: 'charge', to: 'gate' },
  ],
  io: { input: { properties: { card } } },
  defaultPolicy: 'plain',
  policies: {
    plain: { timeout: { seconds: 20 } },
    held: {
      timeout: { seconds: 20 },
      idempotencyKey: {},
      compensation: { handler: 'undo', safeReinvoke: true, timeout: { seconds: 20 } },
    },
  },
};

const handlers = `
export const handlers = {
  pass: { run: (input) => input },
  count: { kind: 'pure', run: (input) => ({ keys: Object.keys(input).length }) },
};
export const compensators = { undo: { run() {} } };
`;

const input = {
  note: `use ${LOOKS_LIKE_A_KEY} for this`,
  user: { password: UNDER_A_SECRET_KEY, hint: `not ${UNDER_A_SECRET_KEY}` },
  card: { number: MARKED },
  url: `https://shop.example/?t=${encodeURIComponent(IN_THE_ENVIRONMENT)}`,
};

function prepared() {
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, 'pay.json'), JSON.stringify(workflow));
  writeFileSync(join(cwd, 'pay.mjs'), handlers);
  writeFileSync(join(cwd, 'input.json'), JSON.stringify(input));
  const env = { SHOP_API_TOKEN: IN_THE_ENVIRONMENT };
  const alas = (line: string): Promise<Outcome> => cli(line.split(' '), { cwd, env });
  /** The secrets in the files of the log. */
  const leaked = () => {
    const files = readdirSync(cwd).filter((name) => name.startsWith('run.db'));
    const bytes = Buffer.concat(files.map((name) => readFileSync(join(cwd, name))));
    return SECRETS.filter((secret) =>
      [secret, encodeURIComponent(secret)].some((text) => bytes.includes(text)),
    );
  };
  return { cwd, alas, leaked };
}

const RUN = 'workflow run pay.json --handlers pay.mjs --input input.json --log run.db';

describe('the log of a run of the command line', () => {
  it('holds no secrets', async () => {
    const { alas, leaked } = prepared();
    const { code, stderr } = await alas(`${RUN} --approve kim --snapshot-every 1`);
    expect([code, stderr]).toEqual([0, '']);
    expect(leaked()).toEqual([]);
  });

  it('holds them with --no-redact', async () => {
    const { alas, leaked } = prepared();
    expect((await alas(`${RUN} --approve kim --no-redact`)).code).toBe(0);
    expect(leaked()).toEqual(SECRETS);
  });

  it('is verified, and replayed with parity', async () => {
    const { alas } = prepared();
    await alas(`${RUN} --approve kim`);
    expect((await alas('log verify run.db')).code).toBe(0);
    const { code, stdout } = await alas('log replay run.db --handlers pay.mjs');
    expect(stdout).toContain('parity');
    expect(code).toBe(0);
  });

  it('holds none after it was undone by hand', async () => {
    const { alas, leaked } = prepared();
    expect((await alas(RUN)).stdout).toContain('WAITING');
    const { stdout } = await alas('log trigger run.db pay-1 --by kim --handlers pay.mjs');
    expect(stdout).toContain('COMPENSATED');
    expect(leaked()).toEqual([]);
    expect((await alas('log replay run.db --handlers pay.mjs')).code).toBe(0);
  });

  it('does not resume a run if a step would need a secret', async () => {
    const { alas, leaked, cwd } = prepared();
    const rules = [{ label: 'cut', node: 'ask', kind: 'crash', when: 'after' }];
    writeFileSync(join(cwd, 'cut.json'), JSON.stringify({ schema: 'alas-jssp/faults@1', rules }));
    await alas(`${RUN} --approve kim --inject cut.json`);
    const { code, stderr } = await alas('log resume run.db --handlers pay.mjs');
    expect(stderr).toMatch(/^alas-jssp: (ask|charge) cannot resume: .*\/card\/number.*\n$/);
    expect(code).toBeGreaterThan(0);
    expect(leaked()).toEqual([]);
  });

  it('and the inbox hold no secrets of signals', async () => {
    const { alas, leaked } = prepared();
    await alas(RUN);
    await alas(`log deny run.db pay-1 kim --by lee --reason ${LOOKS_LIKE_A_KEY}`);
    const { code } = await alas('log resume run.db --handlers pay.mjs');
    expect(code).toBe(1);
    expect(leaked()).toEqual([]);
  });
});
