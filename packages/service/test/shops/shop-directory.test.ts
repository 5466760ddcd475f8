import { idleClock } from '@alas-jssp/core/clock';
import { InputError } from '@alas-jssp/core/errors';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { temporaryDirectory } from '../../../../test/temporary-directory.js';
import { createMemoryStore, type LogStore } from '../../../workflow/src/index.js';
import type { ChangeAnswer } from '../../src/api/shop-schemas.js';
import {
  dryRunSchema,
  movesSchema,
  outcomeSchema,
  shopStateSchema,
} from '../../src/api/shop-schemas.js';
import { openShopDirectory } from '../../src/shops/open-directory.js';
import type { KeyedCaller, ShopDirectory } from '../../src/shops/shop-directory.js';
import { createShopHost } from '../../src/shops/shop-host.js';
import { startShopThreads } from '../../src/shops/shop-threads.js';

const kim: KeyedCaller = { caller: { name: 'kim', role: 'decide' } };
const keyed = (key: string): KeyedCaller => ({ ...kim, key });
const asking = { approval: { seconds: 3600, otherwise: 'approve' } };
const down = (from: number, to = from + 60, machine = 'Machine3') => ({
  events: [{ kind: 'breakdown', machine, from, to }],
  now: from,
});

const opened: ShopDirectory[] = [];
async function open(options: Parameters<typeof openShopDirectory>[0] = {}) {
  const directory = await openShopDirectory(options);
  opened.push(directory);
  return directory;
}

afterEach(async () => {
  for (const directory of opened.splice(0)) await directory.stop();
});

/** Changes as far as one of a kind. */
async function changesUntil(
  directory: ShopDirectory,
  id: string,
  kind: ChangeAnswer['kind'],
  after?: string,
): Promise<ChangeAnswer[]> {
  const all: ChangeAnswer[] = [];
  const end = new AbortController();
  for await (const change of directory.changes(id, after, end.signal)) {
    all.push(change);
    if (change.kind === kind) break;
  }
  return all;
}

describe('the shops of a service', () => {
  it('are opened, receive events, are undone and closed, and publish their changes', async () => {
    const directory = await open();
    const made = await directory.create({ id: 'a', instance: 'ft06' }, kim);
    expect(made).toMatchObject({ id: 'a', instance: 'ft06', version: 1, status: 'open', now: 0 });
    const outcome = await directory.report('a', down(10), kim);
    expect(outcomeSchema.parse(outcome)).toEqual(outcome);
    expect(outcome).toMatchObject({ status: 'committed', version: 2, repeated: false });
    expect(outcome.moves.length + outcome.more).toBeGreaterThan(0);
    expect(outcome.moves[0].cause).toMatch(
      /^job \d+, step \d+ (waits|starts) .*machine 3 is down until 70$/,
    );
    expect((await directory.undo('a', { version: 1, now: 20 }, kim)).version).toBe(3);
    const state = await directory.state('a', { next: 1 });
    expect(shopStateSchema.parse(state)).toEqual(state);
    expect(state.machine_states).toHaveLength(6);
    expect(state.machine_states[3]).toMatchObject({ status: 'down', down_until: 70 });
    expect((await directory.close('a', kim)).status).toBe('closed');
    const changes = await changesUntil(directory, 'a', 'closed', '0');
    expect(changes.map(({ kind }) => kind)).toEqual(['committed', 'committed', 'closed']);
    expect(changes[0]).toMatchObject({ by: 'kim', role: 'decide', id: outcome.change });
    expect(await directory.list()).toMatchObject([{ id: 'a', status: 'closed' }]);
    await expect(directory.report('a', down(90), kim)).rejects.toMatchObject({
      code: 'shop_ended',
    });
  });

  it('withdraw and correct reports, whatever their clock, and say which can be', async () => {
    const directory = await open();
    await directory.create({ id: 'a', instance: 'ft06' }, kim);
    await directory.report('a', { events: [{ kind: 'cancellation', job: 'Job2' }], now: 5 }, kim);
    const withdrawn = await directory.withdraw('a', { version: 2, now: 6 }, kim);
    expect(withdrawn).toMatchObject({ status: 'committed', version: 3 });
    expect(withdrawn.lines[0]).toMatch(
      /^at 6 kim withdrew the report of version 2 \(job 2 was cancelled\); /,
    );
    expect((await directory.state('a')).operations).toBe(36);
    await directory.report('a', down(10), kim);
    const instead = [{ kind: 'breakdown', machine: 'Machine2', to: 20 }];
    const corrected = await directory.withdraw('a', { version: 4, instead, now: 12 }, kim);
    expect(corrected.lines[0]).toMatch(/; instead machine 2 broke down until 20; /);
    const { machine_states } = await directory.state('a');
    expect(machine_states.map(({ down_until }) => down_until)).toEqual([
      null,
      null,
      20,
      null,
      null,
      null,
    ]);
    const changes = await directory.lastChanges('a');
    const reports = changes.filter(({ report }) => report).map(({ version }) => version);
    expect(reports).toEqual([5, 4, 2]);
    await expect(directory.withdraw('a', { version: 4 }, kim)).rejects.toMatchObject({
      code: 'no_report',
      message:
        'the report of version 4 was withdrawn already, with version 5; report the current differences',
    });
  });

  it('list all moves of a version, a page at a time, also when it is long ago', async () => {
    const directory = await open();
    await directory.create(
      { id: 'a', instance: 'ta21', policy: { methods: ['right-shift'] } },
      kim,
    );
    const events = [{ kind: 'breakdown', machine: 'Machine3', from: 10, to: 900 }];
    const outcome = await directory.report('a', { events, now: 10 }, kim);
    expect(outcome.moves).toHaveLength(50);
    const pages = async () => {
      const all = [];
      for (let from: number | null = 0; from !== null; ) {
        const page = await directory.moves('a', 2, from);
        expect(movesSchema.parse(page)).toEqual(page);
        expect(page.moved).toBe(outcome.moved);
        all.push(...page.moves);
        from = page.next;
      }
      return all;
    };
    const moves = await pages();
    expect(moves).toHaveLength(outcome.moved);
    expect(moves.slice(0, 50)).toEqual(outcome.moves);
    expect(new Set(moves.map(({ job, step }) => `${job}/${step}`)).size).toBe(outcome.moved);
    for (let i = 0; i < 35; i++)
      await directory.undo('a', { version: 2, now: 20 }, kim).catch(() => {});
    expect(await pages()).toEqual(moves);
    expect(await directory.moves('a', 1)).toMatchObject({ version: 1, moves: [], next: null });
    expect(await directory.moves('a', 2, 9999)).toMatchObject({ moves: [], next: null });
    await expect(directory.moves('a', 99)).rejects.toMatchObject({ code: 'no_version' });
    await expect(directory.moves('a', 'proposal')).rejects.toMatchObject({ code: 'no_proposal' });
  });

  it('distinguish machines that are down from closed ones, also within a break and long ago', async () => {
    const directory = await open();
    const instance = {
      schema: 'alas-jssp/instance@1',
      machines: ['Lathe', 'Mill'],
      jobs: [
        {
          operations: [
            { machine: 0, duration: 60 },
            { machine: 1, duration: 60 },
          ],
        },
      ],
      downtimes: [0, 1].map((machine) => ({ machine, from: 30, to: 60, resumable: true })),
    };
    await directory.create({ id: 'a', instance }, kim);
    const states = async () => {
      const { machine_states } = await directory.state('a');
      return machine_states.map(({ status, down_until, closed_until }) => {
        return [status, down_until ?? closed_until];
      });
    };
    const delay = (now: number) => {
      const events = [{ kind: 'delay', job: 'Job1', step: 2, until: now }];
      return directory.report('a', { events, now }, kim);
    };
    const lathe = { kind: 'breakdown', machine: 'Lathe' };
    await directory.report('a', { events: [{ ...lathe, from: 35, to: 50 }], now: 20 }, kim);
    expect(await states()).toEqual([
      ['running', null],
      ['idle', null],
    ]);
    await delay(32);
    expect(await states()).toEqual([
      ['closed', 60],
      ['closed', 60],
    ]);
    for (let i = 0; i < 40; i++) await delay(40);
    expect(await states()).toEqual([
      ['down', 50],
      ['closed', 60],
    ]);
    expect((await directory.state('a')).breakdowns).toEqual([
      { machine: 'Lathe', from: 35, to: 50, from_units: 35, to_units: 50, estimated: false },
    ]);
    await directory.report('a', { events: [{ kind: 'restored', machine: 'Lathe' }], now: 42 }, kim);
    // Its report is withdrawn: so it had not been back.
    const { version } = await directory.state('a');
    expect((await states())[0]).not.toEqual(['down', 50]);
    await directory.withdraw('a', { version, now: 43 }, kim);
    expect(await states()).toEqual([
      ['down', 50],
      ['closed', 60],
    ]);
    await directory.withdraw('a', { version: 2, now: 44 }, kim);
    expect(await states()).toEqual([
      ['closed', 60],
      ['closed', 60],
    ]);
  });

  it('state the date of their end, and warn where no shifts are known', async () => {
    const directory = await open();
    const instance = {
      schema: 'alas-jssp/instance@1',
      machines: 1,
      time_scale: { epoch: '2026-11-23T06:00', unit: 60, zone: 'Europe/Berlin' },
      jobs: [{ operations: [40, 20].map((duration) => ({ machine: 0, duration })) }],
      downtimes: [{ machine: 0, from: 70, to: 90, resumable: true }],
      shifts_until: '2026-11-23T07:30',
    };
    await directory.create({ id: 'a', instance, policy: asking }, kim);
    expect((await directory.state('a', { next: 1 })).warnings).toEqual([]);
    const warning =
      'shifts are known until Mon 23 Nov 07:30: work after it, up to Mon 23 Nov 07:45, is planned day and night; import again with a later --horizon';
    const events = [{ kind: 'duration', job: 'Job1', step: 1, duration: 65 }];
    const ends = {
      ...{ before: 60, before_date: '2026-11-23T07:00:00+01:00' },
      ...{ after: 105, after_date: '2026-11-23T07:45:00+01:00' },
    };
    const reported = { makespan: ends, warnings: [warning] };
    expect(await directory.report('a', { events, now: 10 }, kim)).toMatchObject(reported);
    const { proposal, warnings } = await directory.state('a', { next: 1 });
    expect(proposal).toMatchObject(reported);
    expect(warnings).toEqual([]);
    await directory.approve('a', proposal?.name ?? '', kim);
    expect((await directory.state('a', { next: 1 })).warnings).toEqual([warning]);
    const changes = await changesUntil(directory, 'a', 'committed', '0');
    expect(changes.map(({ kind }) => kind)).toEqual(['proposal', 'committed']);
    for (const change of changes) expect(change).toMatchObject(reported);
  });

  it('ask for approvals, and queue what comes meanwhile', async () => {
    const directory = await open();
    await directory.create({ id: 'b', instance: 'ft06', policy: asking }, kim);
    const waiting = await directory.report('b', down(10), kim);
    expect(waiting).toMatchObject({ status: 'waiting', version: 1 });
    const queued = await directory.report('b', down(15, 30, 'Machine1'), keyed('k'));
    expect(queued).toMatchObject({ status: 'queued', change: null });
    const { proposal, waits_for, machine_states } = await directory.state('b');
    expect(waits_for).toBe('approval');
    // It is down, whatever the answer to the proposal.
    expect(machine_states[3]).toMatchObject({ status: 'down' });
    expect(proposal).toMatchObject({ name: 'version-2', version: 2, by: 'kim', method: 'lcrp' });
    expect((await directory.view('b', 'proposal')).makespan).toBe(proposal?.makespan.after);
    const wrong = directory.approve('b', 'version-9', kim);
    await expect(wrong).rejects.toMatchObject({ code: 'no_proposal' });
    const next = await directory.decline('b', 'version-2', 'too late', kim);
    expect(next).toMatchObject({ status: 'declined', version: 2 });
    const late = await directory.report('b', down(15, 30, 'Machine1'), keyed('k'));
    expect(late).toMatchObject({ status: 'waiting', repeated: true });
    const approved = await directory.approve('b', 'version-3', keyed('yes'));
    expect(approved).toMatchObject({ status: 'committed', version: 3 });
    const again = await directory.approve('b', 'version-3', keyed('yes'));
    expect(again).toEqual({ ...approved, repeated: true });
  });

  it('open one shop for requests with one key that come at once', async () => {
    const directory = await open();
    const request = { instance: 'ft06' };
    const all = Array.from({ length: 20 }, () => directory.create(request, keyed('new')));
    const [first, ...others] = await Promise.all(all);
    for (const other of others) expect(other).toEqual(first);
    const twins = ['x', 'y'].map((key) => directory.create({ ...request, id: 'z' }, keyed(key)));
    const ends = await Promise.allSettled(twins);
    expect(ends).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'shop_exists' } },
    ]);
  });

  it('refuse a key of another answer, and to close while a proposal waits', async () => {
    const directory = await open();
    await directory.create({ id: 'e', instance: 'ft06', policy: asking }, kim);
    await directory.report('e', down(10), keyed('taken'));
    const waits = { code: 'proposal_waits' };
    await expect(directory.close('e', kim)).rejects.toMatchObject(waits);
    const taken = directory.approve('e', 'version-2', keyed('taken'));
    await expect(taken).rejects.toMatchObject({ code: 'other_request' });
    await directory.approve('e', 'version-2', keyed('yes'));
    const no = directory.decline('e', 'version-2', 'no', keyed('yes'));
    await expect(no).rejects.toMatchObject({ code: 'other_request' });
    const reported = directory.report('e', down(20, 90, 'Machine1'), kim);
    await expect(directory.close('e', kim)).rejects.toMatchObject(waits);
    expect(await reported).toMatchObject({ status: 'waiting' });
    await directory.approve('e', 'version-3', kim);
    const { status, version } = await directory.close('e', kim).catch(() => directory.state('e'));
    expect({ status, version }).toEqual({ status: 'closed', version: 3 });
  });

  it('know the key of an answer long after, and wait again once they are answered', async () => {
    const directory = await open();
    await directory.create({ id: 'm', instance: 'ft06', policy: asking }, kim);
    await directory.report('m', down(1), kim);
    const first = await directory.approve('m', 'version-2', keyed('yes'));
    expect(await directory.list()).toMatchObject([{ id: 'm', waits_for: 'command' }]);
    for (let version = 3; version < 37; version++) {
      await directory.undo('m', { version: version - 2 }, kim);
      await directory.approve('m', `version-${version}`, kim);
    }
    const again = await directory.approve('m', 'version-2', keyed('yes'));
    expect(again).toMatchObject({ status: 'committed', version: 2, repeated: true });
    expect(again.lines).toEqual(first.lines);
  });

  it('reopen a shop whose log refused writes for a while', async () => {
    const log = createMemoryStore();
    let isFull = false;
    const append: LogStore['append'] = (...entries) => {
      if (isFull) throw new InputError('unwritable_file', 'the disk is full', 'make room');
      return log.append(...entries);
    };
    const changes: (string | undefined)[] = [];
    const host = createShopHost({
      store: { ...log, append },
      onChange: (_, change) => changes.push(change?.en.kind),
    });
    await host.create('g', { instance: 'ft06' }, kim);
    const report = async () => (await host.get('g')).report(down(10), keyed('e'));
    isFull = true;
    await expect(report()).rejects.toMatchObject({ code: 'unwritable_file' });
    await expect(report()).rejects.toThrow();
    isFull = false;
    const outcome = await vi.waitFor(report);
    expect(outcome).toMatchObject({ status: 'committed', version: 2 });
    expect(await report()).toEqual({ ...outcome, repeated: true });
    // Its followers must read the log.
    expect(changes).toContain(undefined);
    await host.stop();
  });

  it('take neither jobs nor machines beyond the limit on operations', async () => {
    const directory = await open({ mostOperations: 40 });
    const jobs = [{ operations: [{ machine: 0, duration: 1 }] }];
    const wide = { schema: 'alas-jssp/instance@1', name: 'wide', machines: 41, jobs };
    await expect(directory.create({ id: 'w', instance: wide }, kim)).rejects.toMatchObject({
      code: 'too_many_operations',
    });
    await directory.create({ id: 'f', instance: 'ft06' }, kim);
    const operations = Array.from({ length: 5 }, () => ({ machine: 0, duration: 1 }));
    const events = [{ kind: 'arrival', job: { operations } }];
    const refused = {
      code: 'too_many_operations',
      location: { path: '$.events[0].job.operations' },
    };
    await expect(directory.report('f', { events }, kim)).rejects.toMatchObject(refused);
    await expect(directory.tryOut('f', { events }, kim)).rejects.toMatchObject(refused);
  });

  it('go on as planned, as well as they can, where a proposal is declined', async () => {
    const directory = await open();
    const policy = { ...asking, methods: ['lcrp'] };
    await directory.create({ id: 'c', instance: 'ft06', policy }, kim);
    await directory.report('c', down(10), kim);
    const declined = await directory.decline('c', 'version-2', 'no', kim);
    expect(declined).toMatchObject({ status: 'declined', version: 2, method: 'affected' });
    expect(declined.lines[0]).toMatch(
      /lcrp was not accepted: kim denied version-2: no; by affected 17 operations move.*version 2$/,
    );
    const next = await directory.report('c', down(100), kim);
    expect(next).toMatchObject({ status: 'waiting', version: 2 });
    const undone = await directory.decline('c', 'version-3', 'never', kim);
    expect(undone).toMatchObject({ status: 'declined', version: 3 });
    expect(await directory.state('c')).toMatchObject({ status: 'open', waits_for: 'command' });
  });

  it('answer a request with the same key once, also when they are opened again', async () => {
    const data = temporaryDirectory();
    const first = await open({ data });
    const request = { instance: 'ft06' };
    const { id } = await first.create(request, keyed('new'));
    expect((await first.create(request, keyed('new'))).id).toBe(id);
    const other = first.create({ instance: 'ft10' }, keyed('new'));
    await expect(other).rejects.toMatchObject({ code: 'other_request' });
    const [one, two] = await Promise.all([
      first.report(id, down(10), keyed('e1')),
      first.report(id, down(10), keyed('e1')),
    ]);
    expect(two).toEqual({ ...one, repeated: true });
    const another = first.report(id, down(11), keyed('e1'));
    await expect(another).rejects.toMatchObject({ code: 'other_request' });
    await first.stop();
    opened.splice(0);
    const again = await open({ data });
    expect(await again.list()).toMatchObject([{ id, version: 2, status: 'open' }]);
    expect(await again.report(id, down(10), keyed('e1'))).toEqual({ ...one, repeated: true });
    const { version } = await again.report(id, down(100), keyed('e2'));
    expect(version).toBe(3);
    const changes = await changesUntil(again, id, 'committed', one.change ?? '');
    expect(changes).toMatchObject([{ kind: 'committed', version: 3 }]);
    expect(await again.story(id, 1)).toHaveLength(2);
  });

  it('are not waited for in threads that cannot open the log', async () => {
    const file = '/no/such/folder/shops.db';
    const followers = new SharedArrayBuffer(4);
    const task = {
      file,
      threads: 2,
      mostOperations: undefined,
      mostWaiting: 64,
      seconds: 5,
      followers,
    };
    const quarantined = () => [];
    const listeners = {
      onChange: () => {},
      onFault: () => {},
      onHang: () => {},
      onDeath: () => {},
      quarantined,
    };
    await expect(startShopThreads(task, listeners)).rejects.toThrow(/such/);
  });

  it('live in threads, from which they come back', async () => {
    const data = temporaryDirectory();
    const first = await open({ data, threads: 2 });
    for (const id of ['a', 'b', 'c']) await first.create({ id, instance: 'ft06' }, kim);
    const { change } = await first.report('b', down(10), keyed('e1'));
    const wrong = first.report('b', down(5), kim);
    await expect(wrong).rejects.toMatchObject({ code: 'bad_now', hint: expect.any(String) });
    await first.stop();
    opened.splice(0);
    const again = await open({ data, threads: 1 });
    const versions = (await again.list()).map((shop) => [
      shop.id,
      'version' in shop && shop.version,
    ]);
    expect(versions.sort()).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 1],
    ]);
    const repeated = await again.report('b', down(10), keyed('e1'));
    expect(repeated).toMatchObject({ status: 'committed', change, repeated: true });
  });

  it('try events out under policies, and write nothing', async () => {
    const directory = await open();
    await directory.create({ id: 'd', instance: 'ft10' }, kim);
    const policies = ['default', { methods: ['right-shift'] }];
    const trial = await directory.tryOut('d', down(100, 300), kim, policies);
    expect(dryRunSchema.parse(trial)).toEqual(trial);
    expect(trial.trials.map(({ method }) => method)).toEqual(['lcrp', 'right-shift']);
    expect(await directory.list()).toMatchObject([{ id: 'd', version: 1, now: 0 }]);
    const { makespan } = await directory.report('d', down(100, 300), kim);
    expect(makespan).toEqual(trial.trials[0].makespan);
  });

  it.each([
    ['bad_now', { ...down(20), now: 5 }],
    ['bad_now', { events: [{ kind: 'restored', machine: 'Machine3', at: 7 }] }],
    ['bad_event', down(30, 40, 'Machine9')],
    ['bad_event', { events: [{ kind: 'flood' }] }],
    ['bad_event', { events: [{ kind: 'breakdown', machine: 3, from: 'noon' }] }],
    ['bad_time', { ...down(20), now: 'noon' }],
  ])('refuse what is wrong, before anything is written: %s', async (code, request) => {
    const directory = await open();
    await directory.create({ id: 'e', instance: 'ft06' }, kim);
    await directory.report('e', down(15), kim);
    await expect(directory.report('e', request, kim)).rejects.toMatchObject({ code });
    expect(await directory.list()).toMatchObject([{ version: 2 }]);
    await expect(directory.state('none')).rejects.toMatchObject({ code: 'no_shop' });
  });

  it('know jobs by their names that arrive with the same report', async () => {
    const directory = await open();
    const instance = {
      schema: 'alas-jssp/instance@1',
      machines: ['Lathe', 'Mill'],
      jobs: [{ name: 'WO-1', operations: [{ machine: 'Lathe', duration: 5 }] }],
    };
    await directory.create({ id: 'n', instance }, kim);
    const job = { name: 'rush', operations: [{ machine: 'Mill', duration: 3 }] };
    const events = [
      { kind: 'arrival', job },
      { kind: 'delay', job: 'rush', step: 1, until: 20 },
    ];
    await directory.report('n', { events, now: 1 }, kim);
    const { machine_states: machines } = await directory.state('n');
    expect(machines[1].next).toMatchObject([{ job: 'rush', machine: 'Mill', start: 20 }]);
    const trouble = { events: [{ kind: 'restored', machine: 'Lath' }], now: 2 };
    await expect(directory.report('n', trouble, kim)).rejects.toMatchObject({
      location: { path: '$.events[0].machine' },
      hint: 'did you mean Lathe?',
    });
  });

  it('let time pass by a clock', async () => {
    let wall = Date.parse('2026-11-23T08:00:00Z');
    const clock = { ...idleClock, now: () => wall };
    const directory = await open({ clock });
    await directory.create({ id: 'f', instance: 'ft06', clock: { speed: 2, start: 5 } }, kim);
    wall += 10_000;
    expect((await directory.state('f')).now).toBe(25);
    expect(await directory.list()).toMatchObject([{ now: 25 }]);
    const event = { kind: 'breakdown', machine: 'Machine2', from: 25, to: 50 };
    expect(await directory.report('f', { events: [event] }, kim)).toMatchObject({ now: 25 });
    const early = directory.report('f', { events: [event], now: 1000 }, kim);
    await expect(early).rejects.toMatchObject({ code: 'bad_now' });
  });
});
