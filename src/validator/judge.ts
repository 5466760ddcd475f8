import { type Instance, MAX_TIME } from '../jssp/instance.js';
import { checkStarts } from '../jssp/schedule.js';
import { inspectOperations } from './inspection.js';
import { countOverlaps, createMachineOrders, worksInSequence } from './machine-orders.js';

/**
 * A judge of start times for one instance, for hot loops: it allocates nothing after its creation and caches the
 * machine orders of the last schedule, so that judging a similar one is fast. The cache never changes a verdict. Its
 * input is N start times, −1 for none.
 */
export interface Judge {
  /** Whether the start times violate no rule; stops at the first violation. */
  isFeasible(starts: Int32Array): boolean;
  /**
   * The number of violations: the same as `validate` counts for these start times, except for `below_lower_bound`,
   * which is about bounds and not about start times.
   */
  countViolations(starts: Int32Array): number;
}

/** Creates a judge with its own workspace: about 8 bytes per operation. */
export function createJudge(instance: Instance): Judge {
  const { machines } = instance;
  const orders = createMachineOrders(instance);
  const ends = new Int32Array(instance.operations);
  const timeJobs = hasOnlyJobs(instance) ? timePlainJobs : timeJobsByEveryRule(instance);

  let faults = 0;
  let complete = true;
  const onFault = (fault: string): void => {
    faults++;
    if (fault === 'missing_operation' || fault === 'unusable') complete = false;
  };

  return {
    isFeasible: (starts) => {
      checkStarts(instance, starts);
      if (!timeJobs(instance, starts, ends)) return false;
      for (let k = 0; k < machines; k++) {
        if (!worksInSequence(orders, k, starts, ends)) return false;
      }
      return true;
    },
    countViolations: (starts) => {
      checkStarts(instance, starts);
      faults = 0;
      complete = true;
      inspectOperations(instance, starts, ends, onFault);
      let count = faults;
      for (let k = 0; k < machines; k++) {
        if (complete && worksInSequence(orders, k, starts, ends)) continue;
        count += countOverlaps(orders, k, starts, ends);
      }
      return count;
    },
  };
}

const judges = new WeakMap<Instance, Judge>();

/**
 * Whether start times (N of them) make a feasible schedule. Caches one judge per instance.
 *
 * @throws AlasError `bad_starts` if they are not an Int32Array with one entry per operation
 */
export function isFeasible(instance: Instance, starts: Int32Array): boolean {
  return judgeOf(instance).isFeasible(starts);
}

/**
 * The number of violations of start times (N of them, −1 for none); see {@link Judge}.
 *
 * @throws AlasError `bad_starts` if they are not an Int32Array with one entry per operation
 */
export function countViolations(instance: Instance, starts: Int32Array): number {
  return judgeOf(instance).countViolations(starts);
}

function judgeOf(instance: Instance): Judge {
  let judge = judges.get(instance);
  if (judge === undefined) {
    judge = createJudge(instance);
    judges.set(instance, judge);
  }
  return judge;
}

function hasOnlyJobs({ release, deadline, frozen, calendar }: Instance): boolean {
  return release === null && deadline === null && frozen === null && calendar === null;
}

/**
 * Computes completion times; false if an operation has no usable start or starts before its predecessor in the job is
 * done.
 */
function timePlainJobs(instance: Instance, starts: Int32Array, ends: Int32Array): boolean {
  const { jobs, jobOffset, duration } = instance;
  for (let job = 0; job < jobs; job++) {
    const stop = jobOffset[job + 1];
    let ready = 0;
    for (let op = jobOffset[job]; op < stop; op++) {
      const start = starts[op];
      if (start < ready || start > MAX_TIME - duration[op]) return false;
      ready = start + duration[op];
      ends[op] = ready;
    }
  }
  return true;
}

/** As {@link timePlainJobs}, for instances with releases, deadlines, frozen starts, downtimes. */
function timeJobsByEveryRule(instance: Instance): typeof timePlainJobs {
  let faults = 0;
  const onFault = (): void => {
    faults++;
  };
  return (_instance, starts, ends) => {
    faults = 0;
    inspectOperations(instance, starts, ends, onFault);
    return faults === 0;
  };
}
