import { expect, test } from 'vitest';
import { instanceFromJson } from '../../../src/jssp/formats/instance-json.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { partNeighbours } from '../../../src/lcrp/phases/part-neighbours.js';
import { criticalChain } from '../../../src/lcrp/reassign/moves.js';
import { openState } from '../../../src/lcrp/reassign/shop-state.js';

/** Two parts, made on a lathe of two, are assembled by Omar; Omar also loads the oven. */
const instance = instanceFromJson(
  {
    schema: 'alas-jssp/instance@2',
    machines: ['Lathe 1', 'Lathe 2', 'Saw', 'Bench', 'Oven'],
    resources: [{ name: 'Omar' }],
    jobs: [
      {
        operations: [
          { modes: ['Lathe 1', 'Lathe 2'].map((machine) => ({ machine, duration: 10 })) },
          { machine: 'Saw', duration: 4, after: [] },
          { machine: 'Bench', duration: 5, needs: { Omar: 1 }, after: [1, 2] },
        ],
      },
      { operations: [{ machine: 'Oven', duration: 6, needs: { Omar: 1 } }] },
    ],
  },
  { name: 'assembly' },
);
const plan = createSchedule(instance, Int32Array.of(2, 0, 12, 4));

test('neighbours are those in the graph of a job and in the queue of an operator', () => {
  const around = partNeighbours(plan)?.map((ops) => ops.sort((a, b) => a - b));
  expect(around).toEqual([[2], [2], [0, 1, 3], [2]]);
});

test('a chain of waiting operations goes on through an operator, also where nothing else comes before', () => {
  const state = openState(createSchedule(instance, Int32Array.of(2, 0, 12, 17)));
  expect(criticalChain(state, 3)).toEqual([3, 2, 0]);
});
