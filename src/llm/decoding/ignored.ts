/** Reasons why a part that looks like a schedule is skipped. */
const IGNORED_KINDS = {
  no_start: 'an operation without a start, such as an echo of the instance',
  placeholder: 'a placeholder stands where a number should',
  incomplete: 'it does not say which operation it is about',
  letter_name: 'a job or machine named by a letter, which this instance does not have',
  clock_time: 'a time of day or in hours, which is none of this instance',
  ellipsis: 'an ellipsis, or words that stand for entries',
  range: 'a range of jobs, steps or machines',
  unreadable: 'a line of a table whose columns are not understood',
  cut_off: 'the text breaks off inside it',
  misfit: 'bare numbers that fit no operation of the instance',
  needs_instance: 'an order without times, which only the instance can time',
  fragment: 'an order of too few operations to be a schedule',
  example: 'an example of the format, or an echo of the prompt',
  other_schedule: 'it belongs to a schedule that another one replaces',
} as const;

export type IgnoredKind = keyof typeof IGNORED_KINDS;

/** Consecutive skipped parts of one kind. */
export interface Ignored {
  readonly kind: IgnoredKind;
  /** Line of the first, from 1. */
  readonly line: number;
  readonly count: number;
  readonly why: string;
}

/** Maximum number of separate items; later ones are only counted, in one item per kind. */
const MOST_LISTED = 10_000;

/** Collects skipped parts; neighbours of one kind become one item. */
export interface IgnoredList {
  add(kind: IgnoredKind, line: number, count?: number): void;
  list(): Ignored[];
}

export function createIgnoredList(): IgnoredList {
  const items: { kind: IgnoredKind; line: number; count: number }[] = [];
  const overflow = new Map<IgnoredKind, { kind: IgnoredKind; line: number; count: number }>();
  return {
    add(kind, line, count = 1) {
      if (count === 0) return;
      const last = items.at(-1);
      const same = last?.kind === kind ? last : overflow.get(kind);
      if (same !== undefined) {
        same.count += count;
        return;
      }
      const item = { kind, line, count };
      items.push(item);
      if (items.length > MOST_LISTED) overflow.set(kind, item);
    },
    list: () => items.map((item) => ({ ...item, why: IGNORED_KINDS[item.kind] })),
  };
}
