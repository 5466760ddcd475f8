import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { virtualClock } from '@alas-jssp/core/virtual-clock';
import { expect, test } from 'vitest';
import { createMemoryStore, type Workflow } from '../../src/index.js';
import {
  createOutside,
  fail,
  plainStep,
  program,
  runUnchecked as runWorkflow,
  SAGA,
  step,
} from './outside.js';

const PROCESS = new URL('./booking-process.mjs', import.meta.url).pathname;
const ROOM = {
  room: { ...SAGA, idempotencyKey: { template: 'room-7', scope: 'resource' } },
};

/** Books the room and goes on for so long, and then fails or not. */
function booking(after: number, failure?: string): Workflow {
  const end = failure === undefined ? { after } : { after, fail: failure };
  return program([step('book', { after: 1 }, { policyRef: 'room' }), plainStep('end', end)], {
    policies: ROOM,
  });
}

function begin() {
  const [store, clock, world] = [createMemoryStore(), virtualClock(), createOutside()];
  return { store, clock, world, options: { store, clock, registry: world.registry } };
}

test('a run does not build on the booking of another that is undone: it makes its own', async () => {
  const { clock, world, options } = begin();
  const first = runWorkflow(booking(20, 'Broken'), 0, { ...options, runId: 'one' });
  await clock.sleep(5000);
  const second = await runWorkflow(booking(1), 0, { ...options, runId: 'two' });
  expect((await first).status).toBe('COMPENSATED');
  expect(second.status).toBe('COMPLETED');
  expect([...world.there]).toEqual([['resource|room-7', 1]]);
  expect(world.calls.filter((call) => call !== 'end')).toEqual(['book', 'undo book', 'book']);
});

test('a run waits for the owner of a booking to complete, and is given its output', async () => {
  const { clock, world, options } = begin();
  const first = runWorkflow(booking(20), 0, { ...options, runId: 'one' });
  await clock.sleep(5000);
  const second = await runWorkflow(booking(1), 0, { ...options, runId: 'two' });
  expect((await first).status).toBe('COMPLETED');
  expect(second.status).toBe('COMPLETED');
  expect(clock.now()).toBeGreaterThanOrEqual(22_000);
  expect(world.calls.filter((call) => call === 'book')).toEqual(['book']);
});

test('a key that another run used with another input is refused', async () => {
  const { world, options } = begin();
  await runWorkflow(booking(1), { guest: 'Ann' }, { ...options, runId: 'one' });
  const second = await runWorkflow(booking(1), { guest: 'Bob' }, { ...options, runId: 'two' });
  expect(second.error?.code).toBe('IdempotencyCollision');
  expect(world.calls.filter((call) => call === 'book')).toEqual(['book']);
});

test('a key that a node of the same run used with another input is refused', async () => {
  const { options, world } = begin();
  const workflow = program(
    [
      step('one', {}, { policyRef: 'room', input: { a: 'input.a' } }),
      step('two', {}, { policyRef: 'room', input: { b: 'input.b' } }),
    ],
    { policies: ROOM },
  );
  const result = await runWorkflow(workflow, { a: 1, b: 2 }, { ...options, runId: 'run' });
  expect(result.error?.code).toBe('IdempotencyCollision');
  expect(world.calls).toEqual(['one', 'undo one']);
});

test('the wait for the booking of another run has an end', async () => {
  const { clock, options } = begin();
  const first = runWorkflow(booking(10_000), 0, { ...options, runId: 'one' });
  await clock.sleep(5000);
  const second = await runWorkflow(booking(1), 0, { ...options, runId: 'two' });
  expect(second.error?.code).toBe('ClaimTimeout');
  expect(clock.now()).toBe(65_000);
  expect((await first).status).toBe('COMPLETED');
});

test('a claim is found without reading the logs of other runs', async () => {
  const { store, options } = begin();
  for (let k = 0; k < 20; k++) {
    const other = program([step('other', {}, { policyRef: 'other' })], {
      policies: {
        other: { ...SAGA, idempotencyKey: { template: `room-1${k}`, scope: 'resource' } },
      },
    });
    await runWorkflow(other, k, { ...options, runId: `other-${k}` });
  }
  const read: string[] = [];
  const counting = {
    ...store,
    read: (query: Parameters<typeof store.read>[0]) => {
      read.push(query.runId);
      return store.read(query);
    },
    rows: (runId?: string) => (runId === undefined ? fail('ReadsAll') : store.rows(runId)),
  };
  await runWorkflow(booking(1), 0, { ...options, store: counting, runId: 'one' });
  expect(read.filter((runId) => runId !== 'one')).toEqual([]);
});

test('two processes that reserve one resource in one file reserve it once', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'rooms-'));
  const [log, world] = [join(directory, 'log.sqlite'), join(directory, 'world.log')];
  const own = (runId: string) =>
    promisify(execFile)(process.execPath, [PROCESS, log, world, runId]);
  const both = await Promise.all([own('one'), own('two')]);
  expect(both.map(({ stdout }) => stdout)).toEqual(['COMPLETED\n', 'COMPLETED\n']);
  expect(readFileSync(world, 'utf8')).toBe('booked\n');
  rmSync(directory, { recursive: true, force: true });
});
