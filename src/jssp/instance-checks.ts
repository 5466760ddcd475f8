import { InputError } from '../core/errors.js';

/**
 * Most that the weights of all jobs may add up to: 2^23, so that the total weighted tardiness of
 * jobs that end by `MAX_TIME` (2^30 − 1) is a safe integer.
 */
export const MAX_TOTAL_WEIGHT = 2 ** 23;

/** The error of everything that is wrong with an instance but its place in a file. */
export function refuseUnless(holds: boolean, problem: string, cure: string, value?: unknown): void {
  if (!holds) throw new InputError('bad_instance', problem, cure, {}, value);
}

/**
 * The check at the boundary of everything that takes the arrays of an instance: loops behind it rely
 * on whole numbers of 32 bits.
 */
export function checkInt32(numbers: unknown, what: string): void {
  if (numbers instanceof Int32Array) return;
  refuseUnless(false, `${what} is ${describeArray(numbers)}`, 'give an Int32Array', numbers);
}

/** The kind of a value that should have been a typed array: `a Float64Array`, `a plain array`. */
export function describeArray(value: unknown): string {
  if (Array.isArray(value)) return 'a plain array';
  if (ArrayBuffer.isView(value)) return `a ${value.constructor.name}`;
  return value === undefined ? 'missing' : `no array (${value === null ? 'null' : typeof value})`;
}

export function checkInteger(value: number, what: string): void {
  refuseUnless(
    Number.isInteger(value),
    `${what} ${value} is not a whole number`,
    'use integers',
    value,
  );
}

/** Checks one optional array of times, each at least `least`, and returns its largest entry. */
export function checkTimes(
  times: Int32Array | null | undefined,
  length: number,
  what: string,
  least: number,
): number {
  if (!times) return 0;
  checkInt32(times, what);
  refuseUnless(times.length === length, `${what} has ${times.length} entries`, `give ${length}`);
  let largest = 0;
  for (const time of times) {
    if (time < least) refuseUnless(false, `${what} of ${time}`, `use ${least} or more`, time);
    if (time > largest) largest = time;
  }
  return largest;
}

/** Checks the optional weights of the jobs. */
export function checkWeights(weights: Int32Array | null | undefined, jobs: number): void {
  if (!weights) return;
  checkInt32(weights, 'weight');
  refuseUnless(weights.length === jobs, `weight has ${weights.length} entries`, `give ${jobs}`);
  let total = 0;
  weights.forEach((weight, job) => {
    if (weight < 0)
      refuseUnless(false, `weight ${weight} of job ${job + 1}`, 'use 0 or more', weight);
    total += weight;
  });
  refuseUnless(
    total <= MAX_TOTAL_WEIGHT,
    `the weights of all jobs add up to ${total}`,
    `use smaller ones: at most ${MAX_TOTAL_WEIGHT} in all`,
    total,
  );
}
