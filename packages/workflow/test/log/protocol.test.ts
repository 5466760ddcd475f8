import { describe, expect, it } from 'vitest';
import { createMemoryStore, type EventType, type Json, verifyLog } from '../../src/index.js';
import { entry } from './entries.js';

type Step = readonly [type: EventType, nodeId?: string, payload?: Json];

const begin = (token?: number): Step => [
  'StartRun',
  '',
  token === undefined ? { workflow: {} } : { workflow: {}, owner: 'a', token },
];
const start = (nodeId: string, attempt = 1): Step => ['StartNode', nodeId, { attempt }];
const end = (status = 'COMPLETED'): Step => ['EndRun', '', { status }];
const made = (nodeId: string): Step[] => [
  start(nodeId),
  ['Register', nodeId, { key: nodeId }],
  ['EndNode', nodeId],
];
const undone = (nodeId: string): Step[] => [
  ['Compensate', nodeId, { attempt: 1 }],
  ['Compensated', nodeId],
];

/** What the verification finds in the log of a run with these entries. */
function problems(...steps: readonly Step[]): string[] {
  const store = createMemoryStore();
  store.append(steps.map(([type, nodeId = '', payload = {}]) => entry('r', type, payload, nodeId)));
  const { valid, runs } = verifyLog(store);
  expect(valid).toBe(runs[0].problems.length === 0);
  expect(runs[0].problems.every(({ code }) => code === 'order')).toBe(true);
  return runs[0].problems.map(({ message }) => message.replace('run "r", entry ', ''));
}

const byHand: Step = ['Trigger', '', { kind: 'manual' }];
const suffix = ': not by one owner alone';

describe('the order of the entries of a run', () => {
  it('detects two owners at once, as when a live run was undone from outside', () => {
    const found = problems(
      ...[begin(), ...made('a'), byHand, ...undone('a'), end('COMPENSATED')],
      ...[...made('b'), ...made('c'), end()],
    );
    expect(found[0]).toBe(`8: StartNode of b, but the run had ended${suffix}`);
    expect(found.at(-1)).toBe(`14: EndRun, but the run had ended${suffix}`);
  });

  it.each<[string, Step[], string]>([
    ['two ends', [end(), end()], '2: EndRun, but the run had ended'],
    [
      'an owner with an older token',
      [
        ['Resume', '', { token: 3 }],
        ['Resume', '', { token: 3 }],
      ],
      '1: Resume, but an owner with the token 3 had it',
    ],
    ['two beginnings', [begin(2)], '1: StartRun, but the run had begun'],
    [
      'an end of a node that had not begun',
      [['EndNode', 'a']],
      '1: EndNode of a, but the node had',
    ],
    ['two ends of a node', [...made('a'), ['EndNode', 'a']], '4: EndNode of a, but the node had'],
    ['a failure of a node that is done', [...made('a'), ['FailNode', 'a']], '4: FailNode of a'],
    ['a beginning of a node that is done', [...made('a'), start('a', 2)], '4: StartNode of a'],
    [
      'an attempt twice',
      [start('a'), start('a')],
      '2: StartNode of a, but attempt 1 had been made',
    ],
    ['an effect twice', [...made('a'), ['Register', 'a']], '4: Register of a'],
    ['undoing what is not there', undone('a'), '1: Compensate of a, but it has no effect'],
    [
      'undoing twice',
      [...made('a'), ...undone('a'), ...undone('a')],
      '6: Compensate of a, but its effect was undone',
    ],
    [
      'undoing at the same time',
      [...made('a'), undone('a')[0], undone('a')[0]],
      '5: Compensate of a, but its effect was being undone',
    ],
    [
      'an undo that was not begun',
      [...made('a'), ['Compensated', 'a']],
      '4: Compensated of a, but its effect was not being undone',
    ],
  ])('shows %s', (_, steps, message) => {
    expect(problems(begin(3), ...steps)[0]).toContain(message);
  });

  it('allows what one owner after the other may write', () => {
    const resumed: Step = ['Resume', '', { token: 2 }];
    expect(problems(begin(1), start('a'), resumed, start('a'), ['EndNode', 'a'], end())).toEqual(
      [],
    );
    expect(
      problems(begin(1), start('a'), ['Retry', 'a'], start('a', 2), ['FailNode', 'a']),
    ).toEqual([]);
    expect(
      problems(begin(), ...made('a'), end(), byHand, ...undone('a'), end('COMPENSATED')),
    ).toEqual([]);
    expect(
      problems(begin(1), ...made('a'), undone('a')[0], resumed, ...undone('a'), end()),
    ).toEqual([]);
    const late: Step = ['Answer', 'a', { attempt: 1, output: 1 }];
    expect(
      problems(begin(1), ...made('a'), ...undone('a'), end(), late, resumed, ...undone('a'), end()),
    ).toEqual([]);
    const [undoing, isUndone] = undone('a');
    expect(problems(begin(1), ...made('a'), undoing, late, isUndone, end())).toEqual([]);
    const back: Step = ['Return', '', { to: 'a', nodes: ['b'] }];
    // A loop goes back while a person stops the run: that does not call off the stop.
    const both = [begin(), ...made('a'), ...made('b'), byHand, ...undone('b'), back];
    expect(problems(...both, ...undone('a'), end('COMPENSATED'))).toEqual([]);
    // An effect came about after it was undone, and could not be undone again.
    const stuck = { status: 'COMPENSATION_FAILED', output: 1, remaining: [{ nodeId: 'a' }] };
    expect(problems(begin(), ...made('a'), ['EndRun', '', stuck])).toEqual([]);
    expect(
      problems(begin(), ...made('a'), ...made('b'), ...undone('b'), back, ...made('b'), end()),
    ).toEqual([]);
  });

  it('is not asked about where entries are changed or missing, or no workflow ran', () => {
    const store = createMemoryStore();
    store.append([begin(), end(), end()].map(([type, , payload]) => entry('r', type, payload, '')));
    const rows = [...store.rows()];
    const found = verifyLog(createMemoryStore(rows.toSpliced(1, 1)));
    expect(found.runs[0].problems.map(({ code }) => code)).toEqual(['missing']);
    const other = createMemoryStore();
    other.append([entry('r', 'EndRun'), entry('r', 'EndRun')]);
    expect(verifyLog(other).valid).toBe(true);
  });
});
