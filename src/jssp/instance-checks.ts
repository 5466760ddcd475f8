import { InputError } from '@alas-jssp/core/errors';

/**
 * The limit of the sum of all weights: 2^23, so that the total weighted tardiness of jobs that end by `MAX_TIME` (2^30
 * − 1) is a safe integer.
 */
export const MAX_TOTAL_WEIGHT = 2 ** 23;

/** Throws the error for an invalid instance, without a location in a file. */
export function refuseUnless(holds: boolean, problem: string, hint: string, value?: unknown): void {
  if (!holds) throw new InputError('bad_instance', problem, hint, {}, value);
}

/**
 * The check at every entry point that accepts the arrays of an instance: inner loops rely on whole numbers of 32 bits.
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

/** The arrays of a calendar, as in `Calendar`. */
interface DowntimeArrays extends Readonly<Record<'offset' | 'from' | 'to', Int32Array>> {
  readonly resumable: Uint8Array;
  readonly estimated?: Uint8Array | undefined;
  readonly until?: number | undefined;
}

/** Checks a calendar and returns the end of its last downtime. */
export function checkCalendar(
  { offset, from, to, resumable, estimated, until }: DowntimeArrays,
  machines: number,
): number {
  checkInt32(offset, 'calendar offset');
  checkInt32(from, 'calendar from');
  checkInt32(to, 'calendar to');
  refuseUnless(
    offset.length === machines + 1 &&
      offset[0] === 0 &&
      offset[machines] === from.length &&
      from.length === to.length &&
      from.length === resumable.length &&
      from.length === (estimated ?? resumable).length,
    'the arrays of the calendar do not fit each other',
    'offset has one entry per machine plus one, the others one per downtime',
  );
  refuseUnless(
    until === undefined || (Number.isInteger(until) && until >= 0),
    `shifts are known until ${until}`,
    'give a whole number of 0 or more, or leave it out',
    until,
  );
  let last = 0;
  for (let k = 0; k < machines; k++) {
    refuseUnless(
      offset[k] <= offset[k + 1],
      `calendar offset decreases at machine ${k}`,
      'sort it',
    );
    let previous = 0;
    for (let i = offset[k]; i < offset[k + 1]; i++) {
      refuseUnless(
        from[i] >= previous && to[i] > from[i],
        `downtime [${from[i]}, ${to[i]}) of machine ${k} is empty, negative or not in order`,
        'sort the downtimes of a machine and join those that overlap',
      );
      previous = to[i];
    }
    if (previous > last) last = previous;
  }
  return last;
}
