import { InputError } from '@alas-jssp/core/errors';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createInstance, instanceFromJobs, replaceInstance } from '../../../src/jssp/instance.js';
import { machineSequences } from '../../../src/jssp/schedule.js';
import { resolveSource } from '../../../src/jssp/suites.js';
import { insertion, MAX_INSERTION_OPERATIONS } from '../../../src/search/construct/insertion.js';
import { arbitraryExecution } from '../arbitrary-execution.js';
import { faults } from '../oracle.js';
import { insertByDefinition } from '../reference-insertion.js';

/** The order of each machine in a schedule, operations of zero duration left out. */
function ordersOf(schedule: ReturnType<typeof insertion>): number[][] {
  const { machines, machineOffset, duration } = schedule.instance;
  const sequences = machineSequences(schedule);
  return Array.from({ length: machines }, (_, k) =>
    [...sequences.slice(machineOffset[k], machineOffset[k + 1])].filter((op) => duration[op] > 0),
  );
}

test('insertion finds the machine orders that the definition gives', () => {
  fc.assert(
    fc.property(arbitraryExecution({ downtimes: true }), (instance) => {
      expect(ordersOf(insertion(instance))).toEqual(insertByDefinition(instance));
    }),
    { numRuns: 250 },
  );
});

test.each(['ft06', 'la01', 'la06'])(
  'insertion finds the orders of the definition on %s',
  (name) => {
    const instance = resolveSource(name).load();
    expect(ordersOf(insertion(instance))).toEqual(insertByDefinition(instance));
  },
);

test('insertion makes feasible schedules of instances with all features', () => {
  fc.assert(
    fc.property(arbitraryExecution({ downtimes: true }), (instance) => {
      expect(faults(instance, insertion(instance).start)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('insertion puts an operation where the longest path through it is shortest', () => {
  // Job 0 comes first; job 1's 5 units fit on machine 1 before job 0 arrives there.
  const instance = instanceFromJobs('gap', [
    [
      [0, 6],
      [1, 6],
    ],
    [
      [1, 5],
      [0, 1],
    ],
  ]);
  expect([...insertion(instance).start]).toEqual([0, 6, 0, 6]);
});

test('insertion keeps its orders from closing a cycle where a job comes back to a machine', () => {
  const job = [
    [0, 3],
    [1, 9],
    [0, 4],
    [0, 5],
  ] as const;
  const instance = instanceFromJobs('back', [job, job, job]);
  expect(faults(instance, insertion(instance).start)).toEqual([]);
});

test('insertion refuses a frozen operation after a free one', () => {
  const free = instanceFromJobs('odd', [
    [
      [0, 2],
      [1, 3],
    ],
  ]);
  const instance = replaceInstance(free, { frozen: Int32Array.of(-1, 5) });
  expect(() => insertion(instance)).toThrow('job 1, step 2 of odd is frozen');
});

test('insertion refuses what is too large and names what to use instead', () => {
  const operations = MAX_INSERTION_OPERATIONS + 1;
  const instance = createInstance({
    name: 'huge',
    machines: 1,
    jobOffset: Int32Array.of(0, operations),
    machine: new Int32Array(operations),
    duration: new Int32Array(operations),
  });
  expect(() => insertion(instance)).toThrow(InputError);
  expect(() => insertion(instance)).toThrow('use dispatch:best');
});
