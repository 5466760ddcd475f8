import type { Setups } from '../../shop-parts.js';
import { refusePyJobShop } from './pyjobshop-jobs.js';
import type { ReadModes } from './pyjobshop-modes.js';
import type { PyJobShopData } from './pyjobshop-schema.js';

/** The limit of the tables of setups, as in our own files. */
const MOST_ENTRIES = 25_000_000;

/**
 * Setups between tasks as setups between families: tasks with the same times before and after all others are one
 * family. Null if there are none.
 */
export function pyJobShopSetups(
  data: PyJobShopData,
  task: Int32Array,
  { machines }: ReadModes,
  file: string | undefined,
): Setups | null {
  const listed = data.constraints.setup_times;
  if (listed.every(({ duration }) => duration === 0)) return null;
  const machineAt = new Map(machines.map((resource, k) => [resource, k]));
  const times = new Map<number, Map<string, number>>();
  const signature: string[][] = data.tasks.map(() => []);
  listed.forEach(({ machine, task1, task2, duration }, i) => {
    const k = machineAt.get(machine);
    const path = ['constraints', 'setup_times', i];
    if (k === undefined) {
      refusePyJobShop(
        `resource ${machine} is no machine`,
        'name a machine',
        [...path, 'machine'],
        file,
        machine,
      );
    } else if (data.resources[machine].breaks.length > 0) {
      const problem = `resource ${machine} has breaks and setups, which may take place during breaks in PyJobShop`;
      refusePyJobShop(
        problem,
        'leave one of them out: no setup takes place in a downtime here',
        path,
        file,
      );
    } else if (Math.max(task1, task2) >= data.tasks.length) {
      refusePyJobShop('there is no such task', `use 0 to ${data.tasks.length - 1}`, path, file);
    } else if (duration > 0) {
      times.set(k, (times.get(k) ?? new Map<string, number>()).set(`${task1} ${task2}`, duration));
    }
  });
  for (const [k, ofMachine] of times) {
    for (const [pair, duration] of ofMachine) {
      const [before, after] = pair.split(' ').map(Number);
      signature[before].push(`${k}>${after}:${duration}`);
      signature[after].push(`${k}<${before}:${duration}`);
    }
  }
  const familyOf = new Map<string, number>();
  const representative: number[] = [];
  const family = Int32Array.from(task, (one) => {
    const key = signature[one].sort().join(' ');
    const known = familyOf.get(key);
    if (known !== undefined) return known;
    familyOf.set(key, representative.length);
    return representative.push(one) - 1;
  });
  const families = representative.length;
  if (times.size * families * families > MOST_ENTRIES) {
    const problem = `the setups make ${families} families on ${times.size} machines`;
    const hint = `at most ${MOST_ENTRIES} entries are possible: use setup times that many tasks share`;
    refusePyJobShop(problem, hint, ['constraints', 'setup_times'], file);
  }
  const matrixOf = new Int32Array(machines.length).fill(-1);
  const time = new Int32Array(times.size * families * families);
  [...times]
    .sort(([a], [b]) => a - b)
    .forEach(([k, ofMachine], matrix) => {
      matrixOf[k] = matrix;
      for (let from = 0; from < families; from++) {
        for (let to = 0; to < families; to++) {
          const pair = `${representative[from]} ${representative[to]}`;
          time[(matrix * families + from) * families + to] = ofMachine.get(pair) ?? 0;
        }
      }
    });
  return {
    families,
    names: null,
    family,
    matrixOf,
    time,
    first: new Int32Array(times.size * families),
    anticipatory: new Uint8Array(machines.length).fill(1),
  };
}
