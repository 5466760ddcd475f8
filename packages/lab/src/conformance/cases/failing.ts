// Steps that fail: tried again, timed out, caught, cut off.

import type { Case } from '../case.js';
import { done, failed, hung, pause, row, together, undone } from '../expectation.js';
import type { Row } from '../fault-script.js';
import { effect, given, line, PLAIN, task, UNDOABLE, workflow } from './build.js';

const retrying = (retry: object, backoff: object, more = {}) =>
  workflow('retrying', line(task('a', { policyRef: 'again' }), task('b')), {
    again: { ...PLAIN, retry, backoff, ...more },
  });
const fixed = { mode: 'fixed', base: 1 };

const busy = (attempts: number[], error = 'Busy') =>
  attempts.map((attempt): Row => ({ step: 'a', attempt, does: 'error', error }));

const catching = (rules: object[], policies = {}) =>
  workflow(
    'catching',
    {
      nodes: [task('a'), task('b', { policyRef: 'caught' }), task('mend'), task('after')],
      edges: [
        { from: 'a', to: 'b' },
        { from: 'b', to: 'after' },
        { from: 'mend', to: 'after' },
      ],
    },
    { caught: { ...PLAIN, catch: rules }, ...policies },
  );
const mended = row(done('a'), failed('b', 'Broken'), done('mend'), done('after'));

export const failing: Case[] = [
  {
    feature: 'retry',
    title: 'twice busy, with the same wait before each attempt',
    workflow: retrying({ maxAttempts: 3, retryOn: ['Busy'] }, fixed),
    script: busy([1, 2]),
    expect: {
      status: 'COMPLETED',
      output: given('b'),
      trace: row(
        failed('a', 'Busy'),
        pause(1),
        failed('a', 'Busy', 2),
        pause(1),
        done('a', 3),
        done('b'),
      ),
      inputs: { b: given('a', '', 3) },
    },
  },
  {
    feature: 'retry',
    title: 'waits that double up to a cap',
    workflow: retrying(
      { maxAttempts: 4, retryOn: ['*'] },
      { mode: 'exponential', base: 1, cap: 2 },
    ),
    script: busy([1, 2, 3]),
    expect: {
      status: 'COMPLETED',
      output: given('b'),
      trace: row(
        failed('a', 'Busy'),
        pause(1),
        failed('a', 'Busy', 2),
        pause(2),
        failed('a', 'Busy', 3),
        pause(2),
        done('a', 4),
        done('b'),
      ),
    },
  },
  {
    feature: 'retry',
    title: 'no attempt is left',
    workflow: retrying({ maxAttempts: 2, retryOn: ['Busy'] }, fixed),
    script: busy([1, 2, 3]),
    expect: {
      status: 'FAILED',
      error: 'Busy',
      trace: row(failed('a', 'Busy'), pause(1), failed('a', 'Busy', 2)),
    },
  },
  {
    feature: 'retry',
    title: 'a code that is not worth another attempt, after one that is',
    workflow: retrying({ maxAttempts: 4, retryOn: ['Busy'] }, fixed),
    script: [...busy([1]), ...busy([2], 'Broken')],
    expect: {
      status: 'FAILED',
      error: 'Broken',
      trace: row(failed('a', 'Busy'), pause(1), failed('a', 'Broken', 2)),
    },
  },
  {
    feature: 'retry',
    title: 'each item has attempts of its own',
    workflow: workflow(
      'retrying-items',
      line({
        id: 'each',
        type: 'map',
        items: 'input.items',
        body: line(task('a', { policyRef: 'again' })),
      }),
      { again: { ...PLAIN, retry: { maxAttempts: 2, retryOn: ['Busy'] }, backoff: fixed } },
      {
        io: {
          input: {
            type: 'object',
            properties: { items: { type: 'array', maxItems: 5 } },
            required: ['items'],
          },
        },
      },
    ),
    script: [{ step: 'a', item: '1', attempt: 1, does: 'error', error: 'Busy' }],
    input: { items: [1, 2] },
    expect: {
      status: 'COMPLETED',
      output: [given('a', '0'), given('a', '1', 2)],
      trace: together(
        done('each[0]/a'),
        row(failed('each[1]/a', 'Busy'), pause(1), done('each[1]/a', 2)),
      ),
    },
  },
  {
    feature: 'timeout',
    title: 'a step that never answers fails by its limit',
    workflow: retrying({ maxAttempts: 1 }, fixed, { timeout: { seconds: 1 } }),
    script: [{ step: 'a', does: 'hang' }],
    expect: { status: 'FAILED', error: 'Timeout', trace: hung('a') },
  },
  {
    feature: 'timeout',
    title: 'the attempt after one that timed out succeeds',
    workflow: retrying({ maxAttempts: 2, retryOn: ['Timeout'] }, fixed, {
      timeout: { seconds: 3 },
    }),
    script: [{ step: 'a', attempt: 1, does: 'hang' }],
    expect: {
      status: 'COMPLETED',
      output: given('b'),
      trace: row(hung('a'), pause(2), done('a', 2), done('b')),
    },
  },
  {
    feature: 'catch',
    title: 'a failure goes to its handler, with the error and the input',
    workflow: catching([{ errors: ['Broken'], handler: 'mend' }]),
    script: [{ step: 'b', does: 'error', error: 'Broken' }],
    expect: {
      status: 'COMPLETED',
      output: given('after'),
      trace: mended,
      inputs: {
        mend: {
          error: { code: 'Broken', message: 'b failed at attempt 1', nodeId: 'b' },
          input: given('a'),
        },
        after: given('mend'),
      },
    },
  },
  {
    feature: 'catch',
    title: 'the handler is left out when nothing fails',
    workflow: catching([{ errors: ['Broken'], handler: 'mend' }]),
    script: [],
    expect: {
      status: 'COMPLETED',
      output: given('after'),
      trace: row(done('a'), done('b'), done('after')),
      inputs: { after: given('b') },
    },
  },
  {
    feature: 'catch',
    title: 'a code that no rule names is not caught',
    workflow: catching([{ errors: ['Broken'], handler: 'mend' }]),
    script: [{ step: 'b', does: 'error', error: 'Lost' }],
    expect: { status: 'FAILED', error: 'Lost', trace: row(done('a'), failed('b', 'Lost')) },
  },
  {
    feature: 'catch',
    title: 'what fails in a branch with effects is undone, then its handler goes on',
    workflow: workflow(
      'caught-branch',
      {
        nodes: [
          effect('a'),
          {
            id: 'both',
            type: 'parallel',
            policyRef: 'caught',
            branches: { left: line(effect('b'), effect('c')), right: line(effect('d')) },
          },
          task('mend'),
        ],
        edges: [{ from: 'a', to: 'both' }],
      },
      { caught: { catch: [{ errors: ['*'], handler: 'mend' }] } },
    ),
    script: [{ step: 'c', does: 'error', error: 'Broken', seconds: 2 }],
    expect: {
      status: 'COMPLETED',
      output: given('mend'),
      trace: row(
        done('a'),
        together(row(done('both/left/b'), failed('both/left/c', 'Broken')), done('both/right/d')),
        undone('both/left/c'),
        undone('both/left/b'),
        done('mend'),
      ),
    },
  },
  {
    feature: 'catch',
    title: 'back to an earlier node, whose followers are undone and done again',
    workflow: workflow(
      'back-to',
      line(effect('a'), effect('b'), task('check', { policyRef: 'back' })),
      { back: { ...PLAIN, catch: [{ errors: ['Wrong'], backTo: 'a', times: 2 }] } },
    ),
    script: [{ step: 'check', attempt: 1, does: 'error', error: 'Wrong' }],
    expect: {
      status: 'COMPLETED',
      output: given('check', '', 2),
      trace: row(
        done('a'),
        done('b'),
        failed('check', 'Wrong'),
        undone('b'),
        done('b', 2),
        done('check', 2),
      ),
    },
  },
  {
    feature: 'crash',
    title: 'a handler whose process ends is tried again if the policy says so',
    workflow: retrying({ maxAttempts: 2, retryOn: ['Crash'] }, fixed),
    script: [{ step: 'a', attempt: 1, does: 'crash' }],
    expect: {
      status: 'COMPLETED',
      output: given('b'),
      trace: row(failed('a', 'Crash'), pause(1), done('a', 2), done('b')),
    },
  },
  {
    feature: 'crash',
    title: 'a handler whose process ends fails its step, and what was done is undone',
    workflow: workflow('crash', line(effect('a'), effect('b'))),
    script: [{ step: 'b', does: 'crash' }],
    expect: {
      status: 'COMPENSATED',
      error: 'Crash',
      trace: row(done('a'), failed('b', 'Crash'), undone('b'), undone('a')),
    },
  },
  {
    feature: 'idempotency',
    title: 'all attempts at an effect, and its undoing, have one key; others have others',
    workflow: workflow('keys', line(effect('a', { policyRef: 'again' }), effect('b'), task('c')), {
      again: { ...UNDOABLE, retry: { maxAttempts: 3, retryOn: ['Busy'] }, backoff: fixed },
    }),
    script: [...busy([1]), { step: 'c', does: 'error', error: 'Broken' }],
    expect: {
      status: 'COMPENSATED',
      error: 'Broken',
      keyed: ['a', 'b'],
      trace: row(
        failed('a', 'Busy'),
        pause(1),
        done('a', 2),
        done('b'),
        failed('c', 'Broken'),
        undone('b'),
        undone('a'),
      ),
    },
  },
];
