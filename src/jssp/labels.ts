import { suggestNames } from '@alas-jssp/core/nearest-names';
import type { Instance } from './instance.js';
import { LABEL_WORDS, labelIndex, type NamedKind } from './instance-names.js';
import { operationLabels } from './operation-labels.js';

/** An index from 0, or the hint for a value that is unknown or ambiguous. */
type FoundLabel =
  | { readonly index: number; readonly hint?: never }
  | { readonly hint: string; readonly alike: number };

/** Why a value names nothing: `there is no step "turn"`, or `there are 2 steps called "turning"`. */
export function labelProblem(
  noun: string,
  value: unknown,
  { alike }: { readonly alike: number },
): string {
  const shown = JSON.stringify(value)?.slice(0, 80);
  return alike > 0 ? `there are ${alike} ${noun}s called ${shown}` : `there is no ${noun} ${shown}`;
}

/**
 * The labels of jobs, machines and steps in files: their names if they have one, otherwise `Job1` and `Machine0`.
 * Readers accept both, and numbers unless a name is a number.
 */
export interface Labels {
  /** `WO-4711`, or `Job3`. */
  job(job: number): string;
  /** `Lathe 2`, or `Machine2`. */
  machine(machine: number): string;
  /** The name of a step of a job, both from 0, if it has one: `turning`, or `turning (2)` if the job has two. */
  operation(job: number, step: number): string | undefined;
  /** The same, or the number of the step from 1 if it has no name or one that is a number. */
  step(job: number, step: number): string | number;
  /**
   * The job that a value in a file names. Undefined if names do not decide: there are none, or the value is a number or
   * a label as in files of instances without names.
   */
  findJob(value: unknown): FoundLabel | undefined;
  /** The machine that a value names, like {@link Labels.findJob}. */
  findMachine(value: unknown): FoundLabel | undefined;
  /** The step of a job that a value names. A number is never a name here: it is the position in the job. */
  findStep(job: number, value: unknown): FoundLabel | undefined;
}

/** The parts of an instance that labels depend on; jobs beyond those of an instance may have names, too. */
export type Labelled = Pick<Instance, 'jobOffset' | 'names'>;

/** The labels of an instance. */
export function labelsOf({ jobOffset, names }: Labelled): Labels {
  const { jobs = null, machines = null } = names ?? {};
  const operations = operationLabels({ names, jobOffset });
  const labels: Labels = {
    job: (job) => jobs?.[job] || `${LABEL_WORDS.job.word}${job + LABEL_WORDS.job.first}`,
    machine: (machine) => machines?.[machine] || `${LABEL_WORDS.machine.word}${machine}`,
    operation(job, step) {
      const op = jobOffset[job] + step;
      return (step >= 0 && op < jobOffset[job + 1] && operations?.[op]) || undefined;
    },
    step(job, step) {
      const name = labels.operation(job, step);
      return name === undefined || isNumber(name) ? step + 1 : name;
    },
    findJob: (value) => find('job', jobs, value),
    findMachine: (value) => find('machine', machines, value),
    findStep(job, value) {
      if (typeof value !== 'string' || operations === null || isNumber(value)) return undefined;
      const own = operations.slice(jobOffset[job], jobOffset[job + 1]);
      if (own.every((name) => name === '')) return undefined;
      const twins = own.filter((_, i) => names?.operations?.[jobOffset[job] + i] === value.trim());
      if (twins.length < 2) return findIn('step', own, indexOf(own), value);
      const hint = `say which: ${twins.slice(0, MAX_LISTED).join(', ')}`;
      return { hint, alike: twins.length };
    },
  };
  return labels;
}

/** Cached indexes of names by list; lists of instances are immutable. */
const indexes = new WeakMap<readonly string[], Index>();

interface Index {
  readonly byName: ReadonlyMap<string, number>;
  /** Whether a name is a number, or like `J1`: then numbers are ambiguous. */
  readonly hasNumbers: boolean;
}

function indexOf(names: readonly string[]): Index {
  const known = indexes.get(names);
  if (known !== undefined) return known;
  const byName = new Map<string, number>();
  names.forEach((name, i) => {
    if (name !== '') byName.set(name, i);
  });
  const index = { byName, hasNumbers: names.some(isNumber) };
  indexes.set(names, index);
  return index;
}

const NUMBER = /^(?:[jmos]|op)?[\s_#-]*[+-]?\d+(?:\.\d*)?$/i;

function isNumber(name: string): boolean {
  return NUMBER.test(name.trim());
}

function find(
  kind: 'job' | 'machine',
  names: readonly string[] | null,
  value: unknown,
): FoundLabel | undefined {
  const isText = typeof value === 'string';
  if (names === null || (!isText && typeof value !== 'number')) return undefined;
  return findIn(kind, names, indexOf(names), String(value));
}

/** With more names than this, an unknown name is not compared with them, and they are not listed. */
const MAX_COMPARED = 10_000;
const MAX_LISTED = 12;

/** A hint for an unknown job or machine: the names, or the range of numbers. */
export function knownLabels(
  kind: 'job' | 'machine',
  instance: Pick<Instance, 'names'>,
  count: number,
) {
  const { word, first } = LABEL_WORDS[kind];
  const names = (instance.names?.[`${kind}s`] ?? []).filter((name) => name !== '');
  if (names.length === 0) return `use ${word}${first} to ${word}${count - 1 + first}`;
  if (names.length <= MAX_LISTED) return `use one of ${names.join(', ')}`;
  return `give the name of a ${kind}, or like "${word}${first}"`;
}

function findIn(
  kind: NamedKind,
  names: readonly string[],
  { byName, hasNumbers }: Index,
  value: string,
): FoundLabel | undefined {
  const text = value.trim();
  const index = byName.get(text);
  if (index !== undefined) return { index };
  if (labelIndex(kind, text) !== undefined || (!hasNumbers && isNumber(text))) return undefined;
  const hint = suggestNames(
    text.slice(0, 60),
    names.slice(0, MAX_COMPARED).filter((name) => name !== ''),
  );
  const isLong = hint.startsWith('use') && byName.size > MAX_LISTED;
  const { word, first } = LABEL_WORDS[kind];
  return {
    hint: isLong ? `give the name of a ${kind}, or like "${word}${first}"` : hint,
    alike: 0,
  };
}
