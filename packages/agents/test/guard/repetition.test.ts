import { afterEach, expect, it } from 'vitest';
import { type Guard, openGuard } from '../../src/index.js';
import { createWorld, open } from './records.js';

const opened: Guard[] = [];
afterEach(async () => {
  for (const guard of opened.splice(0)) await guard.close().catch(() => {});
});
const started = async (...given: Parameters<typeof open>): Promise<Guard> => {
  const guard = await open(...given);
  opened.push(guard);
  return guard;
};

it('answers a request with the same key, or the same number, from the log', async () => {
  const world = createWorld();
  const guard = await started(world);
  const first = await guard.call('add', { text: 'a' }, { requestKey: 'k' });
  const again = await guard.call('add', { text: 'a' }, { requestKey: 'k' });
  expect(again).toMatchObject({ status: 'done', call: 1, repeated: true, result: first.result });
  expect(await guard.call('add', { text: 'b' }, { requestKey: 'k' })).toMatchObject({
    status: 'refused',
    message: expect.stringContaining('the key k belongs to call 1'),
  });
  await guard.call('add', { text: 'c' }, { requestId: '7' });
  expect(await guard.call('add', { text: 'c' }, { requestId: '7' })).toMatchObject({ call: 2 });
  expect(world.texts()).toEqual(['a', 'c']);
  // A commit does not make a repeated request a new one.
  await guard.commit();
  expect(await guard.call('add', { text: 'a' }, { requestKey: 'k' })).toMatchObject({ call: 1 });
  expect(world.texts()).toEqual(['a', 'c']);
});

it('makes an equal request whose first answer has arrived a new call', async () => {
  const world = createWorld();
  const guard = await started(world);
  await guard.call('add', { text: 'a' }, { requestId: '1' });
  expect(await guard.call('add', { text: 'a' }, { requestId: '2' })).toMatchObject({ call: 2 });
  expect(world.texts()).toEqual(['a', 'a']);
});

it('joins equal requests at the same time, unless both have keys', async () => {
  const world = createWorld();
  const guard = await started(world);
  const input = { text: 'a' };
  const both = await Promise.all([guard.call('add', input), guard.call('add', input)]);
  expect(both.map(({ call }) => call)).toEqual([1, 1]);
  const keyed = await Promise.all([
    guard.call('add', input, { requestKey: 'x' }),
    guard.call('add', input, { requestKey: 'y' }),
  ]);
  expect(keyed.map(({ call }) => call)).toEqual([2, 3]);
  expect(world.texts()).toEqual(['a', 'a', 'a']);
});

it('finishes a call whose client has gone, and gives its answer to the repeated request', async () => {
  const world = createWorld();
  const guard = await started(world, ['add=act-wait']);
  const client = new AbortController();
  const called = guard.call('add', { text: 'a' }, { signal: client.signal });
  await world.called();
  client.abort();
  await expect(called).rejects.toMatchObject({ code: 'Cancelled' });
  const repeated = guard.call('add', { text: 'a' });
  world.openGate();
  expect(await repeated).toMatchObject({ status: 'done', call: 1, repeated: true });
  expect(world.texts()).toEqual(['a']);
  expect(await guard.abort('test')).toMatchObject({ status: 'taken-back' });
  expect(world.texts()).toEqual([]);
});

it('answers a key of a committed session of an earlier guard from the log', async () => {
  const world = createWorld();
  const first = await started(world);
  const made = await first.call('add', { text: 'a' }, { requestKey: 'k' });
  await first.commit();
  await first.close();
  const second = await openGuard({ log: world.log, policy: world.policy() });
  opened.push(second);
  const again = await second.call('add', { text: 'a' }, { requestKey: 'k' });
  expect(again).toMatchObject({ status: 'done', repeated: true, result: made.result });
  expect(world.texts()).toEqual(['a']);
});
