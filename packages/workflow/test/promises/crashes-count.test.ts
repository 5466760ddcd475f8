import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { virtualClock } from '@alas-jssp/core/virtual-clock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createMemoryStore,
  type LogStore,
  openSqliteStore,
  resumeRun,
  stateOfRun,
} from '../../src/index.js';
import { createOutside, plainStep, program, runUnchecked as runWorkflow, step } from './outside.js';

const PROCESS = new URL('./sending-process.mjs', import.meta.url).pathname;
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'kills-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('an irreversible step with one attempt is sent once by a run that is killed five times', async () => {
  const [log, world] = [join(directory, 'log.sqlite'), join(directory, 'world.log')];
  const linesOf = () =>
    existsSync(world) ? readFileSync(world, 'utf8').split('\n').length - 1 : 0;
  for (let kill = 0; kill < 5; kill++) {
    const child = spawn(process.execPath, [PROCESS, log, world, 'hang'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    await Promise.race([once(child.stdout, 'data'), ended]);
    // What sends prints first, and then never answers; who does not send ends by itself.
    await Promise.race([wait(50), ended]);
    child.kill('SIGKILL');
    await ended;
  }
  expect(linesOf()).toBe(1);
  const last = spawn(process.execPath, [PROCESS, log, world, 'end'], { stdio: 'inherit' });
  expect(await once(last, 'exit')).toEqual([0, null]);
  expect(linesOf()).toBe(1);
  const store = openSqliteStore(log, { mode: 'read' });
  expect(stateOfRun(store, 'run').end?.status).toBe('IN_DOUBT');
  store.close();
});

/** A store whose process dies when a node ends: it writes nothing any more. */
function dyingAtEndOf(store: LogStore, id: string): LogStore {
  let dead = false;
  const dying =
    <A extends unknown[], R>(act: (...given: A) => R) =>
    (...given: A): R => {
      if (dead) throw new Error('power cut');
      return act(...given);
    };
  return {
    ...store,
    post: dying(store.post),
    renew: dying(store.renew),
    release: dying(store.release),
    append: dying((entries, options) => {
      dead = entries.some(({ nodeId, eventType }) => nodeId === id && eventType === 'EndNode');
      if (dead) throw new Error('power cut');
      return store.append(entries, options);
    }),
  };
}

async function breakOff(workflow: ReturnType<typeof program>, id: string, keyed = false) {
  const [store, clock, world] = [createMemoryStore(), virtualClock(), createOutside(keyed)];
  const options = { clock, registry: world.registry };
  const dying = runWorkflow(workflow, 0, {
    ...options,
    runId: 'run',
    store: dyingAtEndOf(store, id),
  });
  await expect(dying).rejects.toThrow('power cut');
  return { store, world, options };
}

const once1 = { once: { retry: { maxAttempts: 1 } } };
const send = step('send', {}, { effect: 'irreversible', policyRef: 'once' });

test('what may or may not have been sent is in doubt, and is not sent again', async () => {
  const { store, world, options } = await breakOff(program([send], { policies: once1 }), 'send');
  const result = await resumeRun(store, 'run', options);
  expect(result).toMatchObject({ status: 'IN_DOUBT', error: { code: 'Interrupted' } });
  expect(result.inDoubt.map(({ nodeId }) => nodeId)).toEqual(['send']);
  expect(world.calls).toEqual(['send']);
});

test('an irreversible step without a policy of retries is at most once too', async () => {
  const workflow = program([step('send', {}, { effect: 'irreversible', policyRef: undefined })]);
  const { store, world, options } = await breakOff(workflow, 'send');
  expect((await resumeRun(store, 'run', options)).status).toBe('IN_DOUBT');
  expect(world.calls).toEqual(['send']);
});

test('attempts that broke off count: with two allowed a step is made twice', async () => {
  const workflow = program([step('send', {}, { effect: 'irreversible', policyRef: 'twice' })], {
    policies: { twice: { retry: { maxAttempts: 2 } } },
  });
  const { store, world, options } = await breakOff(workflow, 'send');
  const again = resumeRun(dyingAtEndOf(store, 'send'), 'run', options);
  await expect(again).rejects.toThrow('power cut');
  const result = await resumeRun(store, 'run', options);
  expect(result.status).toBe('IN_DOUBT');
  expect(world.calls).toEqual(['send', 'send']);
});

test('steps without effect are repeated at will, and those that know keys under their key', async () => {
  const workflow = program([plainStep('compute'), step('book')]);
  for (const id of ['compute', 'book']) {
    const { store, world, options } = await breakOff(workflow, id, true);
    expect((await resumeRun(store, 'run', options)).status).toBe('COMPLETED');
    expect([...world.there.values()]).toEqual([1]);
  }
});
