import type { PlanEntry } from '../plan.js';

/** The five numbers of a plan entry as a file has them, before its way of counting is known. */
export interface RawEntry {
  job: number;
  step: number;
  machine: number;
  start: number;
  end: number;
}

/** A number of an entry, and the names it may have in a file; the first one is ours. */
export const FIELD_NAMES = {
  job: ['job'],
  step: ['step', 'operation', 'op'],
  machine: ['machine'],
  start: ['start', 'start_time'],
  end: ['end', 'end_time'],
  duration: ['duration'],
} as const;

export type Field = keyof typeof FIELD_NAMES;

/** What may stand in a field, as the cure of what may not. */
export const FIELD_CURES: Record<Field, string> = {
  job: 'give a job as a number or like "Job1"',
  step: 'give a step as a number',
  machine: 'give a machine as a number or like "Machine0"',
  start: 'give a start as a number',
  end: 'give an end or a duration as a number',
  duration: 'give a duration as a number',
};

const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i;

/** Words that may stand before a number, with something between or not: `Job1`, `job 1`, `J_1`. */
const LABELS: Partial<Record<Field, RegExp>> = {
  job: /^\s*(?:job|j)[\s_#-]*(\d+)\s*$/i,
  step: /^\s*(?:step|operation|op|o|s)[\s_#-]*(\d+)\s*$/i,
  machine: /^\s*(?:machine|m)[\s_#-]*(\d+)\s*$/i,
};

/** The number in a field: a number, the text of one, or a label with one. NaN for all else. */
export function fieldNumber(field: Field, value: unknown): number {
  if (typeof value === 'number') return Number.isFinite(value) ? value : Number.NaN;
  if (typeof value !== 'string') return Number.NaN;
  const label = LABELS[field]?.exec(value);
  if (label) return Number(label[1]);
  const number = NUMBER.test(value) ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : Number.NaN;
}

/**
 * Turns the entries of a file into entries of a plan, in place. Jobs and steps count from 1 in
 * files, unless one of them is 0: then they count from 0 in that file.
 */
export function entriesFromRaw(entries: RawEntry[]): PlanEntry[] {
  const job = entries.some((entry) => entry.job === 0) ? 0 : 1;
  const step = entries.some((entry) => entry.step === 0) ? 0 : 1;
  for (const entry of entries) {
    entry.job -= job;
    entry.step -= step;
  }
  return entries;
}
