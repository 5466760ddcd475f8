import { kill } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, systemClock } from '@alas-jssp/core/clock';
import { type LogStore, newOwner, openSqliteStore, settleEffect } from '@alas-jssp/workflow';
import { afterEach, describe, expect, it } from 'vitest';
import { type Guard, openGuard, recoverLog } from '../../src/index.js';
import { createWorld, RULES, type World } from './records.js';

const opened: Guard[] = [];
afterEach(async () => {
  for (const guard of opened.splice(0)) await guard.close().catch(() => {});
});

/** The limit of answers in these tests; no other wait is as long. */
const LIMIT = 7;

/** A clock whose waits of `LIMIT` seconds end only when the test says so. */
function heldClock(): Clock & { passLimits(): void } {
  const held = new Set<() => void>();
  return {
    now: systemClock.now,
    sleep(milliseconds, signal) {
      if (milliseconds !== LIMIT * 1000) return systemClock.sleep(milliseconds, signal);
      return new Promise((resolve, reject) => {
        held.add(resolve);
        signal?.addEventListener('abort', () => {
          held.delete(resolve);
          reject(signal.reason);
        });
      });
    },
    passLimits() {
      for (const pass of held) pass();
    },
  };
}

const SLOW = { ...RULES, add: { ...RULES.add, timeoutSeconds: 50 } };

async function guardWithLimits(world: World, modes: readonly string[], rules = SLOW) {
  const clock = heldClock();
  const policy = world.policy(modes, { timeoutSeconds: LIMIT }, rules);
  const guard = await openGuard({ log: world.log, policy, clock });
  opened.push(guard);
  return { guard, clock };
}

/** The entries of a session of some types. */
function entriesIn(world: World, ...eventTypes: ('CompensateFail' | 'Compensated' | 'Answer')[]) {
  const store = openSqliteStore(world.log);
  const found = [...store.read({ runId: 'guard-1', eventTypes })];
  store.close();
  return found;
}

/** The processes of servers that the log of the session names. */
function processesIn(store: LogStore): number[] {
  const [first] = store.read({ runId: 'guard-1', to: 0 });
  const { input } = (first as { payload: unknown }).payload as {
    input: { processes: { process: { pid: number } }[] };
  };
  const noted = [...store.read({ runId: 'guard-1', eventTypes: ['Signal'] })].flatMap(
    ({ payload }) => {
      const { name, data } = payload as { name: string; data: { process: { pid: number } } };
      return name === 'guard-process' ? [data.process.pid] : [];
    },
  );
  return [...input.processes.map(({ process }) => process.pid), ...noted];
}

function isAlive(pid: number): boolean {
  try {
    kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('an answer that is lost', () => {
  it('during an undo ends the server, and the undo is tried again', async () => {
    const world = createWorld();
    const { guard, clock } = await guardWithLimits(world, ['remove=hang']);
    await guard.call('add', { text: 'a' });
    const aborted = guard.abort('test');
    await world.called();
    expect(entriesIn(world, 'CompensateFail', 'Compensated')).toEqual([]);
    clock.passLimits();
    expect(await aborted).toMatchObject({ status: 'taken-back', inDoubt: [], remaining: [] });
    expect(world.texts()).toEqual([]);
    const entries = entriesIn(world, 'CompensateFail', 'Compensated');
    expect(entries.map(({ eventType }) => eventType)).toEqual(['CompensateFail', 'Compensated']);
    const store = openSqliteStore(world.log);
    const processes = processesIn(store);
    store.close();
    expect(processes.map(isAlive)).toEqual([false, true]);
  });

  it('to a call ends the server before the next change, which the call cannot overtake then', async () => {
    const world = createWorld();
    const rules = { ...RULES, add: { ...RULES.add, timeoutSeconds: LIMIT } };
    const { guard, clock } = await guardWithLimits(world, ['add=wait-act'], rules);
    const first = guard.call('add', { text: 'a' });
    await world.called();
    clock.passLimits();
    expect(await first).toMatchObject({ status: 'in-doubt', call: 1 });
    expect(await guard.call('add', { text: 'b' })).toMatchObject({ status: 'done', call: 2 });
    expect(await guard.statusOf(1)).toMatchObject({ status: 'refused' });
    const store = openSqliteStore(world.log);
    expect(processesIn(store).map(isAlive)).toEqual([false, true]);
    store.close();
    world.openGate();
    expect(await guard.commit()).toMatchObject({ status: 'committed', inDoubt: [] });
    expect(world.texts()).toEqual(['b']);
  });

  it('by a read after a call leaves the call in doubt, and the server as it is', async () => {
    const world = createWorld();
    const { guard, clock } = await guardWithLimits(world, ['find=hang']);
    const called = guard.call('add', { text: 'a' });
    await world.called();
    clock.passLimits();
    expect(await called).toMatchObject({ status: 'in-doubt', call: 1 });
    expect(await guard.statusOf(1)).toMatchObject({ status: 'done' });
    const store = openSqliteStore(world.log);
    expect(processesIn(store)).toHaveLength(1);
    store.close();
    expect(await guard.commit()).toMatchObject({ status: 'committed' });
  });

  it('by the client, as it came too late, is looked at all the same', async () => {
    const world = createWorld();
    const rules = { ...RULES, add: { ...RULES.add, timeoutSeconds: 2 } };
    const { guard } = await guardWithLimits(world, ['add=act-wait'], rules);
    expect(await guard.call('add', { text: 'a' })).toMatchObject({ status: 'in-doubt' });
    world.openGate();
    while (entriesIn(world, 'Answer').length === 0) await sleep(10);
    expect(entriesIn(world, 'Answer')).toMatchObject([{ payload: { output: { call: 1 } } }]);
    expect(await guard.commit()).toMatchObject({ status: 'committed', inDoubt: [] });
  });
});

/** A session that its guard has left, with one record. */
async function leftSession(): Promise<World> {
  const world = createWorld();
  const store = openSqliteStore(world.log);
  const broken: LogStore = {
    ...store,
    append(entries, options) {
      if (entries[0]?.eventType === 'Compensate') throw new Error('killed');
      return store.append(entries, options);
    },
  };
  const guard = await openGuard({ log: { store: broken }, policy: world.policy() });
  opened.push(guard);
  await guard.call('add', { text: 'a' });
  await guard.abort('test');
  expect(world.texts()).toEqual(['a']);
  store.close();
  return world;
}

describe('a session that its guard has left', () => {
  it('is taken back by one of two guards that start at once', async () => {
    const world = await leftSession();
    const start = () => openGuard({ log: world.log, policy: world.policy() });
    const both = await Promise.all([start(), start()]);
    opened.push(...both);
    const [report, ...others] = both.flatMap(({ recovered }) => recovered);
    expect(report).toMatchObject({ session: 'guard-1', status: 'taken-back' });
    expect(others).toEqual([]);
    expect(world.texts()).toEqual([]);
    const store = openSqliteStore(world.log);
    // One of its own guard, and one of the recovery.
    expect(processesIn(store)).toHaveLength(2);
    store.close();
  });

  it('keeps its processes if another guard became its owner in this moment', async () => {
    const world = await leftSession();
    const store = openSqliteStore(world.log);
    const now = systemClock.now();
    const until = now + 60_000;
    const owner = newOwner();
    const taken = store.acquire({ runId: 'guard-1', owner, now, until, isGone: () => false });
    expect(taken.status).toBe('owned');
    const late: LogStore = { ...store, leaseOf: () => undefined };
    const guard = await openGuard({ log: { store: late }, policy: createWorld().policy() });
    opened.push(guard);
    expect(guard.recovered).toEqual([]);
    expect(processesIn(store).map(isAlive)).toEqual([true]);
    expect(world.texts()).toEqual(['a']);
    await guard.close();
    store.close();
  });
});

describe('an undo without an answer, which may have acted', () => {
  const blind = {
    ...RULES,
    send: { access: 'irreversible', approval: false },
    add: { access: 'change', inverse: { tool: 'remove', input: { id: 'output.id' } } },
  } as const;

  /** A session whose only call is in doubt, because the answer of a tool is lost. */
  async function doubtful(mode: string, tool = 'add') {
    const world = createWorld();
    const policy = world.policy([mode], {}, blind);
    const guard = await openGuard({ log: world.log, policy });
    await guard.call(tool, tool === 'add' ? { text: 'a' } : { to: 'kim' });
    await guard.abort('test');
    await guard.close();
    const [report] = (await recoverLog(world.log, [])).reports;
    expect(report).toMatchObject({ status: 'in-doubt', inDoubt: [1], remaining: [] });
    const settle = (happened: boolean) => {
      const store = openSqliteStore(world.log);
      settleEffect(store, 'guard-1', report?.calls[0]?.nodeId ?? '', { happened, by: 'ann' });
      store.close();
    };
    return { world, settle };
  }

  it('is settled by a person who says that the effect is not there', async () => {
    const { world, settle } = await doubtful('remove=die-after');
    expect(world.texts()).toEqual([]);
    settle(false);
    expect((await recoverLog(world.log, [])).reports).toMatchObject([
      {
        status: 'taken-back',
        inDoubt: [],
        calls: [{ status: 'undone', message: 'ann says that it is not there' }],
      },
    ]);
    expect((await recoverLog(world.log, [])).reports).toEqual([]);
  });

  it('is tried once more if a person says that the effect is there', async () => {
    const { world, settle } = await doubtful('remove=die-before');
    expect(world.texts()).toEqual(['a']);
    settle(true);
    expect((await recoverLog(world.log, [])).reports).toMatchObject([
      { status: 'taken-back', inDoubt: [] },
    ]);
    expect(world.texts()).toEqual([]);
    expect((await recoverLog(world.log, [])).reports).toEqual([]);
  });

  it('is left to a person if the guard lacks what the undo needs', async () => {
    const { world, settle } = await doubtful('add=die-after');
    settle(true);
    // Nor does it forget what the person has said.
    for (const _ of [1, 2]) {
      expect((await recoverLog(world.log, [])).reports).toMatchObject([
        { status: 'incomplete', inDoubt: [], remaining: [1] },
      ]);
    }
    settle(false);
    expect((await recoverLog(world.log, [])).reports).toMatchObject([{ status: 'taken-back' }]);
    expect((await recoverLog(world.log, [])).reports).toEqual([]);
  });

  it('is listed as it is, if its tool is irreversible and needed no approval', async () => {
    const { world, settle } = await doubtful('send=die-after', 'send');
    settle(true);
    for (const _ of [1, 2]) {
      expect((await recoverLog(world.log, [])).reports).toMatchObject([
        { status: 'incomplete', inDoubt: [], remaining: [1] },
      ]);
    }
    settle(false);
    expect((await recoverLog(world.log, [])).reports).toMatchObject([{ status: 'taken-back' }]);
    expect((await recoverLog(world.log, [])).reports).toEqual([]);
  });
});
