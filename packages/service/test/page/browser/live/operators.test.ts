import type { ScheduleView } from 'alas-jssp/page';
import { expect, it } from 'vitest';
import { operatorsAt } from '../../../../src/page/browser/live/operators.js';

/** Ana works at operation 0 from 0 to 10, and is away from 10 to 30; of two turners, one is there from 5 to 20. */
const resources = {
  names: ['Ana', 'turners'],
  capacity: [1, 2],
  reduced: {
    resource: [0, 0, 1],
    from: [10, 20, 5],
    to: [20, 30, 20],
    amount: [0, 0, 1],
  },
  uses: { resource: [0], operation: [0], from: [0], to: [10], amount: [1], isSetup: [false] },
};
const view = { resources, start: [0] } as unknown as ScheduleView;

it('operators are away as their calendars and reports say, and for how long', () => {
  const at = (now: number, facts?: ScheduleView) =>
    operatorsAt(view, now, 2, facts).map(({ works, there, until }) => [works.length, there, until]);
  expect(at(4)).toEqual([
    [1, 1, null],
    [0, 2, null],
  ]);
  expect(at(12)).toEqual([
    [0, 0, 30],
    [0, 1, 20],
  ]);
  expect(at(25)[0]).toEqual([0, 0, 30]);
  expect(at(30)[0]).toEqual([0, 1, null]);
  const reported = {
    ...view,
    resources: { ...resources, reduced: { resource: [1], from: [0], to: [9], amount: [0] } },
  };
  expect(at(4, reported)[1]).toEqual([0, 0, 9]);
});
