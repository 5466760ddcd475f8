import { refuseUnless } from './instance-checks.js';
import { checkDetails, type JobDetails } from './job-details.js';
import { twinLabel } from './operation-labels.js';

/**
 * The names of jobs, machines and operations. They do not affect searches and checksums; they are for people. A name
 * has at most 200 visible characters, no space at either end, and does not read like the label of another job, machine
 * or step, as `Job3` or `machine 2` would.
 */
export interface InstanceNames {
  /** n entries, no two alike, '' for a job without a name; null if none has one. */
  readonly jobs: readonly string[] | null;
  /** m entries, no two alike, '' for a machine without a name; null if none has one. */
  readonly machines: readonly string[] | null;
  /**
   * N entries, '' for an operation without a name; null if none has one. If a job has several with one name, they are
   * labelled `turning (1)` and `turning (2)`, in the order of their steps.
   */
  readonly operations: readonly string[] | null;
  /** n entries, {} for a job without details; absent if no job has any. */
  readonly details?: readonly JobDetails[] | null | undefined;
}

/** The maximum length of a name. */
export const LONGEST_NAME = 200;

/** The parts of an instance's shape on which its names depend. */
export interface NamedShape {
  readonly jobs: number;
  readonly machines: number;
  readonly operations: number;
  readonly jobOffset: Int32Array;
}

/** For each kind, the word of the label of an unnamed item, and the number of the first one. */
export const LABEL_WORDS = {
  job: { word: 'Job', first: 1 },
  machine: { word: 'Machine', first: 0 },
  step: { word: 'Step', first: 1 },
} as const;

/** The kinds of items that may have names. */
export type NamedKind = keyof typeof LABEL_WORDS;

const LABELS: Record<NamedKind, RegExp> = {
  job: /^job[\s_#-]*(\d+)$/i,
  machine: /^machine[\s_#-]*(\d+)$/i,
  step: /^step[\s_#-]*(\d+)$/i,
};

/** The index from 0 of a label such as `Job3` or `machine 2`; undefined for any other text. */
export function labelIndex(kind: NamedKind, text: string): number | undefined {
  const digits = LABELS[kind].exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits) - LABEL_WORDS[kind].first;
}

/** Names that passed the check, with the job offsets for which they did. */
const known = new WeakMap<InstanceNames, Int32Array>();

/**
 * Checks the names of an instance.
 *
 * @returns them, without lists of empty names only; null if there are none
 * @throws InputError `bad_instance` for lists that do not match the instance, for names that are too long, begin or end
 *   with a space or have control characters, for duplicate names of jobs or machines, and for a name that reads like
 *   the label of another item
 */
export function checkNames(
  names: InstanceNames | null | undefined,
  shape: NamedShape,
): InstanceNames | null {
  if (!names) return null;
  const { jobs, machines, operations, jobOffset } = shape;
  checkLength('jobs', names.jobs, jobs);
  checkLength('machines', names.machines, machines);
  checkLength('operations', names.operations, operations);
  if (known.get(names) === jobOffset) return names;
  const details = checkDetails(names.details, jobs);
  const kept = {
    jobs: nullIfEmpty(names.jobs),
    machines: nullIfEmpty(names.machines),
    operations: nullIfEmpty(withoutLabels(names.operations, shape)),
    ...(details === null ? {} : { details }),
  };
  if (Object.values(kept).every((list) => list === null)) return null;
  if (kept.jobs !== null) checkList('job', kept.jobs, 0, jobs);
  if (kept.machines !== null) checkList('machine', kept.machines, 0, machines);
  for (let job = 0; kept.operations !== null && job < jobs; job++) {
    checkList('step', kept.operations, jobOffset[job], jobOffset[job + 1]);
  }
  const isWhole =
    kept.jobs === names.jobs &&
    kept.machines === names.machines &&
    kept.operations === names.operations &&
    kept.details === names.details;
  const checked = isWhole ? names : Object.freeze(kept);
  known.set(checked, jobOffset);
  return checked;
}

/**
 * The names of a variant of an instance that keeps some of its operations.
 *
 * @param kept the kept operations, in the order of the variant
 * @param jobOffset the job offsets of the variant
 */
export function pickNames(
  names: InstanceNames | null,
  kept: ArrayLike<number>,
  jobOffset: Int32Array,
): InstanceNames | null {
  if (names === null) return null;
  const { operations } = names;
  const picked = operations && nullIfEmpty(Array.from(kept, (op) => operations[op]));
  const variant = Object.freeze({ ...names, operations: picked });
  if (Object.values(variant).every((list) => !list)) return null;
  if (known.has(names)) known.set(variant, jobOffset);
  return variant;
}

/** Appends the names of arriving jobs; in a shop without names they get none. */
export function appendJobNames(
  names: InstanceNames | null,
  shape: Pick<NamedShape, 'jobs' | 'operations'>,
  arriving: readonly NamedJob[],
): InstanceNames | null {
  if (names === null || arriving.length === 0) return names;
  const steps = arriving.flatMap(({ operations }) => operations);
  return {
    machines: names.machines,
    jobs: extend(names.jobs, shape.jobs, arriving),
    operations: extend(names.operations, shape.operations, steps),
    ...(names.details ? { details: [...names.details, ...arriving.map(() => ({}))] } : {}),
  };
}

/** The names of an arriving job. */
export interface NamedJob {
  readonly name?: string | undefined;
  readonly operations: readonly { readonly name?: string | undefined }[];
}

function extend(
  list: readonly string[] | null,
  length: number,
  more: readonly { readonly name?: string | undefined }[],
): readonly string[] | null {
  const added = more.map(({ name = '' }) => name);
  return nullIfEmpty([...(list ?? new Array<string>(length).fill('')), ...added]);
}

function checkLength(what: string, list: readonly string[] | null, length: number): void {
  if (list === null) return;
  refuseUnless(
    Array.isArray(list),
    `the names of ${what} are no list`,
    'give a list or null',
    list,
  );
  refuseUnless(
    list.length === length,
    `there are ${list.length} names of ${what}`,
    `give ${length}, "" where there is none`,
    list.length,
  );
}

/** Names of operations, except those that are the label of their own step, which are redundant. */
function withoutLabels(
  list: readonly string[] | null,
  { jobs, jobOffset }: NamedShape,
): readonly string[] | null {
  if (!list?.some((name) => labelIndex('step', name) !== undefined)) return list;
  const kept = [...list];
  for (let job = 0; job < jobs; job++) {
    for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
      if (labelIndex('step', kept[op]) === op - jobOffset[job]) kept[op] = '';
    }
  }
  return kept;
}

function nullIfEmpty(list: readonly string[] | null): readonly string[] | null {
  return list?.some((name) => name !== '') ? list : null;
}

/**
 * Checks the names from one index to another. Those of jobs and machines must be unique; steps with one name get
 * numbers, and no other step of the job may have such a label.
 */
function checkList(kind: NamedKind, names: readonly string[], from: number, to: number): void {
  const seen = new Map<string, number>();
  const twins = new Map<string, number>();
  for (let i = from; i < to; i++) {
    const name = names[i];
    if (name === '') continue;
    const fault = nameFault(kind, name, i - from);
    if (fault !== undefined) refuseUnless(false, fault.problem, fault.hint, name);
    const twin = seen.get(name);
    if (twin !== undefined && kind === 'step') {
      twins.set(name, (twins.get(name) ?? 1) + 1);
    } else if (twin !== undefined) {
      const first = LABEL_WORDS[kind].first;
      const what = `${kind}s ${twin + first} and ${i - from + first}`;
      refuseUnless(false, `the ${what} are both called ${quote(name)}`, 'use distinct names', name);
    }
    seen.set(name, i - from);
  }
  for (const [name, count] of twins) {
    for (let number = 1; number <= count; number++) {
      const label = twinLabel(name, number);
      const step = seen.get(label);
      if (step === undefined) continue;
      const what = `the step ${step + 1} is called ${quote(label)}, as is one of the ${count} steps called ${quote(name)}`;
      refuseUnless(false, what, 'use distinct names', label);
    }
  }
}

/** The problem of a single name, for an item with an index from 0; undefined if it is valid. */
export function nameFault(
  kind: NamedKind,
  name: unknown,
  index: number,
): { readonly problem: string; readonly hint: string } | undefined {
  if (typeof name !== 'string') {
    return { problem: `the name of a ${kind} is no text`, hint: 'give a name in quotes' };
  }
  if (name.length > LONGEST_NAME) {
    const problem = `the name ${quote(name)} has ${name.length} characters`;
    return { problem, hint: `use at most ${LONGEST_NAME}` };
  }
  if (name.replaceAll(JOINED_SIGNS, '').search(HIDDEN) >= 0) {
    const problem = `the name ${quote(name)} has a character that cannot be seen`;
    return { problem, hint: 'use letters, digits, signs and spaces' };
  }
  if (name.trim() !== name) {
    const problem = `the name ${quote(name)} begins or ends with a space`;
    return { problem, hint: 'leave it out' };
  }
  const label = labelIndex(kind, name);
  if (label === undefined || label === index) return undefined;
  const { word, first } = LABEL_WORDS[kind];
  const problem = `the ${kind} ${index + first} is called ${quote(name)}, which reads like another one`;
  return { problem, hint: `use another name, or "${word}${index + first}"` };
}

const LONGEST_QUOTE = 60;
/** Scripts whose spelling uses joiners, such as those of Persian and Hindi. */
const JOINING = 'Arab Syrc Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr'
  .split(' ')
  .map((script) => `\\p{sc=${script}}`)
  .join('');
const EMOJI = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}?\\ufe0f?';

/** Emoji that joiners combine, such as a person with a tool, and joiners inside words of such scripts. */
export const JOINED_SIGNS = new RegExp(
  `${EMOJI}(?:\\u200d${EMOJI})+|(?<=[${JOINING}])[\\u200c\\u200d](?=[${JOINING}])`,
  'gu',
);
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

function quote(name: string): string {
  const short = name.length > LONGEST_QUOTE ? `${name.slice(0, LONGEST_QUOTE)}…` : name;
  return JSON.stringify(short).replace(
    HIDDEN,
    (one) => `\\u{${(one.codePointAt(0) as number).toString(16)}}`,
  );
}
