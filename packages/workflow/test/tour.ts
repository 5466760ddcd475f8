import { chain, effect, flow, plain, SAGA } from './interpreter/world.js';

/** A workflow that has all there is: every type of node, and most of what a policy can say. */
export const tour = flow({
  name: 'tour',
  nodes: [
    plain('start', { seconds: 1 }),
    { id: 'pick', type: 'choice' },
    { ...effect('left', { fail: 'Busy', times: 1 }), policyRef: 'again' },
    plain('right'),
    {
      id: 'both',
      type: 'parallel',
      input: { list: 'input.list' },
      branches: {
        'one by one': {
          nodes: [effect('first', { seconds: 2 }), effect('second', { undoFails: 1 })],
          edges: chain('first', 'second'),
        },
        each: {
          nodes: [
            {
              id: 'all',
              type: 'map',
              items: 'input.list',
              policyRef: 'loop',
              maxConcurrency: 2,
              body: { nodes: [effect('item', { seconds: 1 })], edges: [] },
            },
          ],
          edges: [],
        },
      },
    },
    {
      id: 'turns',
      type: 'map',
      until: '$count($output) > 9',
      policyRef: 'loop',
      body: { nodes: [plain('turn'), effect('mark')], edges: chain('turn', 'mark') },
    },
    { ...effect('risky', { fail: 'Broken' }), policyRef: 'caught' },
    plain('safe'),
    effect('mend'),
    {
      id: 'gate',
      type: 'task',
      handler: 'plain',
      approval: 'kim',
      input: { fails: 'input.fails' },
    },
    { id: 'end', type: 'choice' },
    plain('well'),
    plain('ill', { fail: 'Ill' }),
  ],
  edges: [
    ...chain('start', 'pick'),
    { from: 'pick', to: 'left', kind: 'branch', guard: '$input.n > 0' },
    { from: 'pick', to: 'right', kind: 'default' },
    ...chain('left', 'both', 'turns', 'risky', 'safe'),
    ...chain('right', 'both'),
    ...chain('safe', 'gate', 'end'),
    ...chain('mend', 'gate'),
    { from: 'end', to: 'ill', kind: 'branch', guard: '$input.fails = true' },
    { from: 'end', to: 'well', kind: 'default' },
  ],
  policies: {
    saga: {
      compensation: {
        handler: 'undo',
        safeReinvoke: true,
        timeout: { seconds: 9 },
        retry: { maxAttempts: 3 },
        backoff: { mode: 'fixed', base: 3 },
      },
      timeout: { seconds: 30 },
    },
    again: {
      ...SAGA,
      retry: { maxAttempts: 3, retryOn: ['Busy'] },
      backoff: { mode: 'exponential', base: 2, jitter: 0.5 },
    },
    caught: { ...SAGA, catch: [{ errors: ['Broken'], handler: 'mend' }] },
    loop: { loopGuards: { maxIters: 3 } },
  },
});
