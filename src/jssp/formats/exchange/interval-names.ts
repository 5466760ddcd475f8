/** The numbers in the name of an interval, as they are written there: they count from 0 or from 1. */
export interface IntervalNumbers {
  readonly job: number;
  readonly step?: number;
  readonly machine?: number;
  readonly alternative?: number;
}

/** A number in a name, by the thing it counts. */
export type IntervalPart = keyof IntervalNumbers;

/** The hint for a name that is not understood. */
export const NAMES_HINT =
  'names with two numbers, such as interval_0_1 or J1O2 (job, operation) and J1M3 (job, machine), are understood, with a machine (J1O2M3) or alternative (j0_t1_a2) after them';

const WORDS: Readonly<Record<string, IntervalPart>> = {
  j: 'job',
  job: 'job',
  o: 'step',
  op: 'step',
  operation: 'step',
  s: 'step',
  step: 'step',
  t: 'step',
  task: 'step',
  m: 'machine',
  machine: 'machine',
  a: 'alternative',
  alt: 'alternative',
  alternative: 'alternative',
};

/**
 * The numbers in a name: `J1O2M3` and `job 1, task 2` say what they count, `interval_0_1` has a job and a step. Words
 * without a number, as in `start_0_1_suffix`, mean nothing. Undefined for any other name.
 */
export function numbersInName(name: string): IntervalNumbers | undefined {
  const found: { readonly word: string; readonly number: number }[] = [];
  let word = '';
  for (const part of name.match(/[a-z]+|\d+/gi) ?? []) {
    if (/\d/.test(part)) {
      found.push({ word, number: Number(part) });
      word = '';
    } else word = part.toLowerCase();
  }
  return found.slice(1).some((one) => one.word === '') ? inOrder(found) : byWords(found);
}

type Found = readonly { readonly word: string; readonly number: number }[];

/** A job and a step without words between them: `interval_0_1`, `task_0_1`, `x[0][1]`. */
function inOrder(found: Found): IntervalNumbers | undefined {
  const [first, second] = found;
  const counts = Object.hasOwn(WORDS, first.word) ? WORDS[first.word] : 'job';
  const isOfTwo = found.length === 2 && (counts === 'job' || counts === 'step');
  return isOfTwo ? { job: first.number, step: second.number } : undefined;
}

function byWords(found: Found): IntervalNumbers | undefined {
  const numbers: { -readonly [K in IntervalPart]?: number } = {};
  for (const { word, number } of found) {
    const counts = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
    if (counts === undefined || numbers[counts] !== undefined) return undefined;
    numbers[counts] = number;
  }
  const { job, step, machine, alternative } = numbers;
  if (job === undefined || (step === undefined && machine === undefined)) return undefined;
  return alternative !== undefined && (step === undefined || machine !== undefined)
    ? undefined
    : { ...numbers, job };
}
