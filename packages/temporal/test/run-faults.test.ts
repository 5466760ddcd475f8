import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arbitraryWorkflow } from '../../../packages/workflow/test/interpreter/arbitrary-workflow.js';
import {
  chain,
  createWorld,
  effect,
  flow,
  plain,
  SAGA,
} from '../../../packages/workflow/test/interpreter/world.js';
import { find } from '../server.mjs';
import { formatAddress } from '../src/address.js';
import { postMessageAt } from '../src/run/post-message.js';
import { comparable, openTestServer, runHere, runThere, type TestServer } from './run-world.js';

const CLI = fileURLToPath(new URL('../bin/alas-jssp-temporal.js', import.meta.url));

const ALAS_JSSP = fileURLToPath(new URL('../../../bin/alas-jssp.js', import.meta.url));

/** Random workflows that run at the same time. */
const AT_A_TIME = 6;

/** Handlers of a process of its own: their effects are in a file; the first attempt never ends. */
const MODULE = (file: string) => `
import { appendFileSync, readFileSync } from 'node:fs';
const note = (text) => appendFileSync(${JSON.stringify(file)}, text + '\\n');
export const handlers = {
  act: {
    async run(input, { idempotencyKey: key, attempt }) {
      note('began ' + attempt);
      if (!readFileSync(${JSON.stringify(file)}, 'utf8').includes('made ' + key)) note('made ' + key);
      if (attempt === 1) await new Promise(() => {});
      return input;
    },
  },
};
export const compensators = { undo: { run: ({ idempotencyKey: key }) => note('undone ' + key) } };
`;

describe.skipIf(find() === undefined)('runs of workflows that are disturbed', () => {
  let there: TestServer;
  const world = createWorld();
  const children: ChildProcess[] = [];
  beforeAll(async () => {
    there = await openTestServer();
    await there.work('world', world.registry);
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await there.stop();
  });

  it('are cancelled in the middle of an effect, and undone', async () => {
    const workflow = flow({
      nodes: [effect('a'), effect('b', { seconds: 60 })],
      edges: chain('a', 'b'),
      policies: { saga: { compensation: { ...SAGA.compensation, triggers: ['onCancel'] } } },
    });
    const stop = new AbortController();
    const options = { runId: 'cancelled', unchecked: true, signal: stop.signal };
    const going = runThere(there, 'world', workflow, 1, options);
    while (!world.calls.includes('b')) await sleep(50);
    stop.abort(new Error('enough'));
    const { result, entries } = await going;
    expect(result).toMatchObject({ status: 'COMPENSATED', error: { code: 'Cancelled' } });
    expect(result.undone.map(({ nodeId }) => nodeId)).toEqual(['a', 'b']);
    expect(entries.find(({ eventType }) => eventType === 'Cancel')?.payload).toMatchObject({
      reason: 'enough',
    });
  });

  it('are cancelled on the page of the server, and undone', async () => {
    const workflow = flow({
      nodes: [effect('c'), { ...plain('d'), approval: 'never' }],
      edges: chain('c', 'd'),
      policies: { saga: { compensation: { ...SAGA.compensation, triggers: ['onCancel'] } } },
    });
    const options = { runId: 'terminated', unchecked: true };
    const waiting = await runThere(there, 'world', workflow, 1, options);
    expect(waiting.result.status).toBe('WAITING');
    await there.client.workflow.getHandle('terminated').cancel();
    const { result } = await runThere(there, 'world', workflow, 1, { ...options, stay: true });
    expect(result).toMatchObject({ status: 'COMPENSATED' });
  });

  it('wait for approvals until they come, or until it is too late', async () => {
    const workflow = (seconds: number) =>
      flow({
        nodes: [{ ...plain('d'), approval: 'go', policyRef: 'wait' }],
        policies: { wait: { wait: { seconds } } },
      });
    const options = { unchecked: true, runId: 'approved' };
    const before = await runThere(there, 'world', workflow(600), 1, options);
    expect(before.result.status).toBe('WAITING');
    const address = formatAddress(there.address('world'));
    const approve = (run: string, name: string) =>
      postMessageAt(address, run, { kind: 'approve', data: { name, by: 'Ada' } });
    await expect(approve('approved', 'goo')).rejects.toMatchObject({
      code: 'no_approval',
      message: expect.stringContaining('did you mean go?'),
    });
    await expect(approve('unknown', 'go')).rejects.toMatchObject({ code: 'no_run' });
    // Where no worker is there, it is answered and not waited for.
    const unserved = formatAddress(there.address('unserved'));
    const approval = { kind: 'approve', data: { name: 'go', by: 'Ada' } };
    await expect(postMessageAt(unserved, 'approved', approval)).rejects.toMatchObject({
      code: 'no_worker',
      message: expect.stringMatching(
        /^nothing was sent: no worker polls this queue; start one: alas-jssp-temporal worker /,
      ),
    });
    const signal = { kind: 'signal', data: { name: 'news', data: 1 } };
    await expect(postMessageAt(address, 'approved', signal)).rejects.toMatchObject({
      code: 'no_signal',
    });
    const words = ['log', 'approve', address, 'approved', 'go', '--by', 'Ada'];
    const { stderr } = await promisify(execFile)(process.execPath, [ALAS_JSSP, ...words]);
    expect(stderr).toContain('approved: go is approved by Ada');
    const { result } = await runThere(there, 'world', workflow(600), 1, { ...options, stay: true });
    expect(result).toMatchObject({ status: 'COMPLETED', output: 2 });
    await expect(approve('approved', 'go')).rejects.toMatchObject({ code: 'run_ended' });
    const late = { ...options, runId: 'late', stay: true };
    const tooLate = await runThere(there, 'world', workflow(1), 1, late);
    expect(tooLate.result).toMatchObject({ status: 'FAILED', error: { code: 'WaitTimeout' } });
  });

  it('stay open in doubt until it is settled', async () => {
    const workflow = flow({
      nodes: [{ ...effect('i', { seconds: 8, deaf: true }), effect: 'irreversible' }],
      policies: { saga: { timeout: { seconds: 1 }, lateAnswer: { seconds: 1 } } },
    });
    const options = { unchecked: true, runId: 'doubt' };
    const { result } = await runThere(there, 'world', workflow, 1, options);
    expect(result).toMatchObject({ status: 'IN_DOUBT', inDoubt: [{ nodeId: 'i' }] });
    const data = { nodeId: 'i', happened: false, by: 'Ada' };
    await there.client.workflow.getHandle('doubt').signal('message', { kind: 'settle', data });
    await expect(there.client.workflow.getHandle('doubt').result()).rejects.toThrow('Workflow');
    const settled = await runThere(there, 'world', workflow, 1, options);
    expect(settled.result).toMatchObject({ status: 'FAILED', inDoubt: [] });
  });

  it('refuse an id that another workflow has, and an input that does not fit', async () => {
    const one = flow({ nodes: [plain('a')] });
    await runThere(there, 'world', one, 1, { runId: 'taken', unchecked: true });
    await expect(
      runThere(there, 'world', one, 2, { runId: 'taken', unchecked: true }),
    ).rejects.toMatchObject({
      code: 'run_exists',
    });
    const other = flow({ nodes: [plain('b')] });
    await expect(
      runThere(there, 'world', other, 1, { runId: 'taken', unchecked: true }),
    ).rejects.toMatchObject({
      code: 'run_exists',
    });
    const typed = flow({ nodes: [plain('a')], io: { input: { type: 'string' } } });
    await expect(
      runThere(there, 'world', typed, 1, { runId: 'unfit', unchecked: true }),
    ).rejects.toMatchObject({
      code: 'bad_input',
    });
  });

  it('go on elsewhere when a worker is killed in the middle of an effect', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'alas-killed-'));
    const outside = join(folder, 'outside.txt');
    const module = join(folder, 'handlers.mjs');
    writeFileSync(outside, '');
    writeFileSync(module, MODULE(outside));
    const address = formatAddress(there.address('killed'));
    const start = () => {
      const words = [CLI, 'worker', '--address', address, '--slots', '1', '--handlers', module];
      const child = spawn(process.execPath, words, { stdio: 'ignore' });
      children.push(child);
      return child;
    };
    const first = start();
    const task = { id: 'act', type: 'task', effect: 'compensable', policyRef: 'saga' };
    const workflow = flow({ nodes: [task], policies: { saga: SAGA } });
    const options = { runId: 'killed', leaseSeconds: 2, unchecked: true };
    const going = runThere(there, 'killed', workflow, 5, options);
    for (let k = 0; k < 600 && !readFileSync(outside, 'utf8').includes('made'); k++) {
      await sleep(50);
    }
    first.kill('SIGKILL');
    start();
    const { result, entries } = await going;
    expect(result).toMatchObject({ status: 'COMPLETED', output: 5, inDoubt: [] });
    expect(entries.map(({ eventType }) => eventType)).toEqual([
      ...['StartRun', 'StartNode', 'Register', 'StartNode', 'EndNode', 'EndRun'],
    ]);
    expect(readFileSync(outside, 'utf8').match(/made/g)).toHaveLength(1);
  });

  it('have the same logs as in one process, whatever they are', async () => {
    const numRuns = Number(process.env.ALAS_JSSP_TEMPORAL_RUNS ?? 30);
    const seed = Number(process.env.ALAS_JSSP_TEMPORAL_SEED ?? Date.now() % 2 ** 31);
    const drawn = fc.sample(arbitraryWorkflow, { numRuns, seed });
    let compared = 0;
    const compare = async (one: (typeof drawn)[number], k: number) => {
      // Seconds become hundredths: the server's clock cannot be turned.
      const workflow = hasty(one);
      const all = { runId: `random-${k}`, unchecked: true };
      const input = { list: [1, 2] };
      const [here, far] = await Promise.all([
        runHere(createWorld().registry, workflow, input, all),
        runThere(there, 'world', workflow, input, { ...all, stay: true }),
      ]);
      expect(far.result.status).not.toBe('WAITING');
      if (!isSequential(workflow)) return;
      compared++;
      const about = `workflow ${k} of seed ${seed}`;
      expect(far.result.status, about).toBe(here.result.status);
      expect(comparable(far.entries), about).toEqual(comparable(here.entries));
    };
    for (let k = 0; k < numRuns; k += AT_A_TIME) {
      await Promise.all(drawn.slice(k, k + AT_A_TIME).map((one, i) => compare(one, k + i)));
    }
    expect(compared).toBeGreaterThan(numRuns / 10);
  });
});

/** A workflow in which nothing takes long, and nothing times out. */
function hasty<T>(workflow: T): T {
  const text = JSON.stringify(workflow, (key, value) => {
    if (key === 'timeout') return { seconds: '60' };
    if (key === 'seconds' && typeof value === 'number') return value / 100;
    return key === 'base' ? 0.01 : value;
  });
  return JSON.parse(text.replaceAll('"60"', '60')) as T;
}

/** Whether one thing happens after the other: what fails first does not depend on who is faster. */
function isSequential({
  nodes,
  edges,
}: {
  nodes: readonly unknown[];
  edges: readonly unknown[];
}): boolean {
  const ids = (nodes as { id: string; type: string; items?: string; body?: never }[]).filter(
    ({ id }) => id !== 'mend',
  );
  const pairs = new Set(
    (edges as { from: string; to: string }[]).map(({ from, to }) => `${from} ${to}`),
  );
  const chained = ids.every(({ id }, k) => k === 0 || pairs.has(`${ids[k - 1].id} ${id}`));
  return (
    chained &&
    ids.every(({ type, items, body }) => {
      if (type === 'parallel' || items !== undefined) return false;
      return type !== 'map' || isSequential(body as never);
    })
  );
}
