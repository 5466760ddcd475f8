import { InputError, type InputLocation } from '@alas-jssp/core/errors';
import type { Instance } from '../instance.js';
import { labelProblem, labelsOf } from '../labels.js';
import type { PlanEntry } from '../plan.js';
import { createNeedsReader, type NeedsReader } from './plan-needs.js';
import { readTime } from './time-fields.js';

/** The numbers of a plan entry from a file, before the base of counting is known. */
export interface RawEntry {
  job: number;
  step: number;
  machine: number;
  start: number;
  end: number;
  /** From 0: files count from 1. */
  mode?: number;
}

/** The fields of an entry, and their names in files; the first one is ours. */
export const FIELD_NAMES = {
  job: ['job'],
  step: ['step', 'operation', 'op'],
  machine: ['machine'],
  start: ['start', 'start_time'],
  end: ['end', 'end_time'],
  duration: ['duration'],
  mode: ['mode'],
} as const;

export type PlanField = keyof typeof FIELD_NAMES;

/** The hint for each field. */
export const FIELD_HINTS: Record<PlanField, string> = {
  job: 'give a job as a number or like "Job1"',
  step: 'give a step as a number',
  machine: 'give a machine as a number or like "Machine0"',
  start: 'give a start as a number',
  end: 'give an end or a duration as a number',
  duration: 'give a duration as a number',
  mode: 'give a mode as a number from 1, or leave it out',
};

const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i;

/** Words that may precede a number, with or without a separator: `Job1`, `job 1`, `J_1`. */
const LABELS: Partial<Record<PlanField, RegExp>> = {
  job: /^\s*(?:job|j)[\s_#-]*(\d+)\s*$/i,
  step: /^\s*(?:step|operation|op|o|s)[\s_#-]*(\d+)\s*$/i,
  machine: /^\s*(?:machine|m)[\s_#-]*(\d+)\s*$/i,
};

/** The number in a field: a number, the text of one, or a label with one. NaN for anything else. */
export function fieldNumber(field: PlanField, value: unknown): number {
  if (typeof value === 'number') return Number.isFinite(value) ? value : Number.NaN;
  if (typeof value !== 'string') return Number.NaN;
  const label = LABELS[field]?.exec(value);
  if (label) return Number(label[1]);
  const number = NUMBER.test(value) ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : Number.NaN;
}

/** A date that cannot be a number. */
const DATE = /^\s*\d{4}-\d\d/;

/** Reads the fields of plans for an instance, with its names and its clock. */
export interface FieldReader {
  /**
   * The number in a field, as {@link fieldNumber}. Names of jobs and steps count from 1; a start or end may be a date
   * if the instance has a clock.
   *
   * @param job the job of the same entry, which has the names of its steps
   * @throws InputError `bad_plan` for an unknown name, or a date that is invalid for that clock
   */
  number(field: PlanField, value: unknown, location: () => InputLocation, job?: number): number;
  /** Whether modes are read: not for an instance without any, whose plans may have other keys of that name. */
  readonly readsModes: boolean;
  /** Reads operators and tools; null for an instance without any, or an unknown one. */
  readonly needs: NeedsReader | null;
  /** Whether a name has determined the numbers of the first job and step. */
  readonly hasNames: boolean;
}

/** Creates a reader for plans of an instance, if it is known. */
export function createFieldReader(instance: Instance | undefined): FieldReader {
  const scale = instance?.timeScale;
  const labels = instance?.names ? labelsOf(instance) : undefined;
  let hasNames = false;
  const find = (field: PlanField, value: unknown, job: number) => {
    if (field === 'job') return labels?.findJob(value);
    if (field === 'machine') return labels?.findMachine(value);
    return field === 'step' ? labels?.findStep(job - 1, value) : undefined;
  };
  return {
    needs: createNeedsReader(instance),
    readsModes: instance === undefined || instance.modes !== null,
    get hasNames() {
      return hasNames;
    },
    number(field, value, location, job = 0) {
      if (field === 'start' || field === 'end') {
        const isDate = scale && typeof value === 'string' && DATE.test(value);
        return isDate
          ? readTime(scale, value.trim(), 'bad_plan', location())
          : fieldNumber(field, value);
      }
      const found = find(field, value, job);
      if (found === undefined) return fieldNumber(field, value);
      if (found.hint !== undefined) {
        const problem = labelProblem(field, value, found);
        throw new InputError('bad_plan', problem, found.hint, location(), value);
      }
      if (field === 'machine') return found.index;
      hasNames = true;
      return found.index + 1;
    },
  };
}

/**
 * Converts the entries of a file of unknown origin to plan entries, in place. Jobs count from 1, unless more entries
 * have the job 0 than the job n, the number of jobs: only one of the two can be valid, so that a stray 0 in a file that
 * counts from 1 remains a single wrong entry. The same applies to steps and the length of their job. Without the
 * instance n is unknown: any 0 then means counting from 0. Files that refer to a job or a step by name count from 1.
 */
export function entriesFromRaw(
  entries: RawEntry[],
  fields: FieldReader,
  instance?: Instance,
): PlanEntry[] {
  if (fields.hasNames) return entriesFromOne(entries, fields);
  const lastJob = () => instance?.jobs;
  const lastStep = ({ job }: RawEntry) =>
    instance === undefined ? undefined : instance.jobOffset[job + 1] - instance.jobOffset[job];
  const firstJob = firstNumber(entries, ({ job }) => job, lastJob);
  for (const entry of entries) entry.job -= firstJob;
  const firstStep = firstNumber(entries, ({ step }) => step, lastStep);
  for (const entry of entries) entry.step -= firstStep;
  fields.needs?.settle();
  return entries;
}

/** The same as {@link entriesFromRaw} for our own files, which always count from 1. */
export function entriesFromOne(entries: RawEntry[], { needs }: FieldReader): PlanEntry[] {
  for (const entry of entries) {
    entry.job--;
    entry.step--;
  }
  needs?.settle();
  return entries;
}

/** The base of counting: 0 if more items have a 0 than have the last number that counting from 1 allows. */
export function firstNumber<T>(
  items: readonly T[],
  numberOf: (item: T) => number | undefined,
  lastOf: (item: T) => number | undefined,
): 0 | 1 {
  let fromZero = 0;
  let fromOne = 0;
  for (const item of items) {
    const number = numberOf(item);
    if (number === 0) fromZero++;
    else if (number !== undefined && number === lastOf(item)) fromOne++;
  }
  return fromZero > fromOne ? 0 : 1;
}
