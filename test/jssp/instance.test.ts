import { InputError } from '@alas-jssp/core/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createInstance,
  instanceFromJobs,
  MAX_TIME,
  replaceInstance,
} from '../../src/jssp/instance.js';
import { shareInstance } from '../../src/jssp/share-instance.js';
import { arbitraryInstance } from '../arbitraries.js';

const everything = {
  releases: true,
  dueDates: true,
  weights: true,
  deadlines: true,
  downtimes: true,
};

describe('createInstance', () => {
  it('derives the jobs of operations and the operations of machines', () => {
    const instance = instanceFromJobs('three', [
      [
        [1, 5],
        [0, 2],
        [1, 1],
      ],
      [],
      [[0, 4]],
    ]);
    expect(instance).toMatchObject({ jobs: 3, machines: 2, operations: 4 });
    expect([...instance.jobOffset]).toEqual([0, 3, 3, 4]);
    expect([...instance.jobOf]).toEqual([0, 0, 0, 2]);
    expect([...instance.machineOffset]).toEqual([0, 2, 4]);
    expect([...instance.machineOperations]).toEqual([1, 3, 0, 2]);
  });

  it('lists each operation once, under its own machine', () => {
    fc.assert(
      fc.property(arbitraryInstance(everything), (instance) => {
        const { machines, machine, machineOffset, machineOperations } = instance;
        const listed = Array.from({ length: machines }, (_, k) =>
          [...machineOperations.subarray(machineOffset[k], machineOffset[k + 1])].filter(
            (op) => machine[op] === k,
          ),
        );
        expect(listed.flat().sort((a, b) => a - b)).toEqual([...machine.keys()]);
      }),
    );
  });

  it('has null instead of times and downtimes with default values', () => {
    const { release, due, weight, deadline, frozen, calendar } = createInstance({
      ...base,
      release: Int32Array.of(0, 0),
      due: Int32Array.of(-1, -1),
      weight: Int32Array.of(1, 1),
      deadline: Int32Array.of(-1, -1),
      frozen: Int32Array.of(-1, -1),
      calendar: downtime([], []),
    });
    expect([release, due, weight, deadline, frozen, calendar]).toEqual(new Array(6).fill(null));
  });

  const base = {
    name: 'bad',
    machines: 2,
    jobOffset: Int32Array.of(0, 1, 2),
    machine: Int32Array.of(0, 1),
    duration: Int32Array.of(3, 4),
  };
  const downtime = (from: number[], to: number[]) => ({
    offset: Int32Array.of(0, from.length, from.length),
    from: Int32Array.from(from),
    to: Int32Array.from(to),
    resumable: new Uint8Array(from.length),
  });
  it.each([
    [{ machine: Int32Array.of(0, 2) }, 'machine 2 in operation 1; use 0 to 1'],
    [{ duration: Int32Array.of(3, -4) }, 'duration -4 in operation 1; use 0 or more'],
    [{ machines: 0 }, 'the number of machines is 0; give a whole number of at least 1'],
    [{ jobOffset: Int32Array.of(0) }, 'an instance needs at least one job; give one'],
    [
      { jobOffset: Int32Array.of(0, 2, 1, 2) },
      'jobOffset decreases at job 2; list the jobs in order',
    ],
    [{ release: Int32Array.of(1) }, 'release has 1 entries; give 2'],
    [{ due: Int32Array.of(-2, 0) }, 'due of -2; use -1 or more'],
    [{ weight: Int32Array.of(2) }, 'weight has 1 entries; give 2'],
    [{ weight: Int32Array.of(2, -1) }, 'weight -1 of job 2; use 0 or more'],
    [
      { weight: Int32Array.of(2 ** 23, 1) },
      'the weights of all jobs add up to 8388609; use smaller ones: at most 8388608 in all',
    ],
    [
      { calendar: downtime([5, 7], [8, 9]) },
      'downtime [7, 9) of machine 0 is empty, negative or not in order; sort the downtimes of a machine and join those that overlap',
    ],
    [
      { duration: Int32Array.of(MAX_TIME, 1) },
      `all work, releases and downtimes add up to ${MAX_TIME + 1}; use a coarser time unit: at most ${MAX_TIME} fits`,
    ],
  ])('refuses what does not fit, with its hint: %j', (changes, message) => {
    expect(() => createInstance({ ...base, ...changes })).toThrow(InputError);
    expect(() => createInstance({ ...base, ...changes })).toThrow(message);
  });

  it('takes times as late as schedules may end', () => {
    const late = MAX_TIME - 7;
    const times = { frozen: Int32Array.of(late, -1), release: Int32Array.of(0, late) };
    const shop = { ...base, duration: Int32Array.of(3, 4) };
    expect(() => createInstance({ ...shop, ...times })).not.toThrow();
    expect(() => createInstance({ ...shop, ...times, duration: Int32Array.of(4, 4) })).toThrow(
      `add up to ${MAX_TIME + 1}`,
    );
  });

  it('takes as many jobs and operations as there may be', () => {
    const operation = [3, 1] as const;
    const wide = instanceFromJobs('wide', new Array(200_000).fill([operation]));
    expect(wide).toMatchObject({ jobs: 200_000, machines: 4 });
    const long = instanceFromJobs('long', [new Array(200_000).fill(operation)]);
    expect(long).toMatchObject({ operations: 200_000, machines: 4 });
  });

  it.each(['jobOffset', 'machine', 'duration', 'release', 'weight'])(
    'refuses %s in an array of another type',
    (key) => {
      const spec = {
        name: 'one',
        machines: 1,
        jobOffset: Int32Array.of(0, 1),
        machine: Int32Array.of(0),
        duration: Int32Array.of(3),
      };
      const halves = { ...spec, [key]: Float64Array.of(0, Number.NaN) };
      const refusal = `${key} is a Float64Array; give an Int32Array`;
      expect(() => createInstance(halves as unknown as typeof spec)).toThrow(refusal);
    },
  );

  it('refuses fractions in literals', () => {
    expect(() => instanceFromJobs('half', [[[0, 1.5]]])).toThrow(
      'duration 1.5 is not a whole number',
    );
  });
});

describe('replaceInstance', () => {
  it('leaves the instance unchanged and recomputes derived members', () => {
    const instance = instanceFromJobs('one', [
      [
        [0, 5],
        [1, 2],
      ],
    ]);
    const changed = replaceInstance(instance, { machine: Int32Array.of(1, 0) });
    expect([...changed.machineOperations]).toEqual([1, 0]);
    expect([...instance.machineOperations]).toEqual([0, 1]);
    expect(changed.duration).toBe(instance.duration);
  });

  it('keeps weights whether or not there are due dates', () => {
    const weight = Int32Array.of(3);
    const weighted = replaceInstance(instanceFromJobs('one', [[[0, 5]]]), { weight });
    const due = replaceInstance(weighted, { due: Int32Array.of(2) });
    expect([weighted.weight, due.weight]).toEqual([weight, weight]);
    expect(replaceInstance(due, { due: null })).toEqual(weighted);
  });
});

describe('shareInstance', () => {
  it('gives an equal instance whose arrays all lie in one shared buffer', () => {
    fc.assert(
      fc.property(arbitraryInstance(everything), (instance) => {
        const shared = shareInstance(instance);
        expect(shared).toEqual(instance);
        const arrays = [...Object.values(shared), ...Object.values(shared.calendar ?? {})].filter(
          ArrayBuffer.isView,
        );
        expect(new Set(arrays.map((array) => array.buffer)).size).toBe(1);
        expect(shared.machine.buffer).toBeInstanceOf(SharedArrayBuffer);
      }),
    );
  });
});
