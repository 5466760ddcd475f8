import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { approve, openSqliteStore } from '@alas-jssp/workflow';
import { afterEach, expect, it } from 'vitest';
import type { Guard } from '../../src/index.js';
import { createWorld, open, RULES } from './records.js';

const BIN = new URL('../../../../bin/alas-jssp.js', import.meta.url).pathname;
const run = promisify(execFile);
const opened: Guard[] = [];
afterEach(async () => {
  for (const guard of opened.splice(0)) await guard.close().catch(() => {});
});
const started = async (...given: Parameters<typeof open>): Promise<Guard> => {
  const guard = await open(...given);
  opened.push(guard);
  return guard;
};
const settled = async (guard: Guard, call: number) => {
  for (;;) {
    const answer = await guard.statusOf(call);
    if (answer.status !== 'waiting-for-approval' && answer.status !== 'in-doubt') return answer;
    await sleep(10);
  }
};

it('holds an irreversible call until a person of the policy approves it by the command line', async () => {
  const world = createWorld();
  const guard = await started(world);
  const held = await guard.call('send', { to: 'bob' });
  expect(held).toMatchObject({
    status: 'waiting-for-approval',
    call: 1,
    approval: { run: 'guard-1', name: 'send-1', by: ['ann', 'bob'] },
  });
  // Other calls go on meanwhile, and the same call is not held twice.
  expect(await guard.call('add', { text: 'a' })).toMatchObject({ status: 'done', call: 2 });
  expect(await guard.call('send', { to: 'bob' })).toMatchObject({ call: 1, repeated: true });
  expect(world.sent()).toBe('');
  const args = (by: string) => [BIN, 'log', 'approve', world.log, 'guard-1', 'send-1', '--by', by];
  const wrong = await run(process.execPath, args('eve')).catch((error) => error);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('eve may not decide');
  await run(process.execPath, args('ann'));
  expect(await settled(guard, 1)).toMatchObject({ status: 'done', result: expect.anything() });
  expect(world.sent()).toBe('bob\n');
  const report = await guard.abort('test');
  expect(report).toMatchObject({ status: 'incomplete', remaining: [1], inDoubt: [] });
  expect(report.calls[0]).toMatchObject({ status: 'done', approvedBy: 'ann' });
  expect(world.texts()).toEqual([]);
});

it('ignores a decision that a wrong person puts into the inbox of the log', async () => {
  const world = createWorld();
  const guard = await started(world);
  await guard.call('remove', { id: 'r1' });
  const store = openSqliteStore(world.log);
  const data = { name: 'remove-1', by: 'bob' };
  store.post({ runId: 'guard-1', ts: '2026-01-01T00:00:00.000Z', kind: 'approve', data });
  expect(() => approve(store, 'guard-1', 'remove-1', 'bob')).toThrow('bob may not decide');
  // A later call is handled after the message.
  await guard.call('add', { text: 'a' });
  expect(await guard.statusOf(1)).toMatchObject({ status: 'waiting-for-approval' });
  expect(() => guard.approve(1, 'bob')).toThrow('bob may not decide');
  store.close();
});

it('does not call a tool whose call was denied, or waits when the session is committed', async () => {
  const world = createWorld();
  const guard = await started(world);
  await guard.call('send', { to: 'bob' });
  await guard.call('send', { to: 'cid' });
  guard.deny(1, 'ann', 'not now');
  expect(await settled(guard, 1)).toMatchObject({
    status: 'refused',
    message: 'refused: ann denied it: not now',
  });
  const report = await guard.commit();
  expect(report).toMatchObject({ status: 'committed' });
  expect(report.calls.map(({ status }) => status)).toEqual(['refused', 'refused']);
  expect(() => guard.approve(2, 'ann')).toThrow('has ended');
  expect(world.sent()).toBe('');
});

it('refuses irreversible tools that the policy lets no one approve', async () => {
  const world = createWorld();
  const guard = await started(world, [], { approvers: [] });
  expect(guard.refusedTools.map(({ name }) => name)).toContain('send');
  expect(await guard.call('send', { to: 'bob' })).toMatchObject({ status: 'refused' });
  expect(world.sent()).toBe('');
});

it('makes an irreversible call at once if its tool needs no approval, and lists it after an abort', async () => {
  const world = createWorld();
  const rules = { ...RULES, send: { access: 'irreversible', approval: false } } as const;
  const guard = await started(world, [], {}, rules);
  expect(await guard.call('send', { to: 'bob' })).toMatchObject({ status: 'done' });
  await guard.call('add', { text: 'a' });
  const report = await guard.abort('test');
  expect(report).toMatchObject({ status: 'incomplete', remaining: [1], inDoubt: [] });
  expect(report.calls[0]?.message).toContain('its tool has no undo');
  expect([world.sent(), world.texts()]).toEqual(['bob\n', []]);
  await guard.call('send', { to: 'cid' });
  expect(await guard.commit()).toMatchObject({ status: 'committed' });
});

it('lists an irreversible call without an approval as in doubt if its answer is lost', async () => {
  const world = createWorld();
  const rules = { ...RULES, send: { access: 'irreversible', approval: false } } as const;
  const guard = await started(world, ['send=die-after'], {}, rules);
  expect(await guard.call('send', { to: 'bob' })).toMatchObject({ status: 'in-doubt' });
  expect(await guard.abort('test')).toMatchObject({ status: 'in-doubt', inDoubt: [1] });
});
