import { expect, it } from 'vitest';
import { createCalendar } from '../../src/jssp/calendar.js';
import { instanceFromJobs, replaceInstance } from '../../src/jssp/instance.js';
import { objectives } from '../../src/jssp/objectives.js';
import { optimize } from '../../src/search/optimize.js';
import { isFeasible } from '../../src/validator/index.js';

// Shops whose deadlines are met only where the right operations run before a downtime: estimates of moves, which
// leave downtimes out, never tried out the moves that lead there, in a million iterations.

/** Jobs as [machine, duration], downtimes as [machine, from, to], deadlines by job. */
const shops: {
  readonly jobs: [number, number][][];
  readonly downtimes: [number, number, number][];
  readonly deadlines: Readonly<Record<number, number>>;
}[] = [
  {
    jobs: [
      [
        [0, 3],
        [0, 5],
        [0, 9],
        [0, 7],
      ],
      [
        [0, 5],
        [0, 4],
      ],
      [
        [0, 5],
        [0, 0],
      ],
      [
        [0, 7],
        [0, 9],
        [0, 5],
        [0, 9],
      ],
      [[0, 6]],
    ],
    downtimes: [[0, 11, 14]],
    deadlines: { 0: 30 },
  },
  {
    jobs: [
      [
        [0, 11],
        [0, 10],
        [0, 12],
      ],
      [
        [0, 5],
        [0, 8],
      ],
      [
        [0, 1],
        [0, 2],
        [0, 0],
      ],
      [
        [0, 5],
        [0, 10],
      ],
      [
        [0, 7],
        [0, 0],
        [0, 8],
      ],
      [[0, 9]],
    ],
    downtimes: [[0, 4, 8]],
    deadlines: { 1: 21 },
  },
  {
    jobs: [
      [
        [0, 1],
        [0, 0],
      ],
      [
        [0, 6],
        [0, 2],
      ],
      [
        [0, 2],
        [0, 6],
      ],
      [[0, 6]],
      [
        [0, 3],
        [0, 6],
      ],
      [
        [0, 1],
        [0, 5],
      ],
      [
        [0, 1],
        [0, 2],
      ],
      [
        [0, 2],
        [0, 3],
      ],
      [[0, 4]],
    ],
    downtimes: [[0, 6, 9]],
    deadlines: { 3: 15, 5: 6, 7: 20 },
  },
  {
    jobs: [
      [
        [1, 3],
        [1, 2],
        [1, 3],
      ],
      [
        [1, 2],
        [0, 6],
        [0, 6],
        [0, 3],
      ],
      [
        [0, 3],
        [1, 0],
      ],
      [
        [0, 6],
        [1, 0],
        [1, 1],
      ],
      [[0, 3]],
      [
        [0, 6],
        [1, 4],
        [0, 1],
        [1, 0],
      ],
    ],
    downtimes: [
      [0, 10, 12],
      [0, 18, 20],
      [0, 30, 34],
      [1, 5, 7],
    ],
    deadlines: { 5: 13 },
  },
];

it.each(objectives)(
  'a search for %s meets deadlines that depend on downtimes',
  async (objective) => {
    for (const { jobs, downtimes, deadlines } of shops) {
      const shop = instanceFromJobs('tight', jobs);
      const closed = downtimes.map(([machine, from, to]) => ({
        ...{ machine, from, to, resumable: false },
      }));
      const instance = replaceInstance(shop, {
        calendar: createCalendar(shop.machines, closed),
        deadline: Int32Array.from(jobs, (_, job) => deadlines[job] ?? -1),
        due: new Int32Array(jobs.length).fill(20),
      });
      const { schedule } = await optimize(instance, {
        objective,
        provesBeside: false,
        stop: ({ iterations, best }) => iterations >= 50_000 || best < Number.POSITIVE_INFINITY,
      });
      expect(isFeasible(instance, schedule.start)).toBe(true);
    }
  },
);
