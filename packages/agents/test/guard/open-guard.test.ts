import { afterEach, describe, expect, it } from 'vitest';
import type { Guard } from '../../src/index.js';
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
  });
});
