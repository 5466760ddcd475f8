// Effects that are undone: in reverse, across branches, in vain, by limits, by cancellation.

import type { Case } from '../case.js';
import type { DocumentBody } from '../document-form.js';
import {
  done,
  failed,
  hung,
  notUndone,
  given as onlyWith,
  pause,
  row,
  together,
  undone,
  upTo,
} from '../expectation.js';
import type { Row } from '../fault-script.js';
import { effect, given, line, PLAIN, task, UNDOABLE, workflow } from './build.js';

const broken = (step: string, more: Partial<Row> = {}): Row => ({
  step,
  does: 'error',
  error: 'Broken',
  ...more,
});
const undoing = (more: object) => ({
  ...UNDOABLE,
  compensation: { ...UNDOABLE.compensation, ...more },
});
const items = {
  io: {
    input: {
      type: 'object',
      properties: { items: { type: 'array', maxItems: 5 } },
      required: ['items'],
    },
  },
};

const both = (left: DocumentBody, right: DocumentBody, more = {}) => ({
  id: 'both',
  type: 'parallel',
  branches: { left, right },
  ...more,
});

const stuck = (retry: object) =>
  workflow(
    'stuck',
    line(effect('a'), effect('b', { policyRef: 'stuck' }), effect('c'), task('d')),
    {
      stuck: undoing(retry),
    },
  );

export const undoingCases: Case[] = [
  {
    feature: 'compensation',
    title: 'the failing step first, then the others in reverse',
    workflow: workflow('plain', line(effect('a'), effect('b'), effect('c'))),
    script: [broken('c')],
    expect: {
      status: 'COMPENSATED',
      error: 'Broken',
      remaining: [],
      trace: row(
        done('a'),
        done('b'),
        failed('c', 'Broken'),
        undone('c'),
        undone('b'),
        undone('a'),
      ),
      keyed: ['a', 'b', 'c'],
    },
  },
  {
    feature: 'compensation',
    title: 'a step without effect fails: what came before is undone, with its output',
    workflow: workflow('checked', line(effect('a'), task('b'), effect('c'), task('d'))),
    script: [broken('d')],
    expect: {
      status: 'COMPENSATED',
      error: 'Broken',
      trace: row(done('a'), done('b'), done('c'), failed('d', 'Broken'), undone('c'), undone('a')),
      undoneOutputs: { a: given('a'), c: given('c') },
    },
  },
  {
    feature: 'compensation',
    title: 'nothing is undone of a run that completes',
    workflow: workflow('complete', line(effect('a'), effect('b'))),
    script: [],
    expect: { status: 'COMPLETED', output: given('b'), trace: row(done('a'), done('b')) },
  },
  {
    feature: 'compensation',
    title: 'an effect that cannot be undone remains',
    workflow: workflow(
      'irreversible',
      line(effect('a'), task('b', { effect: 'irreversible', approval: 'go' }), task('c')),
    ),
    script: [broken('c')],
    expect: {
      status: 'COMPENSATION_FAILED',
      error: 'Broken',
      remaining: ['b'],
      trace: row(
        done('a'),
        row('approve b', 'approved b'),
        done('b'),
        failed('c', 'Broken'),
        undone('a'),
      ),
    },
  },
  {
    feature: 'compensation',
    title: 'an effect that cannot be undone and never answered is in doubt',
    workflow: workflow(
      'doubt',
      line(effect('a'), task('b', { effect: 'irreversible', policyRef: 'once' })),
      { once: { timeout: { seconds: 1 }, lateAnswer: { seconds: 0 } } },
    ),
    script: [{ step: 'b', does: 'hang' }],
    expect: {
      status: 'IN_DOUBT',
      error: 'Timeout',
      inDoubt: ['b'],
      trace: row(done('a'), hung('b'), undone('a')),
    },
  },
  {
    feature: 'compensation',
    title: 'codes that are no reason to undo',
    workflow: workflow('compensate-on', line(effect('a'), effect('b', { policyRef: 'picky' })), {
      picky: undoing({ compensateOn: ['Broken'] }),
    }),
    script: [{ step: 'b', does: 'error', error: 'Harmless' }],
    expect: {
      status: 'FAILED',
      error: 'Harmless',
      remaining: ['a', 'b'],
      trace: row(done('a'), failed('b', 'Harmless')),
    },
  },
  {
    feature: 'compensation in branches',
    title: 'branches among each other in any order, each in reverse, then what came before',
    workflow: workflow(
      'undo-branches',
      line(
        effect('a'),
        both(line(effect('b'), effect('c')), line(effect('d'), effect('e'))),
        task('f'),
      ),
    ),
    script: [broken('f')],
    expect: {
      status: 'COMPENSATED',
      error: 'Broken',
      trace: row(
        done('a'),
        together(
          row(done('both/left/b'), done('both/left/c')),
          row(done('both/right/d'), done('both/right/e')),
        ),
        failed('f', 'Broken'),
        together(
          row(undone('both/left/c'), undone('both/left/b')),
          row(undone('both/right/e'), undone('both/right/d')),
        ),
        undone('a'),
      ),
    },
  },
  {
    feature: 'compensation in branches',
    title: 'a branch fails when the other is done: both are undone',
    workflow: workflow(
      'undo-failing-branch',
      line(effect('a'), both(line(effect('b'), effect('c')), line(effect('d')))),
    ),
    script: [broken('c', { seconds: 2 })],
    expect: {
      status: 'COMPENSATED',
      error: 'Broken',
      trace: row(
        done('a'),
        together(row(done('both/left/b'), failed('both/left/c', 'Broken')), done('both/right/d')),
        together(row(undone('both/left/c'), undone('both/left/b')), undone('both/right/d')),
        undone('a'),
      ),
    },
  },
  {
    feature: 'compensation in branches',
    title: 'a branch fails while the other is at work: what that had begun is undone, too',
    workflow: workflow(
      'undo-stopped-branch',
      line(both(line(effect('b')), line(effect('d'), effect('e')))),
    ),
    script: [broken('b', { seconds: 1 }), { step: 'd', does: 'delay', seconds: 3 }],
    expect: {
      status: 'COMPENSATED',
      error: 'Broken',
      trace: row(
        together(
          failed('both/left/b', 'Broken'),
          upTo(row(done('both/right/d'), done('both/right/e'))),
        ),
        together(
          undone('both/left/b'),
          row(
            onlyWith('start both/right/e', undone('both/right/e')),
            onlyWith('start both/right/d', undone('both/right/d')),
          ),
        ),
      ),
    },
  },
  {
    feature: 'compensation in branches',
    title: 'the items of a map, each in reverse',
    workflow: workflow(
      'undo-items',
      line(
        {
          id: 'each',
          type: 'map',
          items: 'input.items',
          body: line(effect('a'), effect('b')),
        },
        task('c'),
      ),
      {},
      items,
    ),
    script: [broken('c')],
    input: { items: [1, 2] },
    expect: {
      status: 'COMPENSATED',
      error: 'Broken',
      trace: row(
        together(...[0, 1].map((k) => row(done(`each[${k}]/a`), done(`each[${k}]/b`)))),
        failed('c', 'Broken'),
        together(...[0, 1].map((k) => row(undone(`each[${k}]/b`), undone(`each[${k}]/a`)))),
      ),
    },
  },
  {
    feature: 'compensation in branches',
    title: 'the turns of a loop, the last one first',
    workflow: workflow(
      'undo-turns',
      line(
        {
          id: 'loop',
          type: 'map',
          until: '$output.done = true',
          policyRef: 'loop',
          body: line(effect('a')),
        },
        task('c'),
      ),
      { loop: { loopGuards: { maxIters: 3 } } },
    ),
    script: [broken('c')],
    expect: {
      status: 'COMPENSATED',
      error: 'Broken',
      trace: row(
        ...[0, 1, 2].map((k) => done(`loop[${k}]/a`)),
        failed('c', 'Broken'),
        ...[2, 1, 0].map((k) => undone(`loop[${k}]/a`)),
      ),
    },
  },
  {
    feature: 'failing compensation',
    title: 'what a step builds on is left when that step cannot be undone',
    workflow: stuck({}),
    script: [broken('d'), { kind: 'undo', step: 'b', does: 'error', error: 'Stuck' }],
    expect: {
      status: 'COMPENSATION_FAILED',
      error: 'Broken',
      remaining: ['a', 'b'],
      trace: row(
        done('a'),
        done('b'),
        done('c'),
        failed('d', 'Broken'),
        undone('c'),
        notUndone('b', 'Stuck'),
      ),
    },
  },
  {
    feature: 'failing compensation',
    title: 'other branches are undone all the same',
    workflow: workflow(
      'stuck-branch',
      line(effect('a'), both(line(effect('b'), effect('c')), line(effect('d'))), task('e')),
    ),
    script: [broken('e'), { kind: 'undo', step: 'c', does: 'error', error: 'Stuck' }],
    expect: {
      status: 'COMPENSATION_FAILED',
      error: 'Broken',
      remaining: ['a', 'both/left/b', 'both/left/c'],
      trace: row(
        done('a'),
        together(row(done('both/left/b'), done('both/left/c')), done('both/right/d')),
        failed('e', 'Broken'),
        together(notUndone('both/left/c', 'Stuck'), undone('both/right/d')),
      ),
    },
  },
  {
    feature: 'failing compensation',
    title: 'a compensator is tried again as often as its policy says',
    workflow: stuck({
      retry: { maxAttempts: 3, retryOn: ['Busy'] },
      backoff: { mode: 'fixed', base: 1 },
    }),
    script: [broken('d'), { kind: 'undo', step: 'b', attempt: 1, does: 'error', error: 'Busy' }],
    expect: {
      status: 'COMPENSATED',
      error: 'Broken',
      remaining: [],
      trace: row(
        done('a'),
        done('b'),
        done('c'),
        failed('d', 'Broken'),
        undone('c'),
        notUndone('b', 'Busy'),
        pause(1),
        undone('b', 2),
        undone('a'),
      ),
    },
  },
  {
    feature: 'failing compensation',
    title: 'a compensator that never answers has failed',
    workflow: stuck({ timeout: { seconds: 1 } }),
    script: [broken('d'), { kind: 'undo', step: 'b', does: 'hang' }],
    expect: {
      status: 'COMPENSATION_FAILED',
      error: 'Broken',
      remaining: ['a', 'b'],
      trace: row(
        done('a'),
        done('b'),
        done('c'),
        failed('d', 'Broken'),
        undone('c'),
        'compensate b',
      ),
    },
  },
  {
    feature: 'deadline',
    title: 'an effect that is held for too long is undone',
    workflow: workflow('held', line(effect('a', { policyRef: 'held' }), task('b'), task('c')), {
      held: undoing({ triggers: ['onFailure', 'deadline'], deadlineSeconds: 2 }),
      plain: PLAIN,
    }),
    script: [{ step: 'b', does: 'hang' }],
    expect: {
      status: 'COMPENSATED',
      error: 'Deadline',
      trace: row(done('a'), pause(0), hung('b'), pause(1), undone('a')),
    },
  },
  {
    feature: 'deadline',
    title: 'a run that completes in time keeps its effect',
    workflow: workflow('in-time', line(effect('a', { policyRef: 'held' }), task('b')), {
      held: undoing({ triggers: ['onFailure', 'deadline'], deadlineSeconds: 30 }),
    }),
    script: [],
    expect: { status: 'COMPLETED', output: given('b'), trace: row(done('a'), done('b')) },
  },
  {
    feature: 'cancellation',
    title: 'a run that is cancelled is undone',
    workflow: workflow('cancelled', line(effect('a'), task('b'), task('c'))),
    script: [{ step: 'b', does: 'hang' }],
    cancelAfter: 4,
    expect: {
      status: 'COMPENSATED',
      error: 'Cancelled',
      trace: row(done('a'), hung('b'), undone('a')),
    },
  },
];
