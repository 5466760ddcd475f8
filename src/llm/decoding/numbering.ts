import { firstNumber } from '../../jssp/formats/plan-fields.js';
import type { Instance } from '../../jssp/instance.js';
import { operationAt } from '../../jssp/plan.js';
import { findMode } from '../../jssp/shop-parts.js';
import type { MachineOrder, Row } from './rows.js';

/** The numbers of the first job, step and machine in a text. */
export interface Numbering {
  readonly job: 0 | 1;
  readonly step: 0 | 1;
  readonly machine: 0 | 1;
}

/**
 * The bases of numbers in a schedule: jobs and steps from 1 and machines from 0, unless the instance proves otherwise.
 * Jobs count from 0 if more entries have job 0 than job n (the number of jobs), since only one of the two is possible;
 * the same holds for steps and the length of their job. Machines count from 1 if none is 0 and most operations then
 * match their machine; with alternative machines also only if more do so than when counting from 0. Without the
 * instance, any job or step 0 proves counting from 0.
 */
export function numberingOf(
  rows: readonly Row[],
  orders: readonly MachineOrder[],
  instance: Instance | undefined,
): Numbering {
  const job = firstNumber<{ readonly job?: number | undefined }>(
    [...rows, ...orders.flatMap(({ turns }) => turns)],
    (one) => one.job,
    () => instance?.jobs,
  );
  const lengthOf = ({ job: number }: Row) => {
    if (instance === undefined || number === undefined) return undefined;
    const { jobOffset } = instance;
    return jobOffset[number - job + 1] - jobOffset[number - job];
  };
  const step = firstNumber(rows, (row) => row.step, lengthOf);
  return { job, step, machine: firstMachine(rows, orders, instance, { job, step }) };
}

function firstMachine(
  rows: readonly Row[],
  orders: readonly MachineOrder[],
  instance: Instance | undefined,
  first: Pick<Numbering, 'job' | 'step'>,
): 0 | 1 {
  if (instance === undefined || [...rows, ...orders].some(({ machine }) => machine === 0)) return 0;
  if (rows.length === 0) {
    return orders.some(({ machine }) => machine === instance.machines) ? 1 : 0;
  }
  let shifted = 0;
  let unshifted = 0;
  for (const { job, step, machine } of rows) {
    if (job === undefined || step === undefined || machine === undefined) continue;
    const op = operationAt(instance, job - first.job, step - first.step);
    if (op < 0) continue;
    if (findMode(instance, op, machine - 1) >= 0) shifted++;
    if (findMode(instance, op, machine) >= 0) unshifted++;
  }
  const isClear = instance.modes === null || shifted > unshifted;
  return isClear && 2 * shifted > rows.length ? 1 : 0;
}
