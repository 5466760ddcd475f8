import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { horizonOf } from '../../src/jssp/bounds.js';
import { instanceChecksum } from '../../src/jssp/checksum.js';
import {
  assignModes,
  createInstance,
  type Instance,
  type InstanceSpec,
  replaceInstance,
} from '../../src/jssp/instance.js';
import { createSchedule, machineSequences } from '../../src/jssp/schedule.js';
import { shareInstance } from '../../src/jssp/share-instance.js';
import {
  chosenMode,
  eachPredecessor,
  findMode,
  isClassic,
  isPlain,
  refuseUnlessPlain,
  setupTime,
  transportTime,
} from '../../src/jssp/shop-parts.js';

const ints = (...numbers: number[]) => Int32Array.from(numbers);

/** Two jobs of two operations on two machines; the first operation of each job has two modes. */
const spec: InstanceSpec = {
  name: 'small',
  machines: 2,
  jobOffset: ints(0, 2, 4),
  machine: ints(0, 1, 1, 0),
  duration: ints(3, 2, 4, 1),
  modes: {
    offset: ints(0, 2, 3, 5, 6),
    machine: ints(0, 1, 1, 0, 1, 0),
    duration: ints(3, 5, 2, 6, 4, 1),
    chosen: ints(0, 2, 4, 5),
  },
};
const setups = {
  families: 2,
  family: ints(0, 1, 0, 1),
  matrixOf: ints(0, -1),
  time: ints(0, 3, 2, 0),
  first: ints(1, 1),
  anticipatory: Uint8Array.of(1, 1),
};
const resources = {
  count: 1,
  capacity: ints(1),
  names: null,
  calendar: null,
  needOffset: ints(0, 1, 1, 1, 1, 1, 1),
  needResource: ints(0),
  needAmount: ints(1),
  needPhase: Uint8Array.of(0),
};
const precedence = {
  offset: ints(0, 0, 1, 1, 2),
  pred: ints(0, 2),
  minLag: ints(1, 0),
  maxLag: ints(4, -1),
};
const rich: InstanceSpec = {
  ...spec,
  setups,
  precedence,
  resources,
  transport: { time: ints(0, 2, 3, 0) },
};

describe('assigning modes', () => {
  it('chooses machines and durations, and shares everything else', () => {
    const given = createInstance(rich);
    const other = assignModes(given, ints(1, 2, 3, 5));
    expect([...other.machine]).toEqual([1, 1, 0, 0]);
    expect([...other.duration]).toEqual([5, 2, 6, 1]);
    expect([...other.machineOperations]).toEqual([2, 3, 0, 1]);
    expect(other.setups).toBe(given.setups);
    expect(assignModes(other, ints(0, 2, 4, 5))).toEqual(given);
    expect(assignModes(given, ints(0, 2, 4, 5))).toBe(given);
    expect([...given.machine]).toEqual([0, 1, 1, 0]);
  });

  it('is what a schedule of the instance uses', () => {
    const other = assignModes(createInstance(spec), ints(1, 2, 3, 5));
    const schedule = createSchedule(other, ints(0, 5, 0, 6));
    expect([...schedule.end]).toEqual([5, 7, 6, 7]);
    expect(schedule.mode).toBe(other.modes?.chosen);
    expect([...machineSequences(schedule)]).toEqual([2, 3, 0, 1]);
  });

  it('refuses modes of other operations, and instances without modes', () => {
    const given = createInstance(spec);
    expect(() => assignModes(given, ints(2, 2, 4, 5))).toThrow(
      'mode 2 is not one of operation 0; give a mode from 0 to 1',
    );
    expect(() => assignModes(given, ints(0, 2, 4))).toThrow('3 modes');
    const classic = createInstance({ ...spec, modes: null });
    expect(() => assignModes(classic, ints(0, 1, 2, 3))).toThrow('small has no modes');
  });

  it('does not change the checksum, which frozen modes do', () => {
    const given = createInstance(spec);
    const other = assignModes(given, ints(1, 2, 3, 5));
    expect(instanceChecksum(other)).toBe(instanceChecksum(given));
    const frozen = ints(0, -1, -1, -1);
    const taken = instanceChecksum(replaceInstance(given, { frozen }));
    expect(instanceChecksum(replaceInstance(other, { frozen }))).not.toBe(taken);
    expect(instanceChecksum(createInstance(rich))).not.toBe(instanceChecksum(given));
  });
});

describe('the parts of a shop', () => {
  const shop = createInstance(rich);
  it('are read by operation', () => {
    expect(isClassic(createInstance({ ...spec, modes: null }))).toBe(true);
    expect([isClassic(createInstance(spec)), isPlain(createInstance(spec))]).toEqual([false, true]);
    expect(chosenMode(shop, 2)).toBe(4);
    expect(findMode(shop, 0, 1)).toBe(1);
    expect(findMode(shop, 1, 0)).toBe(-1);
    expect(setupTime(shop, 0, -1, 0)).toBe(1);
    expect(setupTime(shop, 0, 0, 3)).toBe(3);
    expect(setupTime(shop, 1, 1, 2)).toBe(0);
    expect(transportTime(shop, 0, 1)).toBe(2);
    const edges: number[][] = [];
    eachPredecessor(shop, 1, (...edge) => edges.push(edge));
    expect(edges).toEqual([[0, 1, 4]]);
  });

  it('are refused by name where they are not known', () => {
    expect(() => refuseUnlessPlain(shop, 'the dispatching rules')).toThrow(
      'the dispatching rules cannot handle shops with setups, transport, precedence, resources; leave these parts out, or choose another method',
    );
    refuseUnlessPlain(createInstance(spec), 'anything');
  });

  it('are kept by variants and in shared memory', () => {
    const shared = shareInstance(shop);
    expect(shared).toEqual(shop);
    expect(shared.modes?.machine.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(replaceInstance(shop, { due: ints(9, 9) }).resources).toBe(shop.resources);
  });

  it('count in the horizon, as far as all one after the other can take', () => {
    expect(horizonOf(createInstance(spec))).toBe(5 + 2 + 6 + 1);
    // Setups up to 3 and transport up to 3 for each operation, and a lag of 1.
    expect(horizonOf(shop)).toBe(14 + 4 * (3 + 3) + 1);
  });

  const refused: [string, Partial<InstanceSpec>, string][] = [
    [
      'an operation without modes',
      modes({ offset: ints(0, 2, 2, 5, 6) }),
      'operation 1 has no mode',
    ],
    [
      'a mode of another operation',
      modes({ chosen: ints(2, 2, 4, 5) }),
      'mode 2 is not one of operation 0',
    ],
    [
      'a machine that is not there',
      modes({ machine: ints(0, 2, 1, 0, 1, 0) }),
      'the machine of a mode is 2',
    ],
    [
      'a duration that is not the mode’s',
      { duration: ints(9, 2, 4, 1) },
      'operation 0 differs from its chosen mode',
    ],
    [
      'a predecessor of another job',
      { precedence: { ...precedence, pred: ints(0, 1) } },
      'operation 1 is no predecessor of 3',
    ],
    [
      'a greatest lag below the least',
      { precedence: { ...precedence, maxLag: ints(0, -1) } },
      'is below the least',
    ],
    [
      'a need above the capacity',
      { resources: { ...resources, needAmount: ints(2) } },
      'mode 0 needs 2 of resource 0',
    ],
    [
      'setup times of another size',
      { setups: { ...setups, time: ints(0, 1, 2) } },
      'do not fit each other',
    ],
    [
      'an unknown family',
      { setups: { ...setups, family: ints(0, 2, 0, 1) } },
      'the family of an operation is 2',
    ],
    [
      'a matrix that is not there',
      { setups: { ...setups, matrixOf: ints(0, 1) } },
      'there is no matrix 1',
    ],
    ['negative transport', { transport: { time: ints(0, -2, 3, 0) } }, 'transport time of -2'],
    [
      'transport of another size',
      { transport: { time: ints(0, 2, 3) } },
      'transport time has 3 entries',
    ],
  ];
  function modes(changes: Partial<NonNullable<Instance['modes']>>): Partial<InstanceSpec> {
    return { modes: { ...(spec.modes as NonNullable<Instance['modes']>), ...changes } };
  }
  it.each(refused)('refuses %s', (_, changes, problem) => {
    expect(() => createInstance({ ...rich, ...changes })).toThrow(problem);
  });

  it('find a mode for every machine that can do an operation', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5 }), (mode) => {
        const op =
          [...shop.jobOf.keys()].findLast((v) => (shop.modes?.offset[v] ?? 0) <= mode) ?? 0;
        const { machine, duration } = shop.modes as NonNullable<Instance['modes']>;
        expect(findMode(shop, op, machine[mode], duration[mode])).toBe(mode);
      }),
    );
  });
});
