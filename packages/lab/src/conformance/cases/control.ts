// Ways through a workflow: in a row, by choice, side by side, over items, in loops.

import type { Case } from '../case.js';
import type { DocumentBody, DocumentNode } from '../document-form.js';
import { done, failed, row, together, upTo } from '../expectation.js';
import { chain, given, line, task, workflow } from './build.js';

const LIST = { type: 'array', maxItems: 10, items: true };
const items = {
  io: { input: { type: 'object', properties: { items: LIST }, required: ['items'] } },
};

const choosing = (guards: string[]) =>
  workflow('choosing', {
    nodes: [
      task('look'),
      { id: 'which', type: 'choice' },
      task('big'),
      task('middle'),
      task('other'),
      task('after'),
    ],
    edges: [
      { from: 'look', to: 'which' },
      { from: 'which', to: 'big', kind: 'branch', guard: guards[0] },
      { from: 'which', to: 'middle', kind: 'branch', guard: guards[1] },
      { from: 'which', to: 'other', kind: 'default' },
      ...['big', 'middle', 'other'].map((from) => ({ from, to: 'after' })),
    ],
  });

const choice = (
  title: string,
  n: object,
  taken: string,
  guards = ['$input.n > 9', '$input.n > 3'],
): Case => ({
  feature: 'choice',
  title,
  workflow: choosing(guards),
  script: [{ step: 'look', does: 'ok', output: n }],
  expect: {
    status: 'COMPLETED',
    output: given('after'),
    trace: row(done('look'), done(taken), done('after')),
    inputs: { [taken]: n, after: given(taken) },
  },
});

const branches = (more = {}) => ({
  id: 'both',
  type: 'parallel',
  branches: { left: line(task('a'), task('b')), right: line(task('c'), task('d')) },
  ...more,
});
const left = row(done('both/left/a'), done('both/left/b'));
const right = row(done('both/right/c'), done('both/right/d'));

const each = (body: DocumentBody, more = {}) => ({
  id: 'each',
  type: 'map',
  items: 'input.items',
  body,
  ...more,
});
const overItems = (node: DocumentNode) => workflow('over-items', line(node), {}, items);

const until = (maxIters: number) =>
  workflow(
    'until',
    line(
      {
        id: 'loop',
        type: 'map',
        until: '$output.done = true',
        policyRef: 'loop',
        body: line(task('turn')),
      },
      task('after'),
    ),
    { loop: { loopGuards: { maxIters } } },
  );

export const control: Case[] = [
  {
    feature: 'sequence',
    title: 'steps one after the other, each on the output of the one before',
    workflow: workflow('sequence', line(task('a'), task('b'), task('c'))),
    script: [{ step: 'b', does: 'ok', output: { n: 2 } }],
    input: { order: 7 },
    expect: {
      status: 'COMPLETED',
      output: given('c'),
      trace: row(done('a'), done('b'), done('c')),
      inputs: { a: { order: 7 }, b: given('a'), c: { n: 2 } },
    },
  },
  {
    feature: 'sequence',
    title: 'inputs by reference, the output of the workflow too',
    workflow: workflow(
      'references',
      line(task('a'), task('b', { input: { from: 'outputs.a.step', order: 'input.order' } })),
      {},
      { output: 'outputs.a' },
    ),
    script: [],
    input: { order: 7 },
    expect: {
      status: 'COMPLETED',
      output: given('a'),
      trace: row(done('a'), done('b')),
      inputs: { b: { from: 'a', order: 7 } },
    },
  },
  {
    feature: 'sequence',
    title: 'a failure that nothing catches ends the run under its name',
    workflow: workflow('failing', line(task('a'), task('b'), task('c'))),
    script: [{ step: 'b', does: 'error', error: 'Broken' }],
    expect: { status: 'FAILED', error: 'Broken', trace: row(done('a'), failed('b', 'Broken')) },
  },
  choice('the first guard that holds, though a later one does too', { n: 12 }, 'big'),
  choice('the second guard', { n: 5 }, 'middle'),
  choice('the default, if no guard holds', { n: 1 }, 'other'),
  choice('a comparison with what is missing does not hold', { m: 5 }, 'other'),
  choice('a guard over lists and texts', { kind: 'x', list: [1, 2, 3] }, 'middle', [
    '$input.kind = "y" or $count($input.list) > 3',
    '$input.kind in ["x", "z"] and $sum($input.list) = 6',
  ]),
  {
    feature: 'choice',
    title: 'no guard holds and there is no default',
    workflow: workflow('no-branch', {
      nodes: [task('look'), { id: 'which', type: 'choice' }, task('big')],
      edges: [
        { from: 'look', to: 'which' },
        { from: 'which', to: 'big', kind: 'branch', guard: '$input.n > 9' },
      ],
    }),
    script: [{ step: 'look', does: 'ok', output: { n: 1 } }],
    expect: { status: 'FAILED', error: 'NoBranch', trace: done('look') },
  },
  {
    feature: 'parallel',
    title: 'two branches, joined by name',
    workflow: workflow('branches', line(branches(), task('after'))),
    script: [],
    input: { order: 7 },
    expect: {
      status: 'COMPLETED',
      output: given('after'),
      trace: row(together(left, right), done('after')),
      inputs: {
        'both/left/a': { order: 7 },
        'both/right/c': { order: 7 },
        after: { left: given('b'), right: given('d') },
      },
    },
  },
  {
    feature: 'parallel',
    title: 'one branch after the other',
    workflow: workflow('one-branch', line(branches({ maxConcurrency: 1 }), task('after'))),
    script: [],
    expect: {
      status: 'COMPLETED',
      output: given('after'),
      trace: row(left, right, done('after')),
    },
  },
  {
    feature: 'parallel',
    title: 'a branch fails when the other has come to its end',
    workflow: workflow('branch-fails', line(branches(), task('after'))),
    script: [{ step: 'b', does: 'error', error: 'Broken', seconds: 2 }],
    expect: {
      status: 'FAILED',
      error: 'Broken',
      trace: together(row(done('both/left/a'), failed('both/left/b', 'Broken')), right),
    },
  },
  {
    feature: 'parallel',
    title: 'what a failing branch stops: steps of others that have not begun',
    workflow: workflow('branch-stopped', line(branches(), task('after'))),
    script: [
      { step: 'a', does: 'error', error: 'Broken' },
      { step: 'c', does: 'delay', seconds: 6 },
    ],
    expect: {
      status: 'FAILED',
      error: 'Broken',
      trace: together(failed('both/left/a', 'Broken'), upTo(done('both/right/c'))),
    },
  },
  {
    feature: 'parallel',
    title: 'a fork of edges, and a join that waits for both',
    workflow: workflow('fork', {
      nodes: [task('a'), task('b'), task('c'), task('d')],
      edges: [...chain('a', 'b', 'd'), ...chain('a', 'c', 'd')],
    }),
    script: [{ step: 'b', does: 'delay', seconds: 1 }],
    expect: {
      status: 'COMPLETED',
      output: given('d'),
      trace: row(done('a'), together(done('b'), done('c')), done('d')),
      inputs: { d: { b: given('b'), c: given('c') } },
    },
  },
  {
    feature: 'map',
    title: 'a body of two steps for each item, the outputs in the order of the items',
    workflow: overItems(each(line(task('a'), task('b')))),
    script: [{ step: 'a', item: '0', does: 'delay', seconds: 1 }],
    input: { items: [{ k: 1 }, { k: 2 }, { k: 3 }] },
    expect: {
      status: 'COMPLETED',
      output: [given('b', '0'), given('b', '1'), given('b', '2')],
      trace: together(...[0, 1, 2].map((k) => row(done(`each[${k}]/a`), done(`each[${k}]/b`)))),
      inputs: { 'each[1]/a': { k: 2 }, 'each[1]/b': given('a', '1') },
    },
  },
  {
    feature: 'map',
    title: 'one item after the other',
    workflow: overItems(each(line(task('a')), { maxConcurrency: 1 })),
    script: [],
    input: { items: [1, 2, 3] },
    expect: {
      status: 'COMPLETED',
      output: [given('a', '0'), given('a', '1'), given('a', '2')],
      trace: row(...[0, 1, 2].map((k) => done(`each[${k}]/a`))),
      inputs: { 'each[2]/a': 3 },
    },
  },
  {
    feature: 'map',
    title: 'no items',
    workflow: workflow('no-items', line(each(line(task('a'))), task('after')), {}, items),
    script: [],
    input: { items: [] },
    expect: {
      status: 'COMPLETED',
      output: given('after'),
      trace: done('after'),
      inputs: { after: [] },
    },
  },
  {
    feature: 'map',
    title: 'branches within items within branches',
    workflow: workflow(
      'nested',
      line({
        id: 'outer',
        type: 'parallel',
        branches: {
          one: line(
            each(
              line({
                id: 'inner',
                type: 'parallel',
                branches: { x: line(task('a')), y: line(task('b')) },
              }),
            ),
          ),
          two: line(task('c')),
        },
      }),
      {},
      items,
    ),
    script: [],
    input: { items: ['p', 'q'] },
    expect: {
      status: 'COMPLETED',
      output: {
        one: [0, 1].map((k) => ({ x: given('a', `${k}`), y: given('b', `${k}`) })),
        two: given('c'),
      },
      trace: together(
        done('outer/two/c'),
        ...[0, 1].flatMap((k) => [
          done(`outer/one/each[${k}]/inner/x/a`),
          done(`outer/one/each[${k}]/inner/y/b`),
        ]),
      ),
      inputs: { 'outer/one/each[1]/inner/y/b': 'q' },
    },
  },
  {
    feature: 'map',
    title: 'an item fails when the others have come to their ends',
    workflow: overItems(each(line(task('a')))),
    script: [{ step: 'a', item: '1', does: 'error', error: 'Broken', seconds: 2 }],
    input: { items: [1, 2, 3] },
    expect: {
      status: 'FAILED',
      error: 'Broken',
      trace: together(done('each[0]/a'), failed('each[1]/a', 'Broken'), done('each[2]/a')),
    },
  },
  {
    feature: 'loop guard',
    title: 'turns until the condition holds, each on the output of the one before',
    workflow: until(5),
    script: [
      { step: 'turn', item: '0', does: 'ok', output: { n: 1 } },
      { step: 'turn', item: '1', does: 'ok', output: { n: 2, done: true } },
    ],
    input: { n: 0 },
    expect: {
      status: 'COMPLETED',
      output: given('after'),
      trace: row(done('loop[0]/turn'), done('loop[1]/turn'), done('after')),
      inputs: { 'loop[0]/turn': { n: 0 }, 'loop[1]/turn': { n: 1 }, after: { n: 2, done: true } },
    },
  },
  {
    feature: 'loop guard',
    title: 'the number of turns ends a loop whose condition never holds',
    workflow: until(3),
    script: [],
    expect: {
      status: 'COMPLETED',
      output: given('after'),
      trace: row(...[0, 1, 2].map((k) => done(`loop[${k}]/turn`)), done('after')),
      inputs: { after: given('turn', '2') },
    },
  },
  {
    feature: 'loop guard',
    title: 'more items than turns are allowed fail before the first',
    workflow: workflow(
      'too-many',
      line(task('a'), each(line(task('b')), { input: 'input', policyRef: 'few' })),
      { few: { loopGuards: { maxIters: 2 } } },
      items,
    ),
    script: [],
    input: { items: [1, 2, 3] },
    expect: { status: 'FAILED', error: 'LoopGuard', trace: done('a') },
  },
  {
    feature: 'large values',
    title: 'an output of 150 kB reaches the next step whole',
    workflow: workflow('large', line(task('a'), task('b'))),
    script: [
      { step: 'a', does: 'ok', output: { text: 'x'.repeat(150_000) } },
      { step: 'b', does: 'ok', output: 'end' },
    ],
    expect: {
      status: 'COMPLETED',
      output: 'end',
      trace: row(done('a'), done('b')),
      bytes: { b: 150_011 },
    },
  },
];
