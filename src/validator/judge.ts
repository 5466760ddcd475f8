import type { Instance } from '../jssp/instance.js';
import { checkStarts } from '../jssp/schedule.js';
import { isClassic } from '../jssp/shop-parts.js';
import { inspectOperations } from './inspection.js';
import type { Judge } from './judge-interface.js';
import { countOverlaps, createMachineOrders, worksInSequence } from './machine-orders.js';
import { createShopJudge, refuseModes } from './shop-judge.js';
import { createTimeJobs } from './time-jobs.js';

/** Creates a judge with its own workspace: about 8 bytes per operation, 60 if operations have modes. */
export function createJudge(instance: Instance): Judge {
  return isClassic(instance) ? createClassicJudge(instance) : createShopJudge(instance);
}

function createClassicJudge(instance: Instance): Judge {
  const { machines } = instance;
  const orders = createMachineOrders(instance);
  const ends = new Int32Array(instance.operations);
  const timeJobs = createTimeJobs(instance, null);

  let faults = 0;
  let complete = true;
  const onFault = (fault: string): void => {
    faults++;
    if (fault === 'missing_operation' || fault === 'unusable') complete = false;
  };

  return {
    isFeasible: (starts, modes) => {
      checkStarts(instance, starts);
      if (modes !== undefined) refuseModes(instance);
      if (!timeJobs(instance, starts, ends)) return false;
      for (let k = 0; k < machines; k++) {
        if (!worksInSequence(orders, k, starts, ends)) return false;
      }
      return true;
    },
    countViolations: (starts, modes) => {
      checkStarts(instance, starts);
      if (modes !== undefined) refuseModes(instance);
      faults = 0;
      complete = true;
      inspectOperations(instance, starts, ends, null, onFault);
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
