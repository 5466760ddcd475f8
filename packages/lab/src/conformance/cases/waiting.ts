// Steps that wait for a person or a message.

import type { Case } from '../case.js';
import { approved, came, denied, done, row, undone } from '../expectation.js';
import { effect, given, line, PLAIN, task, workflow } from './build.js';

const asking = (policies = {}, more = {}) =>
  workflow(
    'asking',
    line(effect('a'), task('b', { approval: 'go', policyRef: 'asked', ...more }), task('c')),
    { asked: { ...PLAIN, wait: { seconds: 30 } }, ...policies },
  );
const waiting = (seconds: number) =>
  workflow(
    'waiting',
    line(
      effect('a'),
      { id: 'paid', type: 'wait', message: 'payment', policyRef: 'slow' },
      task('c'),
    ),
    { slow: { wait: { seconds } } },
  );

export const waitingCases: Case[] = [
  {
    feature: 'approval',
    title: 'a step runs when it is approved',
    workflow: asking(),
    script: [{ kind: 'approve', step: 'b', does: 'delay', seconds: 1 }],
    expect: {
      status: 'COMPLETED',
      output: given('c'),
      trace: row(done('a'), approved('b'), done('b'), done('c')),
      inputs: { b: given('a') },
    },
  },
  {
    feature: 'approval',
    title: 'a step that is denied fails, and what was done is undone',
    workflow: asking(),
    script: [{ kind: 'approve', step: 'b', does: 'error', error: 'Denied' }],
    expect: {
      status: 'COMPENSATED',
      error: 'Denied',
      trace: row(done('a'), denied('b', 'Denied'), undone('a')),
    },
  },
  {
    feature: 'approval',
    title: 'an approval that does not come in time',
    workflow: asking({ asked: { ...PLAIN, wait: { seconds: 1 } } }),
    script: [{ kind: 'approve', step: 'b', does: 'hang' }],
    expect: {
      status: 'COMPENSATED',
      error: 'WaitTimeout',
      trace: row(done('a'), 'approve b', undone('a')),
    },
  },
  {
    feature: 'message',
    title: 'a message comes, and its payload goes on',
    workflow: waiting(30),
    script: [{ kind: 'wait', step: 'paid', does: 'delay', seconds: 1, output: { amount: 5 } }],
    expect: {
      status: 'COMPLETED',
      output: given('c'),
      trace: row(done('a'), came('paid'), done('c')),
      inputs: { c: { amount: 5 } },
    },
  },
  {
    feature: 'message',
    title: 'a message that does not come in time',
    workflow: waiting(1),
    script: [{ kind: 'wait', step: 'paid', does: 'hang' }],
    expect: {
      status: 'COMPENSATED',
      error: 'WaitTimeout',
      trace: row(done('a'), 'wait paid', undone('a')),
    },
  },
];
