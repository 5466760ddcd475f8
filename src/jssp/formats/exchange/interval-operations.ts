import { InputError } from '@alas-jssp/core/errors';
import { formatPath, type JsonPath } from '@alas-jssp/core/json-path';
import type { Instance } from '../../instance.js';
import type { PlanEntry } from '../../plan.js';
import { findMode, modeDuration, modeMachine, modesOf } from '../../shop-parts.js';
import {
  type IntervalNumbers,
  type IntervalPart,
  NAMES_HINT,
  numbersInName,
} from './interval-names.js';

/** The value of a variable for an interval in a solution. */
export interface NamedInterval {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** False for an alternative that is not taken: it has no times. */
  readonly isPresent: boolean;
  readonly path: JsonPath;
}

/** The number of the first one of what is counted: 0 or 1. */
type Bases = Readonly<Partial<Record<IntervalPart, 0 | 1>>>;

/** The operation of an interval, and its mode: −1 if the name leaves it open. */
interface Placed {
  readonly op: number;
  readonly mode: number;
}

interface ReadInterval extends NamedInterval {
  readonly numbers: IntervalNumbers;
}

/**
 * The entries of intervals whose names have the numbers of jobs and operations or machines. Whether these count from 0
 * or 1 follows from the instance: it must have what is named, and if both are possible, the durations decide.
 *
 * @throws InputError `bad_plan` with an interval whose name is not understood, not in the instance or ambiguous
 */
export function entriesOfIntervals(
  intervals: readonly NamedInterval[],
  instance: Instance,
  file?: string,
): PlanEntry[] {
  const read = intervals.map((interval): ReadInterval => {
    const numbers = numbersInName(interval.name);
    if (numbers !== undefined) return { ...interval, numbers };
    throw refused(interval, 'is not understood', NAMES_HINT, file);
  });
  if (!read.some(({ isPresent }) => isPresent)) {
    const hint = 'give a solution with values: solvers in a preview edition may hide them';
    throw new InputError('bad_plan', 'no interval is present', hint, { file });
  }
  const bases = chooseBases(read, instance, file);
  const placed = read.map((one) => place(one.numbers, bases, instance) as Placed);
  return toEntries(read, placed, instance, file);
}

function chooseBases(
  read: readonly ReadInterval[],
  instance: Instance,
  file: string | undefined,
): Bases {
  const parts = (['job', 'step', 'machine', 'alternative'] as const).filter((part) =>
    read.some(({ numbers }) => numbers[part] !== undefined),
  );
  const same = ([0, 1] as const).map(
    (base): Bases => Object.fromEntries(parts.map((part) => [part, base])),
  );
  const mixed = Array.from(
    { length: 2 ** parts.length },
    (_, bits): Bases => Object.fromEntries(parts.map((part, i) => [part, (bits >> i) & 1])),
  );
  const fit = (bases: Bases) =>
    read.every(({ numbers }) => typeof place(numbers, bases, instance) !== 'string');
  const uniform = same.filter(fit);
  const found = uniform.length > 0 ? uniform : mixed.filter(fit);
  if (found.length === 0) throw misfit(read, same, instance, file);
  if (found.length === 1) return found[0];
  const exact = found.filter((bases) => hasDurations(read, bases, instance));
  if (exact.length === 1) return exact[0];
  const problem = 'may count from 0 or from 1, and the instance does not decide it';
  throw refused(read[0], problem, 'name the intervals of all operations', file);
}

/** The refusal of the first name that does not fit, with the base with which more names fit. */
function misfit(
  read: readonly ReadInterval[],
  candidates: readonly Bases[],
  instance: Instance,
  file: string | undefined,
): InputError {
  const wrong = candidates.map((bases) =>
    read.flatMap((one) => {
      const problem = place(one.numbers, bases, instance);
      return typeof problem === 'string' ? [{ one, problem }] : [];
    }),
  );
  const [{ one, problem }] = wrong[0].length <= wrong[1].length ? wrong[0] : wrong[1];
  const from = wrong[0].length <= wrong[1].length ? 0 : 1;
  const hint = `give the solution of this instance; ${NAMES_HINT}`;
  return refused(one, `does not fit the instance, counted from ${from}: ${problem}`, hint, file);
}

/** The operation and mode of a name, or a problem. */
function place(numbers: IntervalNumbers, bases: Bases, instance: Instance): Placed | string {
  const { jobs, machines, jobOffset } = instance;
  const index = (part: IntervalPart) => {
    const number = numbers[part];
    return number === undefined ? 0 : number - (bases[part] ?? 0);
  };
  const job = index('job');
  if (job < 0 || job >= jobs) return `there is no job ${numbers.job}`;
  const machine = index('machine');
  if (machine < 0 || machine >= machines) return `there is no machine ${numbers.machine}`;
  if (numbers.step === undefined) return onMachine(instance, job, machine);
  const step = index('step');
  const op = jobOffset[job] + step;
  if (step < 0 || op >= jobOffset[job + 1]) return `the job has no operation ${numbers.step}`;
  const [first, stop] = modesOf(instance, op);
  if (numbers.alternative !== undefined) {
    const mode = first + index('alternative');
    const isThere = mode >= first && mode < stop;
    return isThere ? { op, mode } : `the operation has no alternative ${numbers.alternative}`;
  }
  if (numbers.machine === undefined) return { op, mode: stop - first === 1 ? first : -1 };
  const mode = findMode(instance, op, machine);
  return mode < 0 ? `the operation cannot be on machine ${numbers.machine}` : { op, mode };
}

/** The operation of a job on a machine, if there is one only. */
function onMachine(instance: Instance, job: number, machine: number): Placed | string {
  const { jobOffset } = instance;
  let found: Placed | undefined;
  for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
    const mode = findMode(instance, op, machine);
    if (mode < 0) continue;
    if (found !== undefined) return 'the job has several operations for that machine';
    found = { op, mode };
  }
  return found ?? 'the job has no operation for that machine';
}

/** Whether all intervals are as long as their operations; downtimes may make them longer. */
function hasDurations(read: readonly ReadInterval[], bases: Bases, instance: Instance): boolean {
  return read.every(({ numbers, start, end, isPresent }) => {
    if (!isPresent) return true;
    const { op, mode } = place(numbers, bases, instance) as Placed;
    const [first, stop] = modesOf(instance, op);
    for (let one = first; one < stop; one++) {
      // A machine may have several modes.
      const isOther = mode >= 0 && modeMachine(instance, one) !== modeMachine(instance, mode);
      if (isOther) continue;
      const longer = end - start - modeDuration(instance, one);
      if (longer === 0 || (instance.calendar !== null && longer > 0)) return true;
    }
    return false;
  });
}

/** Entries of the intervals that are present. An interval without a machine has that of its alternative. */
function toEntries(
  read: readonly ReadInterval[],
  placed: readonly Placed[],
  instance: Instance,
  file: string | undefined,
): PlanEntry[] {
  const { jobOf, jobOffset } = instance;
  const isOfMode = ({ numbers: { machine, alternative } }: ReadInterval) =>
    machine !== undefined || alternative !== undefined;
  const chosen = new Map<number, ReadInterval>();
  for (const [i, one] of read.entries()) {
    if (one.isPresent && isOfMode(one)) chosen.set(placed[i].op, one);
  }
  const entries: PlanEntry[] = [];
  for (const [i, one] of read.entries()) {
    if (!one.isPresent) continue;
    const { op, mode } = placed[i];
    const other = isOfMode(one) ? undefined : chosen.get(op);
    if (other !== undefined) {
      if (other.start === one.start && other.end === one.end) continue;
      const problem = `has other times than its alternative ${JSON.stringify(other.name)}`;
      throw refused(one, problem, 'give the values of one solution', file);
    }
    if (mode < 0) {
      const hint = 'give the interval of the chosen alternative, too, such as J1O2M3';
      throw refused(one, 'does not say on which machine it is', hint, file);
    }
    const job = jobOf[op];
    const { start, end } = one;
    const entry = {
      job,
      step: op - jobOffset[job],
      machine: modeMachine(instance, mode),
      start,
      end,
    };
    const isNamed = one.numbers.alternative !== undefined && instance.modes !== null;
    entries.push(isNamed ? { ...entry, mode: mode - modesOf(instance, op)[0] } : entry);
  }
  return entries.sort((a, b) => a.job - b.job || a.step - b.step);
}

function refused(
  { name, path }: NamedInterval,
  problem: string,
  hint: string,
  file: string | undefined,
): InputError {
  const text = `the interval ${JSON.stringify(name)} ${problem}`;
  return new InputError('bad_plan', text, hint, { file, path: formatPath(path) }, name);
}
