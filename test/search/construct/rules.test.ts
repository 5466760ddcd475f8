import { readdirSync, readFileSync } from 'node:fs';
import { InputError } from '@alas-jssp/core/errors';
import { describe, expect, test } from 'vitest';
import { instanceFromJobs, replaceInstance } from '../../../src/jssp/instance.js';
import { dispatch } from '../../../src/search/construct/dispatch.js';
import { bestRules, findRule, ruleId, rules } from '../../../src/search/construct/rules.js';

// Three jobs wait at time 0 for machine 0 and go on to machines of their own.
const waiting = instanceFromJobs('waiting', [
  [
    [0, 5],
    [1, 4],
    [1, 4],
  ],
  [
    [0, 3],
    [2, 20],
  ],
  [
    [0, 8],
    [3, 1],
    [3, 1],
    [3, 1],
  ],
]);

/** The jobs in the order in which machine 0 takes their first operations. */
function orderOnMachine0(rule: string, due: number[] | null = null): number[] {
  const instance = replaceInstance(waiting, { due: due && Int32Array.from(due) });
  const { start } = dispatch(instance, { rule });
  return [0, 1, 2].sort((a, b) => start[instance.jobOffset[a]] - start[instance.jobOffset[b]]);
}

describe('on an example worked by hand', () => {
  test('SPT takes the durations 3, 5, 8', () => expect(orderOnMachine0('SPT')).toEqual([1, 0, 2]));
  test('LPT takes the durations 8, 5, 3', () => expect(orderOnMachine0('LPT')).toEqual([2, 0, 1]));
  test('MWKR takes the work 23, 13, 11', () => expect(orderOnMachine0('MWKR')).toEqual([1, 0, 2]));
  test('LWKR takes the work 11, 13, 23', () => expect(orderOnMachine0('LWKR')).toEqual([2, 0, 1]));
  test('MOPNR takes 4, 3, 2 operations', () => expect(orderOnMachine0('MOPNR')).toEqual([2, 0, 1]));
  test('FDD/MWKR takes the ratios 3/23, 5/13, 8/11', () =>
    expect(orderOnMachine0('FDD/MWKR')).toEqual([1, 0, 2]));
  test('FIFO and EST go by operation number where all are ready', () => {
    expect(orderOnMachine0('FIFO')).toEqual([0, 1, 2]);
    expect(orderOnMachine0('EST')).toEqual([0, 1, 2]);
  });
  test('CR takes the ratios 11/11, 26/13, 69/23, and a job without due date last', () => {
    expect(orderOnMachine0('CR', [26, 69, 11])).toEqual([2, 0, 1]);
    expect(orderOnMachine0('CR', [26, 69, -1])).toEqual([0, 1, 2]);
  });
  test('CR looks at the time: with less work left, a later due date becomes more urgent', () => {
    // At time 0: 20/13 < 40/23 < 18/11; at time 5: 35/23 > 13/11, so job 2 has overtaken job 1.
    expect(orderOnMachine0('CR', [20, 40, 18])).toEqual([0, 2, 1]);
  });
});

test('FIFO takes the first arrival, not the shortest', () => {
  const instance = instanceFromJobs('arrivals', [
    [
      [1, 3],
      [0, 1],
    ],
    [
      [2, 2],
      [0, 9],
    ],
    [[0, 4]],
  ]);
  expect([...dispatch(instance, { rule: 'FIFO' }).start]).toEqual([0, 13, 0, 4, 0]);
});

test('CR refuses an instance without due dates and says so', () => {
  expect(() => dispatch(waiting, { rule: 'cr' })).toThrow(
    'the rule CR needs due dates and waiting has none; give the jobs due dates or use another rule',
  );
});

test('a rule is found in any case and punctuation', () => {
  for (const name of ['FDD/MWKR', 'fdd/mwkr', 'fdd-mwkr', 'Fdd_Mwkr', 'fddmwkr']) {
    expect(findRule(name).name).toBe('FDD/MWKR');
  }
  for (const rule of rules) expect(findRule(ruleId(rule))).toBe(rule);
});

test('an unknown rule is refused with the rules that come closest', () => {
  expect(() => findRule('sptt')).toThrow(InputError);
  expect(() => findRule('sptt')).toThrow("no dispatching rule 'sptt'; did you mean spt");
});

describe('a rule needs nothing but its file and', () => {
  const page = readFileSync('docs/reference/planners.md', 'utf8');

  test.each(rules.map(ruleId))(
    '%s: a row in the table of rules in docs/reference/planners.md',
    (id) => expect(page.match(/^\| `[^`]+` \|/gm)).toContain(`| \`${id}\` |`),
  );

  test('an entry in src/search/construct/rules.ts', () => {
    const files = readdirSync('src/search/construct/rules')
      .map((file) => file.replace(/\.ts$/, ''))
      .filter((name) => !['rule', 'keys'].includes(name));
    expect(files.filter((name) => !rules.some((rule) => ruleId(rule) === name))).toEqual([]);
  });
});

test('dispatch:best tries the rules of its published results and no others', () => {
  const names = ['SPT', 'LPT', 'MWKR', 'LWKR', 'MOPNR', 'FDD/MWKR', 'FIFO', 'EST', 'CR', 'random'];
  expect(bestRules.map(({ name }) => name)).toEqual(names);
  expect(rules.slice(0, names.length)).toEqual(bestRules);
});
