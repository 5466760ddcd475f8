import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { InputError } from '@alas-jssp/core/errors';
import { openSqliteStore, verifyLog } from '@alas-jssp/workflow';
import { afterEach, describe, expect, it } from 'vitest';
import { createMemoryBlobs } from '../../src/guard/blob-store.js';
import { type Guard, openGuard, type ToolRulesDraft } from '../../src/index.js';
import { createWorld, open, RULES, SERVER } from './records.js';

const opened: Guard[] = [];
afterEach(async () => {
  for (const guard of opened.splice(0)) await guard.close().catch(() => {});
});
const started = async (...given: Parameters<typeof open>): Promise<Guard> => {
  const guard = await open(...given);
  opened.push(guard);
  return guard;
};

/** Rules without a look at the state. */
const BLIND: Readonly<Record<string, ToolRulesDraft>> = {
  ...RULES,
  add: { access: 'change', inverse: { tool: 'remove', input: { id: 'output.id' } } },
};

describe('a session', () => {
  it('keeps what is committed, and takes the rest back last first', async () => {
    const world = createWorld();
    const guard = await started(world);
    const first = await guard.call('add', { text: 'a' });
    expect(first).toMatchObject({ status: 'done', call: 1, message: 'done' });
    expect(await guard.commit()).toMatchObject({ status: 'committed', inDoubt: [] });
    await guard.call('add', { text: 'b' });
    const [record] = world.records();
    await guard.call('set', { id: record.id, text: 'c' });
    await guard.call('set', { id: record.id, text: 'd' });
    expect(world.texts()).toEqual(['d', 'b']);
    const report = await guard.abort('no longer wanted');
    expect(report).toMatchObject({ status: 'taken-back', remaining: [], inDoubt: [] });
    expect(report.calls.map(({ status }) => status)).toEqual(['undone', 'undone', 'undone']);
    expect(world.texts()).toEqual(['a']);
    const store = openSqliteStore(world.log);
    expect(verifyLog(store)).toMatchObject({ valid: true });
    store.close();
  });

  it('undoes an inverse that needs the output of the call', async () => {
    const world = createWorld();
    const guard = await started(world, [], {}, BLIND);
    await guard.call('add', { text: 'a' });
    await guard.call('add', { text: 'b' });
    await guard.abort('test');
    expect(world.texts()).toEqual([]);
  });

  it('refuses tools without rules, names that it does not know, and inputs that are no objects', async () => {
    const world = createWorld();
    const guard = await started(world);
    expect(guard.tools.map(({ name }) => name)).not.toContain('peek');
    expect(guard.refusedTools.map(({ name }) => name)).toEqual(['records_guard_status', 'peek']);
    for (const [name, input] of [
      ['peek', {}],
      ['nothing', {}],
      ['guard_status', {}],
      ['add', 3],
    ] as const) {
      expect(await guard.call(name, input)).toMatchObject({ status: 'refused', call: null });
    }
    expect(world.texts()).toEqual([]);
  });

  it('does not believe a server that calls a change a read, unless the policy does', async () => {
    const world = createWorld();
    const trusting = world.policy();
    const { records } = trusting.servers as Record<string, object>;
    const guard = await openGuard({
      log: world.log,
      policy: { ...trusting, servers: { records: { ...records, unknown: 'trust-reads' } } },
    });
    opened.push(guard);
    expect(guard.tools.map(({ name }) => name)).toContain('peek');
    expect(guard.refusedTools.map(({ name }) => name)).toEqual(['records_guard_status']);
  });

  it('refuses a tool whose definition has changed since its rules were written', async () => {
    const world = createWorld();
    const rules = { ...RULES, add: { ...RULES.add, definition: '0'.repeat(64) } };
    const guard = await started(world, [], {}, rules);
    const answer = await guard.call('add', { text: 'a' });
    expect(answer).toMatchObject({
      status: 'refused',
      message: expect.stringContaining('definition has changed'),
    });
  });
});

describe('a call without an answer', () => {
  it('is in doubt, is not made again, and is settled by its late answer', async () => {
    const world = createWorld();
    const rules = { ...BLIND, add: { ...BLIND.add, timeoutSeconds: 0.2 } };
    const guard = await started(world, ['add=act-wait'], {}, rules);
    const input = { text: 'a' };
    expect(await guard.call('add', input)).toMatchObject({ status: 'in-doubt', call: 1 });
    expect(await guard.call('add', input)).toMatchObject({
      status: 'in-doubt',
      call: 1,
      repeated: true,
    });
    expect(await guard.commit()).toMatchObject({ status: 'open', inDoubt: [1] });
    world.openGate();
    while ((await guard.statusOf(1)).status !== 'done') await sleep(10);
    expect(world.texts()).toEqual(['a']);
    expect(await guard.commit()).toMatchObject({ status: 'committed' });
  });

  it('is looked for by its check: there, and not there', async () => {
    const there = createWorld();
    const found = await started(there, ['add=die-after']);
    expect(await found.call('add', { text: 'a' })).toMatchObject({
      status: 'done',
      message: expect.stringContaining('the answer was lost'),
    });
    expect(there.texts()).toEqual(['a']);
    expect(await found.abort('test')).toMatchObject({ status: 'taken-back' });
    expect(there.texts()).toEqual([]);

    const gone = createWorld();
    const missed = await started(gone, ['add=die-before']);
    expect(await missed.call('add', { text: 'a' })).toMatchObject({ status: 'refused' });
    expect(await missed.call('add', { text: 'a' })).toMatchObject({ status: 'done', call: 2 });
    expect(await missed.abort('test')).toMatchObject({ status: 'taken-back' });
    expect(gone.texts()).toEqual([]);
  });

  it('stays in doubt and is listed where nothing can be looked for', async () => {
    const world = createWorld();
    const guard = await started(world, ['add=die-after'], {}, BLIND);
    expect(await guard.call('add', { text: 'a' })).toMatchObject({ status: 'in-doubt', call: 1 });
    await guard.call('add', { text: 'b' });
    const report = await guard.abort('test');
    expect(report).toMatchObject({ status: 'in-doubt', inDoubt: [1], remaining: [] });
    expect(world.texts()).toEqual(['a']);
  });

  it('does not act after an abort: its server is ended first', async () => {
    const world = createWorld();
    const rules = { ...RULES, add: { ...RULES.add, timeoutSeconds: 3 } };
    const guard = await started(world, ['add=wait-act'], {}, rules);
    expect(await guard.call('add', { text: 'a' })).toMatchObject({ status: 'in-doubt' });
    const report = await guard.abort('test');
    expect(report).toMatchObject({ inDoubt: [], remaining: [] });
    world.openGate();
    await sleep(100);
    expect(world.texts()).toEqual([]);
  });

  it('of a server that never answers is in doubt, and does not hold the abort up', async () => {
    const world = createWorld();
    const guard = await started(world, ['add=hang'], {}, BLIND);
    const called = guard.call('add', { text: 'a' });
    await world.called();
    const report = await guard.abort('test');
    expect(report).toMatchObject({ status: 'in-doubt', inDoubt: [1] });
    expect(await called).toMatchObject({ status: 'in-doubt', call: 1 });
  });
});

describe('a read without an answer', () => {
  it('is over after the time of the policy', async () => {
    const world = createWorld();
    const guard = await started(world, ['find=hang'], { timeoutSeconds: 0.2 });
    expect(await guard.call('find', { text: 'a' })).toMatchObject({
      status: 'refused',
      message: expect.stringContaining('took longer than 0.2 s'),
    });
  });
});

describe('a log that cannot be written', () => {
  it('refuses calls, which can be made later, and does not keep the guard open', async () => {
    const world = createWorld();
    const store = openSqliteStore(world.log);
    let isFull = false;
    const post: typeof store.post = (message) => {
      if (isFull) throw new InputError('full', 'the disk is full', 'make room');
      return store.post(message);
    };
    const log = { store: { ...store, post }, blobs: createMemoryBlobs() };
    const guard = await openGuard({ log, policy: world.policy() });
    await guard.call('add', { text: 'a' });
    isFull = true;
    expect(await guard.call('add', { text: 'b' })).toMatchObject({ status: 'refused' });
    isFull = false;
    expect(await guard.call('add', { text: 'b' })).toMatchObject({ status: 'done' });
    isFull = true;
    await expect(guard.close()).rejects.toThrow('the disk is full');
    store.close();
  });
});

describe('requests to end a session at the same time', () => {
  it('end it once, and leave the next session alone', async () => {
    const world = createWorld();
    const guard = await started(world);
    await guard.call('add', { text: 'a' });
    const ends = [guard.abort('first'), guard.abort('second'), guard.commit()];
    const next = Promise.race(ends).then(async () => {
      for (;;) {
        const { status } = await guard.call('add', { text: 'b' });
        if (status === 'done') return;
        await sleep(1);
      }
    });
    const reports = await Promise.all(ends);
    await next;
    expect(new Set(reports.map(({ status }) => status))).toEqual(new Set(['taken-back']));
    expect((await guard.status()).calls).toHaveLength(1);
    expect(await guard.commit()).toMatchObject({ status: 'committed' });
    expect(world.texts()).toEqual(['b']);
    const sessions = (await guard.close()).map(({ session }) => session);
    expect(new Set(sessions).size).toBe(sessions.length);
  });
});

describe('a tool that lies', () => {
  it('answers with an error after it has acted: the check finds it, and it is taken back', async () => {
    const world = createWorld();
    const guard = await started(world, ['add=lie-error']);
    expect(await guard.call('add', { text: 'a' })).toMatchObject({ status: 'undone', call: 1 });
    expect(world.texts()).toEqual([]);
    expect(await guard.commit()).toMatchObject({ status: 'committed', inDoubt: [] });
  });

  it('is in doubt after an error without a check', async () => {
    const world = createWorld();
    const guard = await started(world, ['add=lie-error'], {}, BLIND);
    expect(await guard.call('add', { text: 'a' })).toMatchObject({ status: 'in-doubt' });
    expect(await guard.status()).toMatchObject({ status: 'open', inDoubt: [1] });
  });
});

describe('outputs', () => {
  it('that are huge lie beside the log, and come back whole', async () => {
    const world = createWorld();
    const guard = await started(world, ['add=huge:3000000'], {}, BLIND);
    const first = await guard.call('add', { text: 'a' }, { requestKey: 'k' });
    expect(JSON.stringify(first.result).length).toBeGreaterThan(3_000_000);
    const again = await guard.call('add', { text: 'a' }, { requestKey: 'k' });
    expect(again).toMatchObject({ repeated: true, call: 1 });
    expect(again.result).toEqual(first.result);
    expect(await guard.abort('test')).toMatchObject({ status: 'taken-back' });
  });

  it('that are no messages are skipped', async () => {
    const world = createWorld();
    const guard = await started(world, ['add=noise']);
    expect(await guard.call('add', { text: 'a' })).toMatchObject({ status: 'done' });
  });
});

describe('a guard without tools that change something', () => {
  it('lets reads through, and refuses the rest', async () => {
    const world = createWorld();
    const guard = await started(world, [], {}, { find: { access: 'read' } });
    expect(await guard.call('find', { text: 'a' })).toMatchObject({ status: 'done', call: null });
    expect(await guard.call('add', { text: 'a' })).toMatchObject({ status: 'refused' });
    expect(await guard.commit()).toMatchObject({ status: 'committed', calls: [] });
    await guard.call('find', { text: 'a' });
    expect(await guard.abort('test')).toMatchObject({ status: 'taken-back', calls: [] });
  });
});

describe('several servers', () => {
  it('start beside each other', async () => {
    const world = createWorld();
    const mark = `${world.file}.begun`;
    const shell = (script: string) => ({
      command: ['sh', '-c', `${script}; exec "$0" "$1" "$2"`, process.execPath, SERVER, world.file],
    });
    const guard = await openGuard({
      log: world.log,
      policy: {
        ...world.policy(),
        servers: {
          patient: shell(`until [ -e '${mark}' ]; do sleep 0.05; done`),
          quick: shell(`: > '${mark}'`),
        },
      },
    });
    opened.push(guard);
    expect(guard.refusedTools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['patient_add', 'quick_add']),
    );
  });

  it('end if one of them does not start', async () => {
    const world = createWorld();
    const policy = world.policy();
    const broken = { command: [process.execPath, '-e', 'process.exit(3)'] };
    const servers = { ...policy.servers, broken };
    const options = { log: world.log, policy: { ...policy, servers } };
    await expect(openGuard(options)).rejects.toMatchObject({ code: 'no_server' });
    const left = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    expect(left).not.toContain(world.file);
  });
});
