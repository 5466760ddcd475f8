import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { type Guard, openGuard, type ToolRulesDraft } from '../../src/index.js';
import { createWorld, RULES, SERVER } from './records.js';

const opened: Guard[] = [];
afterEach(async () => {
  for (const guard of opened.splice(0)) await guard.close().catch(() => {});
});

/**
 * A guard in front of a server whose second start waits for the gate, if `isSlow`, and which notes each call that
 * reaches it.
 */
async function start(mode: string, isSlow: boolean, add: ToolRulesDraft) {
  const world = createWorld();
  const notes = `${world.file}.calls`;
  writeFileSync(notes, '');
  const waits = `until [ -e '${world.file}.gate' ]; do sleep 0.02; done`;
  const begun = `'${world.file}.begun'`;
  const script = `${isSlow ? `if [ -e ${begun} ]; then ${waits}; fi; : > ${begun}; ` : ''}exec "$@"`;
  const command = ['sh', '-c', script, 'sh', process.execPath, SERVER, world.file, mode];
  const guard = await openGuard({
    log: world.log,
    environment: { CALLS: notes },
    policy: {
      ...world.policy([], { timeoutSeconds: 1, lateAnswerSeconds: 60 }),
      servers: { records: { command, environment: ['CALLS'], tools: { ...RULES, add } } },
    },
  });
  opened.push(guard);
  const sent = () =>
    readFileSync(notes, 'utf8')
      .split('\n')
      .filter((name) => name === 'add').length;
  return { world, guard, sent };
}

describe('a call whose server has ended', () => {
  it('is not sent again if it has acted, although it may be', async () => {
    const add = { ...RULES.add, idempotent: true };
    const { world, guard, sent } = await start('add=die-after', false, add);
    expect(await guard.call('add', { text: 'a' })).toMatchObject({ status: 'done' });
    expect(sent()).toBe(1);
    expect(await guard.commit()).toMatchObject({ status: 'committed', inDoubt: [] });
    expect(world.texts()).toEqual(['a']);
  });

  it('is sent again if it has not acted', async () => {
    const add = { ...RULES.add, idempotent: true };
    const { world, guard, sent } = await start('add=die-before', false, add);
    expect(await guard.call('add', { text: 'a' })).toMatchObject({ status: 'done' });
    expect(sent()).toBe(2);
    expect(world.texts()).toEqual(['a']);
  });

  it('is not sent after its time, when the server has started at last', async () => {
    const { world, guard, sent } = await start('get=die-before', true, RULES.add);
    expect(await guard.call('get', { id: 'a' })).toMatchObject({ status: 'refused' });
    expect(await guard.call('add', { text: 'b' })).toMatchObject({ status: 'in-doubt', call: 1 });
    world.openGate();
    // A read of the server that has started comes after everything that waited for its start.
    expect(await guard.call('find', { text: 'b' })).toMatchObject({ status: 'done' });
    expect(sent()).toBe(0);
    expect(await guard.abort('test')).toMatchObject({ status: 'taken-back', inDoubt: [] });
    expect(world.texts()).toEqual([]);
  });
});
