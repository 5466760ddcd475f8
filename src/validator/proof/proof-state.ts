import type { Instance } from '../../jssp/instance.js';
import { refuseProof } from './proof-line.js';

/** The pairs of operations on machines that there is memory for, a byte each. */
const MAX_PAIRS = 2 ** 30;

/**
 * The facts known of all schedules that end by a limit: of each operation a head (the time before which it cannot start)
 * and a tail (the time that must pass after its end), and orders of operations of a machine.
 */
export interface ProofState {
  readonly head: Float64Array;
  readonly tail: Float64Array;
  /** Whether two facts contradict each other. */
  readonly isContradiction: boolean;
  /** Whether two operations occupy the same machine, so that one of them must end before the other starts. */
  areRivals(a: number, b: number): boolean;
  /** Whether a rival is known to come before another. */
  isBefore(a: number, b: number): boolean;
  /** Takes note that a rival comes before another. */
  order(a: number, b: number): void;
  /** Raises a head, and those of the later operations of the job. */
  raiseHead(op: number, time: number): void;
  /** Raises a tail, and those of the earlier operations of the job. */
  raiseTail(op: number, time: number): void;
  /** Takes note that there is no such schedule. */
  contradict(): void;
  /** Opens a trial: facts from now on are assumptions and what follows from them. */
  assume(): void;
  /** Ends the trial and forgets its facts. */
  dismiss(): void;
}

/** Creates the state in which only jobs and their releases are known. */
export function createProofState(instance: Instance, limit: number): ProofState {
  const { operations, jobs, jobOffset, jobOf, duration, machine, machineOperations } = instance;
  const head = new Float64Array(operations).fill(-1);
  const tail = new Float64Array(operations).fill(-1);
  const { slot, row, cells } = numberPairs(instance);
  const before = new Uint8Array(cells);
  const undo: (() => void)[] = [];
  let isTrial = false;
  let isContradiction = false;

  const set = (times: Float64Array, op: number, time: number): void => {
    if (isTrial) {
      const old = times[op];
      undo.push(() => {
        times[op] = old;
      });
    }
    times[op] = time;
    if (head[op] + duration[op] + tail[op] > limit) isContradiction = true;
  };

  const raiseHead = (op: number, time: number): void => {
    const end = jobOffset[jobOf[op] + 1];
    let least = time;
    for (let i = op; i < end && head[i] < least; i++) {
      set(head, i, least);
      least += duration[i];
    }
  };

  const raiseTail = (op: number, time: number): void => {
    const first = jobOffset[jobOf[op]];
    let least = time;
    for (let i = op; i >= first && tail[i] < least; i--) {
      set(tail, i, least);
      least += duration[i];
    }
  };

  for (let job = 0; job < jobs; job++) {
    if (jobOffset[job] === jobOffset[job + 1]) continue;
    for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
      raiseHead(op, releaseOf(instance, op));
    }
    raiseTail(jobOffset[job + 1] - 1, 0);
  }
  // Operations of one job are in the order of the job.
  for (const a of machineOperations) {
    for (let b = a + 1; b < jobOffset[jobOf[a] + 1]; b++) {
      if (machine[a] === machine[b]) before[row[a] + slot[b]] = 1;
    }
  }

  return {
    head,
    tail,
    get isContradiction() {
      return isContradiction;
    },
    areRivals: (a, b) => a !== b && machine[a] === machine[b] && duration[a] > 0 && duration[b] > 0,
    isBefore: (a, b) => before[row[a] + slot[b]] === 1,
    order: (a, b) => {
      if (before[row[b] + slot[a]] === 1) isContradiction = true;
      const cell = row[a] + slot[b];
      if (before[cell] === 1) return;
      before[cell] = 1;
      if (!isTrial) return;
      undo.push(() => {
        before[cell] = 0;
      });
    },
    raiseHead,
    raiseTail,
    contradict: () => {
      isContradiction = true;
    },
    assume: () => {
      isTrial = true;
    },
    dismiss: () => {
      for (let change = undo.pop(); change !== undefined; change = undo.pop()) change();
      isTrial = false;
      isContradiction = false;
    },
  };
}

/** An operation that has started need not have waited for its release. */
function releaseOf({ release, frozen }: Instance, op: number): number {
  if (release === null) return 0;
  return frozen !== null && frozen[op] >= 0 ? Math.min(release[op], frozen[op]) : release[op];
}

/** For each operation its place on its machine, and where its row of pairs begins. */
function numberPairs({ name, machines, machineOffset, machineOperations, operations }: Instance) {
  const slot = new Int32Array(operations);
  const row = new Int32Array(operations);
  let cells = 0;
  for (let k = 0; k < machines; k++) {
    const first = machineOffset[k];
    const width = machineOffset[k + 1] - first;
    for (let x = 0; x < width; x++) {
      const op = machineOperations[first + x];
      slot[op] = x;
      row[op] = cells;
      cells += width;
    }
    if (cells > MAX_PAIRS) refuseProof(`${name} has too many operations on its machines`);
  }
  return { slot, row, cells };
}
