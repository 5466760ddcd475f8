import { InputError } from '@alas-jssp/core/errors';
import type { Instance } from '../../instance.js';
import type { JobDetails } from '../../job-details.js';
import { modeCount, modesOf } from '../../shop-parts.js';

/**
 * The details of a job that keep the numbers of its tasks and modes in a file of PyJobShop, where these are not listed
 * job by job. Solutions refer to those numbers.
 */
const HEADINGS = { tasks: 'PyJobShop tasks', modes: 'PyJobShop modes' } as const;

/** The numbers by which PyJobShop refers to an instance. */
export interface PyJobShopNumbers {
  /** N entries: the task of each operation. */
  readonly task: Int32Array;
  /** M entries: the number of each mode; N entries without alternatives. */
  readonly mode: Int32Array;
}

/** Details that keep the numbers of tasks and modes; undefined if they are in the order of the instance. */
export function detailsOfNumbers(
  jobOffset: Int32Array,
  modeOffset: Int32Array,
  { task, mode }: PyJobShopNumbers,
): JobDetails[] | undefined {
  const isInOrder = (numbers: Int32Array) => numbers.every((number, i) => number === i);
  const [tasks, modes] = [isInOrder(task), isInOrder(mode)];
  if (tasks && modes) return undefined;
  return Array.from({ length: jobOffset.length - 1 }, (_, job) => {
    const [first, stop] = [jobOffset[job], jobOffset[job + 1]];
    return {
      ...(!tasks && { [HEADINGS.tasks]: rangesText(task.subarray(first, stop)) }),
      ...(!modes && {
        [HEADINGS.modes]: rangesText(mode.subarray(modeOffset[first], modeOffset[stop])),
      }),
    };
  });
}

/**
 * The numbers of tasks and modes of an instance in PyJobShop: those in the details of its jobs, otherwise its own order.
 *
 * @throws InputError `bad_numbers` if the details do not number each task once, for instance after a job was removed
 */
export function pyJobShopNumbers(instance: Instance): PyJobShopNumbers {
  const { operations, jobOffset } = instance;
  const modeOffset = (op: number) =>
    op < operations ? modesOf(instance, op)[0] : modeCount(instance);
  const task = numbersIn(
    instance,
    HEADINGS.tasks,
    operations,
    (job) => jobOffset[job + 1] - jobOffset[job],
  );
  const mode = numbersIn(
    instance,
    HEADINGS.modes,
    modeCount(instance),
    (job) => modeOffset(jobOffset[job + 1]) - modeOffset(jobOffset[job]),
  );
  return { task, mode };
}

/** Whether a detail keeps numbers for this format, and is therefore not lost in it. */
export function isNumberDetail(heading: string): boolean {
  return (Object.values(HEADINGS) as string[]).includes(heading);
}

function numbersIn(
  { names, jobs }: Instance,
  heading: string,
  count: number,
  lengthOf: (job: number) => number,
): Int32Array {
  const details = names?.details;
  if (!details?.some((one) => heading in one))
    return Int32Array.from({ length: count }, (_, i) => i);
  const lists = Array.from({ length: jobs }, (_, job) => numbersOf(details[job]?.[heading] ?? ''));
  const numbers = Int32Array.from(lists.flat());
  const isWhole =
    lists.every((list, job) => list.length === lengthOf(job)) &&
    numbers.toSorted().every((number, i) => number === i);
  if (isWhole) return numbers;
  throw new InputError(
    'bad_numbers',
    `the details "${heading}" do not number everything once`,
    'remove them from all jobs: the file that has these numbers is of another instance',
  );
}

/** Ascending runs as ranges: `0-3 7 5-6`. */
function rangesText(numbers: Int32Array): string {
  const parts: string[] = [];
  for (let i = 0; i < numbers.length; ) {
    let last = i;
    while (last + 1 < numbers.length && numbers[last + 1] === numbers[last] + 1) last++;
    parts.push(last === i ? `${numbers[i]}` : `${numbers[i]}-${numbers[last]}`);
    i = last + 1;
  }
  return parts.join(' ');
}

function numbersOf(text: string): number[] {
  if (!/^(\d{1,9}(-\d{1,9})?( |$))*$/.test(text)) return [-1];
  return text
    .split(' ')
    .filter((part) => part !== '')
    .flatMap((part) => {
      const [first, last = first] = part.split('-').map(Number);
      const length = last - first + 1;
      return length < 1 || length > 2 ** 24 ? [-1] : Array.from({ length }, (_, i) => first + i);
    });
}
