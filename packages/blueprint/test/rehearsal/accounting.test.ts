import type { TrialEffect } from '@alas-jssp/agents';
import { expect, test } from 'vitest';
import { accountForEffects } from '../../src/rehearsal/accounting.js';
import type { RehearsedCall } from '../../src/rehearsal/rehearsed-tools.js';

type Report = Parameters<typeof accountForEffects>[2];
type Row = TrialEffect['before'];

/** A change of the seat `s1`, by the node that is named like the key of its effect. */
function change(key: string, before: Row, after: Row): TrialEffect {
  const common = { runId: 'r', tool: 'seats.set', record: 'seat', id: 's1' };
  return { ...common, nodeId: key, idempotencyKey: key, before, after };
}

/** A call that made the changes at these places. */
function call(key: string, changes: number[], of: 'call' | 'undo' = 'call'): RehearsedCall {
  const common = { tool: 'seats.set', input: {}, answered: true, entries: 0, number: 1 };
  return { ...common, node: key, path: key, effectKey: key, of, changes };
}

/** A report that lists these keys. */
function report(lists: { committed?: string[]; remaining?: string[]; inDoubt?: string[] }): Report {
  const effects = (keys: string[] = []) => keys.map((idempotencyKey) => ({ idempotencyKey }));
  const { committed, remaining, inDoubt } = lists;
  return {
    committed: effects(committed),
    remaining: effects(remaining),
    inDoubt: effects(inDoubt),
  } as unknown as Report;
}

test('a change that no recorded call made is unaccounted for', () => {
  const effects = [change('a', null, { state: 'held' }), change('b', { state: 'held' }, null)];
  const problems = accountForEffects(effects, [call('a', [0])], report({ committed: ['a'] }));
  expect(problems.filter(({ message }) => message.includes('no call is recorded'))).toEqual([
    expect.objectContaining({ code: 'unaccounted' }),
  ]);
});
