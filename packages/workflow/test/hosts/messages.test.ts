import { hostname } from 'node:os';
import { isoTime } from '@alas-jssp/core/iso-time';
import { virtualClock } from '@alas-jssp/core/virtual-clock';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AuditableLog,
  approve,
  cancelRun,
  deny,
  type EventType,
  type Json,
  resumeRun,
  settleEffect,
  signalRun,
} from '../../src/index.js';
import { entriesOfMessages } from '../../src/interpreter/messages.js';
import { chain, createWorld, effect, flow, plain, runIn, SAGA } from '../interpreter/world.js';

const workflow = flow({
  nodes: [effect('pay'), { ...plain('ship'), approval: 'manager' }],
  edges: chain('pay', 'ship'),
  policies: { saga: SAGA },
  signals: { hurry: { type: 'object', properties: { days: { type: 'integer' } } } },
});

/** A run that waits for the approval `manager`. */
async function waiting() {
  const clock = virtualClock(1_000);
  const world = createWorld();
  const { store } = await runIn(workflow, 0, { clock, world });
  const resume = () => resumeRun(store, 'run', { registry: world.registry, clock });
  return { clock, world, store, resume };
}

const payloads = (store: AuditableLog, ...eventTypes: EventType[]): Json[] =>
  [...store.read({ runId: 'run', eventTypes })].map(({ payload }) => payload);

/** Makes an owner take the run. */
function own(store: AuditableLog, owner: string, until: number): void {
  const request = { runId: 'run', owner, now: 1_000, until, isGone: () => false };
  expect(store.acquire(request).status).toBe('owned');
}

describe('a message to a run without an owner', () => {
  test('is in its log at once, and the run is due for a worker', async () => {
    const { clock, store, resume, world } = await waiting();
    expect(approve(store, 'run', 'manager', 'kim', clock)).toEqual({ id: 1, delivered: true });
    const approvals = payloads(store, 'Approve');
    expect(approvals).toEqual([{ name: 'manager', by: 'kim', message: 1 }]);
    expect(store.leaseOf('run')).toMatchObject({ owner: null, wakeAt: clock.now(), taken: 1 });
    expect((await resume()).status).toBe('COMPLETED');
    expect(world.calls).toEqual(['pay', 'ship']);
  });

  test('cancels it: what it did is undone', async () => {
    const { clock, store, resume, world } = await waiting();
    cancelRun(store, 'run', { by: 'kim', reason: 'too dear' }, clock);
    const result = await resume();
    expect(result).toMatchObject({ status: 'COMPENSATED', error: { message: 'too dear' } });
    expect(world.standing.size).toBe(0);
  });

  test('may come from a process after the owner of the run was killed', async () => {
    const { clock, store } = await waiting();
    own(store, `${hostname()}/999999999/killed`, 1e12);
    expect(approve(store, 'run', 'manager', 'kim', clock).delivered).toBe(true);
    expect(store.leaseOf('run')).toMatchObject({ owner: null, quiet: true, wakeAt: clock.now() });
  });

  test('brings those with it that had not been taken', async () => {
    const { clock, store } = await waiting();
    const data = { name: 'hurry', data: { days: 1 } };
    store.post({ runId: 'run', ts: '2026-01-01T00:00:00.000Z', kind: 'signal', data });
    approve(store, 'run', 'manager', 'kim', clock);
    expect(payloads(store, 'Signal', 'Approve')).toMatchObject([
      { name: 'hurry', data: { days: 1 }, message: 1 },
      { name: 'manager', message: 2 },
    ]);
  });
});

test('a message to a run with an owner waits in its inbox', async () => {
  const { clock, store } = await waiting();
  own(store, 'elsewhere/1/alive', 1e12);
  const before = payloads(store).length;
  const delivery = deny(store, 'run', 'manager', 'kim', 'too late', clock);
  expect(delivery).toEqual({ id: 1, delivered: false });
  expect(payloads(store)).toHaveLength(before);
  const data = { name: 'manager', by: 'kim', reason: 'too late' };
  expect(store.messages('run', 0)).toMatchObject([{ id: 1, kind: 'deny', data }]);
});

describe('what a run cannot make sense of is refused before it is sent', () => {
  test('misspelt names', async () => {
    const { store } = await waiting();
    const refused = (code: string, words: string) =>
      expect.objectContaining({ code, message: expect.stringContaining(words) });
    const like = 'did you mean manager?';
    expect(() => approve(store, 'run', 'manger', 'kim')).toThrow(refused('no_approval', like));
    expect(() => deny(store, 'run', 'manger', 'k', 'no')).toThrow(refused('no_approval', like));
    const settle = () => settleEffect(store, 'run', 'pay', { happened: true, by: 'kim' });
    expect(settle).toThrow(refused('no_doubt', 'nothing is in doubt'));
    await expect(signalRun(store, 'run', { name: 'hury' })).rejects.toEqual(
      refused('no_signal', 'did you mean hurry?'),
    );
    expect(store.messages('run', 0)).toEqual([]);
  });

  test('data that do not fit the schema of the message', async () => {
    const { clock, store } = await waiting();
    const late = signalRun(store, 'run', { name: 'hurry', data: { days: 'two' } });
    await expect(late).rejects.toMatchObject({ code: 'bad_data' });
    expect(store.messages('run', 0)).toEqual([]);
    const signal = { name: 'hurry', data: { days: 2 }, by: 'kim' };
    const sent = await signalRun(store, 'run', signal, clock);
    expect(sent).toEqual({ id: 1, delivered: true });
    expect(payloads(store, 'Signal')).toEqual([{ ...signal, message: 1 }]);
  });

  test('runs that have ended, and runs that are not there', async () => {
    const { clock, store, resume } = await waiting();
    approve(store, 'run', 'manager', 'kim', clock);
    await resume();
    const ended = expect.objectContaining({ code: 'run_ended' });
    expect(() => approve(store, 'run', 'manager', 'kim')).toThrow(ended);
    expect(() => cancelRun(store, 'run', { by: 'kim', reason: 'no' })).toThrow(ended);
    await expect(signalRun(store, 'run', { name: 'hurry' })).rejects.toEqual(ended);
    const none = expect.objectContaining({ code: 'no_run' });
    expect(() => cancelRun(store, 'ran', { by: 'kim', reason: 'no' })).toThrow(none);
  });
});

describe('messages become entries', () => {
  const TS = '2026-01-02T03:04:05.678Z';
  const run = {
    runId: 'run',
    inbox: 0,
    effects: new Map([['pay', { nodeId: 'pay', status: 'held' as const }]]),
  };
  const name = fc.constantFrom('pay', 'other', '');
  const data = fc.record(
    {
      name: fc.oneof(name, fc.integer()),
      by: name,
      reason: name,
      nodeId: name,
      happened: fc.boolean(),
      attempt: fc.nat(3),
    },
    { requiredKeys: [] },
  );
  const kinds = ['signal', 'approve', 'deny', 'cancel', 'compensate', 'settle', 'answer', 'other'];
  const inbox = fc
    .array(fc.record({ kind: fc.constantFrom(...kinds), data: fc.oneof(data, fc.jsonValue()) }))
    .map((all) =>
      all.map((one, i) => ({ ...one, id: i + 1, runId: 'run', ts: TS, data: one.data as Json })),
    );

  test('once each and in order, however they are delivered', () => {
    const numbers = (entries: readonly { payload: Json }[]) =>
      entries.map(({ payload }) => (payload as { message: number }).message);
    fc.assert(
      fc.property(inbox, fc.nat(), (messages, cut) => {
        const atOnce = entriesOfMessages(run, messages, TS);
        const ids = numbers(atOnce);
        expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
        // Some are delivered again: those in the log are known by their numbers.
        const half = entriesOfMessages(run, messages.slice(0, cut % (messages.length + 1)), TS);
        const last = numbers(half).at(-1) ?? 0;
        const rest = entriesOfMessages({ ...run, inbox: last }, messages, TS);
        expect([...half, ...rest]).toEqual(atOnce);
      }),
    );
  });

  test('none of a run that has ended, but what is said of its effects', () => {
    const ended = { ...run, end: { status: 'IN_DOUBT' } };
    const data = { name: 'n', by: 'kim', reason: 'r', nodeId: 'pay', happened: true, attempt: 1 };
    const messages = kinds.map((kind, i) => ({ id: i + 1, runId: 'run', ts: TS, kind, data }));
    const types = entriesOfMessages(ended, messages, TS).map(({ eventType }) => eventType);
    expect(types).toEqual(['Trigger', 'Settle', 'Answer']);
  });

  test('no doubt is settled of what never began', () => {
    const data = { nodeId: 'other', happened: true, by: 'kim' };
    const message = { id: 1, runId: 'run', ts: TS, kind: 'settle', data };
    expect(entriesOfMessages(run, [message], TS)).toEqual([]);
  });
});

test('a message to a run reads what came since the last one, and not the whole log', async () => {
  const { clock, store } = await waiting();
  let entries = 0;
  const count = function* <T>(rows: Iterable<T>) {
    for (const row of rows) {
      entries++;
      yield row;
    }
  };
  const counting: AuditableLog = {
    ...store,
    read: (query) => count(store.read(query)),
    rows: (runId) => count(store.rows(runId)),
  };
  for (let k = 0; k < 200; k++) {
    await signalRun(counting, 'run', { name: 'hurry', data: { days: k } }, clock);
  }
  expect(entries).toBeLessThan(200 * 10);
  // Each of them is in the log, in order.
  const days = payloads(store, 'Signal').map(
    (signal) => (signal as { data: { days: number } }).data,
  );
  expect(days).toEqual(Array.from({ length: 200 }, (_, k) => ({ days: k })));
});

test('a message to a run whose last entry is another one than before is refused', async () => {
  const { clock, store } = await waiting();
  const hidden: { at: number | undefined } = { at: undefined };
  const change = (entry: { version: number | null; ts: string | null }) =>
    entry.version === hidden.at ? { ...entry, ts: '1999-01-01T00:00:00.000Z' } : entry;
  const changing = {
    ...store,
    *read(query: Parameters<typeof store.read>[0]) {
      for (const entry of store.read(query)) yield change(entry) as typeof entry;
    },
    *rows(runId?: string) {
      for (const row of store.rows(runId)) yield change(row) as typeof row;
    },
  };
  const send = () => signalRun(changing, 'run', { name: 'hurry', data: { days: 1 } }, clock);
  await send();
  const last = [...store.read({ runId: 'run' })].length;
  store.append([
    { ...[...store.read({ runId: 'run' })][last - 1], eventType: 'Resume', payload: {} },
  ]);
  hidden.at = last;
  await expect(send()).rejects.toMatchObject({ code: 'changed_log' });
});

describe('an approval that some people may give', () => {
  const limited = flow({
    nodes: [{ ...effect('pay'), approval: 'manager', policyRef: 'four-eyes' }],
    policies: { 'four-eyes': { ...SAGA, approvers: ['Ann', 'Bob'] } },
  });
  const begin = async () => {
    const [clock, world] = [virtualClock(1_000), createWorld()];
    const { store } = await runIn(limited, 0, { clock, world });
    const resume = () => resumeRun(store, 'run', { registry: world.registry, clock });
    return { clock, world, store, resume };
  };

  test('is refused from others, and names those who may', async () => {
    const { clock, store, resume } = await begin();
    const refusal = {
      code: 'not_approver',
      message: expect.stringContaining("kim may not decide about 'manager'"),
    };
    expect(() => approve(store, 'run', 'manager', 'kim', clock)).toThrow(
      expect.objectContaining(refusal),
    );
    expect(() => deny(store, 'run', 'manager', 'kim', 'no', clock)).toThrow(
      expect.objectContaining(refusal),
    );
    approve(store, 'run', 'manager', 'Bob', clock);
    expect((await resume()).status).toBe('COMPLETED');
  });

  test('does not count from others who put it into the inbox or the log by themselves', async () => {
    const { store, resume, world } = await begin();
    const data = { name: 'manager', by: 'kim' };
    store.post({ runId: 'run', ts: '1970-01-01T00:00:02.000Z', kind: 'approve', data });
    expect((await resume()).status).toBe('WAITING');
    const entry = {
      runId: 'run',
      ts: '1970-01-01T00:00:02.000Z',
      nodeId: '',
      correlationId: 'run',
    };
    store.append([{ ...entry, eventType: 'Approve', payload: data }]);
    expect((await resume()).status).toBe('WAITING');
    expect(world.calls).toEqual([]);
  });

  test('is refused before the run begins, if another one gives it then', async () => {
    const world = createWorld();
    const approvals = { manager: 'kim' };
    await expect(runIn(limited, 0, { world, approvals })).rejects.toMatchObject({
      code: 'not_approver',
    });
    const { result } = await runIn(limited, 0, { world, approvals: { manager: 'Ann' } });
    expect(result.status).toBe('COMPLETED');
  });
});

test('a name or a reason in a message has a greatest length', async () => {
  const { clock, store } = await waiting();
  const long = 'x'.repeat(1_000_000);
  expect(() => approve(store, 'run', 'manager', long, clock)).toThrow(
    expect.objectContaining({
      code: 'bad_message',
      message: expect.stringContaining('at most 200 characters'),
    }),
  );
  expect(() => cancelRun(store, 'run', { by: 'kim', reason: long }, clock)).toThrow(
    /at most 10000 characters/,
  );
  store.post({
    runId: 'run',
    ts: '1970-01-01T00:00:02.000Z',
    kind: 'approve',
    data: { name: 'manager', by: long },
  });
  approve(store, 'run', 'manager', 'kim', clock);
  expect(payloads(store, 'Approve')).toEqual([{ name: 'manager', by: 'kim', message: 2 }]);
});

test('a message that was sent too late stays late when the clock is put back before it is taken', async () => {
  const limited = flow({
    ...workflow,
    policies: { ...workflow.policies, wait: { wait: { seconds: 100 } } },
  });
  const nodes = limited.nodes.map((node) => ({ ...node, policyRef: 'wait' }));
  const [clock, world] = [virtualClock(1_000), createWorld()];
  const { store } = await runIn(flow({ ...limited, nodes }), 0, { clock, world });
  store.post({
    ...{ runId: 'run', kind: 'approve', ts: isoTime(1_000_000) },
    data: { name: 'manager', by: 'kim' },
  });
  const { error } = await resumeRun(store, 'run', { registry: world.registry, clock, stay: true });
  expect(error?.code).toBe('WaitTimeout');
});
