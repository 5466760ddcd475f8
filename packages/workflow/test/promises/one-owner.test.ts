import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { virtualClock } from '@alas-jssp/core/virtual-clock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type Clock,
  compensateRun,
  createMemoryStore,
  openSqliteStore,
  resumeRun,
  verifyLog,
} from '../../src/index.js';
import {
  countOf,
  createOutside,
  nodesThere,
  program,
  runUnchecked as runWorkflow,
  SAGA,
  step,
} from './outside.js';

const start = promisify(execFile);
const PROCESS = new URL('./owner-process.mjs', import.meta.url).pathname;
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'owners-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function begin() {
  const [store, clock, world] = [createMemoryStore(), virtualClock(), createOutside(false)];
  return { store, clock, world, options: { store, clock, runId: 'run', registry: world.registry } };
}

/** A run that waits for an approval, so that there is something to resume. */
const guarded = program([step('before'), step('charge', { after: 1 }, { approval: 'go' })]);

test('two that resume one run at once charge once and end it once', async () => {
  const { store, world, options } = begin();
  expect((await runWorkflow(guarded, 0, options)).status).toBe('WAITING');
  const approved = { ...options, approvals: { go: 'Ann' } };
  const results = await Promise.all([
    resumeRun(store, 'run', approved),
    resumeRun(store, 'run', approved),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED']);
  expect(world.calls).toEqual(['before', 'charge']);
  expect(countOf(store, 'run', 'EndRun')).toBe(1);
});

test('compensating a live run undoes it once, and nothing runs after what was undone', async () => {
  const { store, clock, world, options } = begin();
  const workflow = program([
    step('a', { after: 1 }),
    step('b', { after: 1 }),
    step('c', { after: 1 }),
  ]);
  const running = runWorkflow(workflow, 0, options);
  await clock.sleep(2500);
  const compensated = await compensateRun(store, 'run', 'Ann', options);
  const first = await running;
  expect(compensated.status).toBe('COMPENSATED');
  expect(first.status).toBe('COMPENSATED');
  expect(nodesThere(world)).toEqual([]);
  const undos = world.calls.filter((call) => call.startsWith('undo'));
  expect(new Set(undos).size).toBe(undos.length);
  const lastStep = world.calls.findLastIndex((call) => !call.startsWith('undo'));
  expect(lastStep).toBeLessThan(world.calls.indexOf(undos[0]));
  expect(countOf(store, 'run', 'EndRun')).toBe(1);
});

test('runWorkflow with the id of a live run joins it, and of one that ended returns its result', async () => {
  const { world, options } = begin();
  const workflow = program([step('a', { after: 1 }), step('b', { after: 1 })]);
  const both = await Promise.all([
    runWorkflow(workflow, 0, options),
    runWorkflow(workflow, 0, options),
  ]);
  const third = await runWorkflow(workflow, 0, options);
  expect([...both, third].map(({ status }) => status)).toEqual(Array(3).fill('COMPLETED'));
  expect(world.calls).toEqual(['a', 'b']);
});

test('runWorkflow with the id of a run of another input or workflow is refused', async () => {
  const { options, world } = begin();
  await runWorkflow(program([step('a')]), 0, options);
  const other = { code: 'run_exists' };
  await expect(runWorkflow(program([step('a')]), 1, options)).rejects.toMatchObject(other);
  await expect(runWorkflow(program([step('b')]), 0, options)).rejects.toMatchObject(other);
  expect(world.calls).toEqual(['a']);
});

test('the second caller can learn the owner of the run', async () => {
  const { store, clock, options } = begin();
  const workflow = program([step('a', { after: 5 })]);
  const running = runWorkflow(workflow, 0, { ...options, owner: 'first', isGone: () => false });
  await clock.sleep(1000);
  const view = { ...store };
  const second = resumeRun(view, 'run', {
    ...options,
    owner: 'second',
    isGone: () => false,
    whenOwned: 'refuse',
  });
  await expect(second).rejects.toMatchObject({ code: 'run_owned' });
  await expect(second).rejects.toThrow(/first until 1970-01-01T00:00:/);
  expect((await running).status).toBe('COMPLETED');
});

test('who comes second waits until the run has ended, and is given its result', async () => {
  const { store, clock, world, options } = begin();
  const workflow = program([step('a', { after: 100 })]);
  const running = runWorkflow(workflow, 0, { ...options, owner: 'first', isGone: () => false });
  await clock.sleep(1000);
  const second = await resumeRun({ ...store }, 'run', {
    ...options,
    owner: 'second',
    isGone: () => false,
  });
  expect(second.status).toBe('COMPLETED');
  expect((await running).status).toBe('COMPLETED');
  expect(world.calls).toEqual(['a']);
});

test('an owner whose lease has ended stops when another has taken the run over', async () => {
  const { store, clock, world, options } = begin();
  // It sleeps while it should renew its lease.
  const sleepy: Clock = {
    now: clock.now,
    sleep: (milliseconds, signal) =>
      milliseconds === 10_000 ? new Promise(() => {}) : clock.sleep(milliseconds, signal),
  };
  const workflow = program([step('a', { after: 50 }), step('b')]);
  const first = runWorkflow(workflow, 0, {
    ...options,
    store: { ...store },
    clock: sleepy,
    owner: 'first',
    isGone: () => false,
  });
  await clock.sleep(1000);
  const second = resumeRun(store, 'run', { ...options, owner: 'second', isGone: () => false });
  const results = await Promise.all([first, second]);
  expect(results.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED']);
  // The second could not know that the first was still at it; both asked under one key.
  expect(world.calls).toEqual(['a', 'a', 'b']);
  expect(countOf(store, 'run', 'EndRun')).toBe(1);
  expect(verifyLog(store).valid).toBe(true);
});

test('an owner that ends before it says so in the log hides none that is still at work', async () => {
  const { store, clock, world, options } = begin();
  const isGone = (owner: string) => owner === 'second';
  // The first cannot renew its lease, and its handler does not stop.
  const first = { ...options, store: { ...store, renew: () => true }, owner: 'first', isGone };
  const policies = { once: { ...SAGA, timeout: { seconds: 5 } } };
  const slow = step('a', { after: 200, deaf: true }, { policyRef: 'once' });
  const running = runWorkflow(program([slow], { policies }), 0, first);
  // Its time is up, and an overdue answer is awaited.
  await clock.sleep(8000);
  const request = { runId: 'run', owner: 'second', now: 40_000, until: 70_000, isGone };
  expect(store.acquire(request).status).toBe('owned');
  const third = await resumeRun(store, 'run', { ...options, owner: 'third', isGone });
  expect(third).toMatchObject({ status: 'IN_DOUBT', inDoubt: [{ nodeId: 'a', attempts: [1] }] });
  await running;
  await clock.sleep(300_000);
  const last = await resumeRun(store, 'run', options);
  expect(last).toMatchObject({ status: 'COMPENSATED', inDoubt: [], remaining: [] });
  expect(nodesThere(world)).toEqual([]);
});

test('two processes that want one run in one file call its handlers once', async () => {
  const file = join(directory, 'log.sqlite');
  const world = join(directory, 'world.log');
  const own = () => start(process.execPath, [PROCESS, file, world, 'run']);
  const both = await Promise.all([own(), own()]);
  expect(both.map(({ stdout }) => stdout)).toEqual(['COMPLETED\n', 'COMPLETED\n']);
  expect(readFileSync(world, 'utf8').trim().split('\n')).toEqual(['a', 'b', 'c']);
  const store = openSqliteStore(file, { mode: 'read' });
  expect(countOf(store, 'run', 'EndRun')).toBe(1);
  expect(verifyLog(store).valid).toBe(true);
  store.close();
});

test('three runs of the command line share one log without loss', async () => {
  const file = join(directory, 'log.sqlite');
  const args = (out: string) => [
    ...['bin/alas-jssp.js', 'run', '--suite', 'ft,la01', '--quiet', '--workers', '1'],
    ...['--log', file, '--out', join(directory, out)],
  ];
  const outs = ['one', 'two', 'three'];
  await Promise.all(outs.map((out) => start(process.execPath, args(out))));
  for (const out of outs) {
    const text = readFileSync(join(directory, out, 'records.jsonl'), 'utf8').trim();
    const records = text.split('\n').map((line) => JSON.parse(line));
    expect(records.map(({ instance }) => instance)).toEqual(['ft06', 'ft10', 'ft20', 'la01']);
    expect(records.map(({ error }) => error ?? null)).toEqual(Array(4).fill(null));
  }
});
