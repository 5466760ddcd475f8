import { completionTime } from '../../jssp/calendar.js';
import { createInstance, type Instance, isFree } from '../../jssp/instance.js';
import {
  eachPredecessor,
  modeDuration,
  modeMachine,
  modesOf,
  type Precedence,
  type Setups,
} from '../../jssp/shop-parts.js';
import { fitsFlexibleKernel } from '../../search/flexible/fits.js';

/**
 * The free operations of a shop in execution, as a shop without frozen starts and downtimes whose times count from
 * `base`. Dummy operations that are not to be moved keep jobs and machines busy until they are free.
 */
export interface KernelShop {
  readonly instance: Instance;
  /** The operation of the whole shop that each one is; −1 for dummies. */
  readonly operation: Int32Array;
  /** The mode of the whole shop that each one is; −1 for those of dummies. */
  readonly mode: Int32Array;
  readonly base: number;
}

/** Entries of the setup matrices of a kernel, at most: every machine with started work adds a family. */
const MOST_SETUPS = 2 ** 20;

/**
 * The free operations of a shop with setups, transport, graphs or releases, in absolute times. Two sorts of dummy
 * operations, which stay where they are, stand for the past: one keeps each machine busy until its started work and its
 * downtimes end, and has the setups that follow its last operation; one of no duration, on the machine of each started
 * operation that free ones follow, ends when that operation does.
 *
 * A setup before which its machine is down counts from the end of that downtime, although a part may have been possible
 * earlier: the kernel's times are never too early.
 *
 * @param horizon a time after which downtimes do not matter
 * @returns null if the kernel does not fit: downtimes that begin after free operations could start, resources, greatest
 *   lags, free operations before started ones, modes without duration
 */
export function kernelShopWithParts(instance: Instance, horizon: number): KernelShop | null {
  const { operations } = instance;
  if (!fitsFlexibleKernel({ ...instance, calendar: null, deadline: null }, 'makespan')) return null;
  const ends = endsOfStarted(instance);
  const isKept = new Uint8Array(operations);
  for (let op = 0; op < operations; op++) {
    const isOpen = isFree(instance, op);
    if (isOpen) isKept[op] = 1;
    let fits = true;
    eachPredecessor(instance, op, (from) => {
      if (isOpen) isKept[from] = 1;
      else if (isFree(instance, from)) fits = false;
    });
    if (!fits) return null;
  }
  const past = pastOf(instance, ends, horizon);
  return past === null ? null : assemble(instance, ends, isKept, past);
}

/** N entries: the end of each started operation, −1 for free ones. */
function endsOfStarted(instance: Instance): Int32Array {
  const { operations, frozen } = instance;
  return Int32Array.from({ length: operations }, (_, op) =>
    frozen === null || frozen[op] < 0 ? -1 : completionTime(instance, op, frozen[op]),
  );
}

/** m entries each: the last started operation of each machine (−1: none), and when the machine is free for good. */
interface MachinePast {
  readonly last: Int32Array;
  readonly open: Int32Array;
}

function pastOf(instance: Instance, ends: Int32Array, horizon: number): MachinePast | null {
  const { machines, machine, duration, operations, release, calendar } = instance;
  const last = new Int32Array(machines).fill(-1);
  const open = new Int32Array(machines);
  let earliest = Number.POSITIVE_INFINITY;
  for (let op = 0; op < operations; op++) {
    const k = machine[op];
    if (ends[op] < 0) earliest = Math.min(earliest, release?.[op] ?? 0);
    else if (duration[op] > 0 && (last[k] < 0 || ends[op] >= open[k])) {
      last[k] = op;
      open[k] = ends[op];
    }
  }
  if (earliest === Number.POSITIVE_INFINITY) return null;
  if (calendar === null) return { last, open };
  const { offset, from, to } = calendar;
  for (let k = 0; k < machines; k++) {
    for (let i = offset[k]; i < offset[k + 1]; i++) {
      if (to[i] <= open[k] || from[i] >= horizon) continue;
      if (from[i] > Math.max(open[k], earliest)) return null;
      open[k] = to[i];
    }
  }
  return { last, open };
}

function assemble(
  whole: Instance,
  ends: Int32Array,
  isKept: Uint8Array,
  past: MachinePast,
): KernelShop | null {
  const operation: number[] = [];
  const [modeOffset, jobOffset] = [[0], [0]];
  const mode: number[] = [];
  const machine: number[] = [];
  const duration: number[] = [];
  const release: number[] = [];
  const family: number[] = [];
  const busy: number[] = [];
  const number = new Int32Array(whole.operations).fill(-1);
  const { setups } = whole;
  const addMode = (own: number, k: number, length: number) => {
    mode.push(own);
    machine.push(k);
    duration.push(length);
  };
  const endOperation = (op: number, from: number, kind: number) => {
    operation.push(op);
    release.push(from);
    family.push(kind);
    modeOffset.push(mode.length);
  };
  for (let k = 0; k < whole.machines; k++) {
    if (past.open[k] === 0) continue;
    addMode(-1, k, past.open[k]);
    endOperation(-1, 0, (setups?.families ?? 0) + busy.length);
    busy.push(k);
    jobOffset.push(operation.length);
  }
  for (let job = 0; job < whole.jobs; job++) {
    for (let op = whole.jobOffset[job]; op < whole.jobOffset[job + 1]; op++) {
      if (isKept[op] === 0) continue;
      number[op] = operation.length;
      if (ends[op] >= 0) {
        addMode(-1, whole.machine[op], 0);
        endOperation(-1, ends[op], 0);
        continue;
      }
      const [first, stop] = modesOf(whole, op);
      for (let one = first; one < stop; one++) {
        addMode(one, modeMachine(whole, one), modeDuration(whole, one));
      }
      endOperation(op, whole.release?.[op] ?? 0, setups?.family[op] ?? 0);
    }
    if (operation.length > (jobOffset.at(-1) ?? 0)) jobOffset.push(operation.length);
  }
  const allSetups = setups === null ? null : setupsAfter(setups, family, busy, past.last);
  if (allSetups === undefined) return null;
  const offset = Int32Array.from(modeOffset);
  const chosen = offset.slice(0, -1);
  const instance = createInstance({
    name: whole.name,
    machines: whole.machines,
    jobOffset: Int32Array.from(jobOffset),
    machine: chosen.map((one) => machine[one]),
    duration: chosen.map((one) => duration[one]),
    release: Int32Array.from(release),
    setups: allSetups,
    transport: whole.transport,
    precedence: precedenceOf(whole, number, ends),
    modes: {
      offset,
      machine: Int32Array.from(machine),
      duration: Int32Array.from(duration),
      chosen,
    },
  });
  return { instance, operation: Int32Array.from(operation), mode: Int32Array.from(mode), base: 0 };
}

/**
 * The setups with one more family for each busy machine, in which its dummy is: it needs none itself, and after it come
 * those after the last started operation.
 *
 * @returns undefined if the matrices become too large
 */
function setupsAfter(
  setups: Setups,
  family: readonly number[],
  busy: readonly number[],
  last: Int32Array,
): Setups | undefined {
  const { families, matrixOf, anticipatory } = setups;
  const matrices = setups.first.length / families;
  const all = families + busy.length;
  if (matrices * all * all > MOST_SETUPS) return undefined;
  const time = new Int32Array(matrices * all * all);
  const first = new Int32Array(matrices * all);
  for (let matrix = 0; matrix < matrices; matrix++) {
    const own = matrix * families;
    for (let to = 0; to < families; to++) {
      first[matrix * all + to] = setups.first[own + to];
      for (let from = 0; from < families; from++) {
        time[(matrix * all + from) * all + to] = setups.time[(own + from) * families + to];
      }
      busy.forEach((k, i) => {
        const before = last[k] < 0 ? -1 : setups.family[last[k]];
        time[(matrix * all + families + i) * all + to] =
          before < 0 ? setups.first[own + to] : setups.time[(own + before) * families + to];
      });
    }
  }
  return { families: all, family: Int32Array.from(family), matrixOf, time, first, anticipatory };
}

/** The precedence among the operations of a kernel shop by their numbers in it. */
function precedenceOf(whole: Instance, number: Int32Array, ends: Int32Array): Precedence {
  const offset = [0];
  const pred: number[] = [];
  const minLag: number[] = [];
  // The dummies of machines come first.
  const dummies = number.find((one) => one >= 0) ?? 0;
  for (let i = 0; i < dummies; i++) offset.push(0);
  for (let op = 0; op < number.length; op++) {
    if (number[op] < 0) continue;
    if (ends[op] < 0) {
      eachPredecessor(whole, op, (from, lag) => {
        pred.push(number[from]);
        minLag.push(lag);
      });
    }
    offset.push(pred.length);
  }
  return {
    offset: Int32Array.from(offset),
    pred: Int32Array.from(pred),
    minLag: Int32Array.from(minLag),
    maxLag: new Int32Array(pred.length).fill(-1),
  };
}
