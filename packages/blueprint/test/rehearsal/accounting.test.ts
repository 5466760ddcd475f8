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

test('an effect that is listed does not excuse another effect on the same record', () => {
  const [start, first, both] = [
    { a: 0, b: 0 },
    { a: 1, b: 0 },
    { a: 1, b: 1 },
  ];
  const calls = [call('a', [0]), call('b', [1])];
  const made = [change('a', start, first), change('b', first, both)];
  // Both are there, and `a` is reported as undone.
  for (const list of ['remaining', 'inDoubt']) {
    const [problem, ...more] = accountForEffects(made, calls, report({ [list]: ['b'] }));
    expect(problem).toMatchObject({ code: 'unaccounted' });
    expect(problem.message).toContain('should be {"a":0,"b":0}, or {"a":0,"b":1}');
    expect(more).toEqual([]);
  }
  expect(accountForEffects(made, calls, report({ committed: ['a'], inDoubt: ['b'] }))).toEqual([]);
  expect(accountForEffects(made, calls, report({ inDoubt: ['a', 'b'] }))).toEqual([]);
});

test('an effect that is listed may be undone, or undone in part, but a committed one is not lost', () => {
  const [start, first, both] = [
    { a: 0, b: 0 },
    { a: 1, b: 0 },
    { a: 1, b: 1 },
  ];
  const calls = [call('a', [0]), call('b', [1]), call('b', [2], 'undo')];
  const made = [change('a', start, first), change('b', first, both), change('b', both, first)];
  const lists = report({ committed: ['a'], remaining: ['b'] });
  expect(accountForEffects(made, calls, lists)).toEqual([]);
  const damaged = [...made.slice(0, 2), change('b', both, null)];
  expect(accountForEffects(damaged, calls, report({ committed: ['b'] }))).toEqual([
    expect.objectContaining({ code: 'lost' }),
  ]);
  // The undo of `a` took the whole record, and only `b` is listed.
  const taken = [...made.slice(0, 2), change('a', both, null)];
  const undone = [call('a', [0]), call('b', [1]), call('a', [2], 'undo')];
  expect(accountForEffects(taken, undone, report({ remaining: ['b'] }))).toEqual([
    expect.objectContaining({ code: 'lost' }),
  ]);
});

test('a record whose maker was undone takes the listed changes of others with it', () => {
  const made = [change('a', null, { a: 1 }), change('b', { a: 1 }, { a: 2 })];
  const gone = [...made, change('a', { a: 2 }, null)];
  const calls = [call('a', [0]), call('b', [1]), call('a', [2], 'undo')];
  expect(accountForEffects(gone, calls, report({ remaining: ['b'] }))).toEqual([]);
  // It is there, although its maker is reported as undone.
  const left = accountForEffects(made, calls.slice(0, 2), report({ remaining: ['b'] }));
  expect(left).toEqual([expect.objectContaining({ code: 'unaccounted' })]);
});
