import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chain, flow, SAGA } from '../../../packages/workflow/test/interpreter/world.js';
import { find } from '../server.mjs';
import { formatAddress } from '../src/address.js';
import { openTestServer, runThere, type TestServer } from './run-world.js';

const CLI = fileURLToPath(new URL('../bin/alas-jssp-temporal.js', import.meta.url));

/** Handlers whose outside is a file. The effect knows its key; in a process with that setting, it waits for a word. */
const MODULE = (outside: string, word: string) => `
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
const note = (text) => appendFileSync(${JSON.stringify(outside)}, text + '\\n');
const stands = (key) => readFileSync(${JSON.stringify(outside)}, 'utf8').trim().split('\\n')
  .filter((line) => line.endsWith(key)).at(-1)?.startsWith('made') ?? false;
export const handlers = {
  act: {
    async run(input, { idempotencyKey: key }) {
      if (process.env.ALAS_TEST_WAITS) {
        note('began ' + key);
        while (!existsSync(${JSON.stringify(word)})) await sleep(20);
      }
      if (!stands(key)) note('made ' + key);
      return input;
    },
  },
  fail: { run: () => { throw Object.assign(new Error('as requested'), { code: 'Broken' }); } },
};
export const compensators = {
  undo: { run: ({ idempotencyKey: key }) => { if (stands(key)) note('undone ' + key); } },
};
`;

describe.skipIf(find() === undefined)('workers that stop for too long and go on', () => {
  let there: TestServer;
  const children: ChildProcess[] = [];
  beforeAll(async () => {
    there = await openTestServer();
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await there.stop();
  });

  it('report their effects to the run, or to people if it was closed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'alas-late-'));
    const [outside, word, module] = ['outside.txt', 'go', 'handlers.mjs'].map((name) =>
      join(folder, name),
    );
    writeFileSync(outside, '');
    writeFileSync(module, MODULE(outside, word));
    const address = formatAddress(there.address('late'));
    const start = (env: Record<string, string> = {}) => {
      const words = [CLI, 'worker', '--address', address, '--slots', '1', '--handlers', module];
      const stdio = ['ignore', 'ignore', 'pipe'] as const;
      const child = spawn(process.execPath, words, {
        stdio: [...stdio],
        env: { ...process.env, ...env },
      });
      children.push(child);
      return child;
    };
    const noted = () => readFileSync(outside, 'utf8');
    const first = start({ ALAS_TEST_WAITS: '1' });
    let said = '';
    first.stderr?.on('data', (text) => {
      said += text;
    });
    const saga = { ...SAGA, lateAnswer: { seconds: 1 } };
    const act = { id: 'act', type: 'task', effect: 'compensable', policyRef: 'saga' };
    const workflow = flow({
      nodes: [act, { id: 'fail', type: 'task' }],
      edges: chain('act', 'fail'),
      policies: { saga },
    });
    const options = { leaseSeconds: 2, unchecked: true };
    const open = { ...options, runId: 'open' };
    const both = Promise.all([
      runThere(there, 'late', workflow, 5, open),
      runThere(there, 'late', workflow, 5, { ...options, runId: 'closed', openSeconds: 0 }),
    ]);
    await until(() => noted().match(/began/g)?.length === 2);
    first.kill('SIGSTOP');
    start();
    const ends = await both;
    for (const { result } of ends) {
      expect(result).toMatchObject({ status: 'IN_DOUBT', inDoubt: [{ nodeId: 'act' }] });
    }
    writeFileSync(word, '');
    first.kill('SIGCONT');
    await there.client.workflow
      .getHandle('open')
      .result()
      .catch(() => {});
    const { result } = await runThere(there, 'late', workflow, 5, open);
    expect(result).toMatchObject({ status: 'COMPENSATED', inDoubt: [] });
    const [[key], [other]] = ends.map(({ result: { inDoubt } }) =>
      inDoubt.map(({ idempotencyKey }) => idempotencyKey),
    );
    const last = (one: string) =>
      noted()
        .trim()
        .split('\n')
        .findLast((line) => line.endsWith(one));
    expect(last(key)).toBe(`undone ${key}`);
    await until(() => said.includes(other));
    // Nothing undoes it for the closed run; but the server may have given its undo to the stopped worker,
    // which completes that, too.
    expect([`made ${other}`, `undone ${other}`]).toContain(last(other));
    const lines = said.split('\n').filter((line) => line.includes('check by hand'));
    expect(lines.every((line) => line.includes('at act of the run closed'))).toBe(true);
  }, 150_000);
});

async function until(isSo: () => boolean): Promise<void> {
  for (let k = 0; k < 600 && !isSo(); k++) await sleep(50);
  expect(isSo()).toBe(true);
}
