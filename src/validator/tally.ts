import {
  VIOLATION_CODES,
  type Violation,
  type ViolationCode,
  type ViolationCounts,
  type ViolationOf,
} from './violation.js';

/** Counts all violations and keeps the first `limit` of each code. */
export interface ViolationTally {
  readonly counts: Readonly<Record<ViolationCode, number>>;
  /**
   * Counts a violation. `describe` is only called if it is kept, so that invalid input of any size costs no more than
   * counting.
   */
  add<C extends ViolationCode>(code: C, describe: () => Omit<ViolationOf<C>, 'code'>): void;
  /** Counts violations that are listed elsewhere or not at all. */
  count(code: ViolationCode, times: number): void;
  /** Lists a counted violation; false if there was no room. */
  list(violation: Violation): boolean;
  /** The number of violations. */
  total(): number;
  /** The violations kept, by code in the order of VIOLATION_CODES, then as found. */
  listed(): Violation[];
}

/** Creates an empty tally that lists `limit` violations at most. */
export function createTally(limit: number): ViolationTally {
  const counts = Object.fromEntries(VIOLATION_CODES.map((code) => [code, 0])) as {
    -readonly [C in keyof ViolationCounts]: number;
  };
  const kept = new Map<ViolationCode, Violation[]>(VIOLATION_CODES.map((code) => [code, []]));
  const list = (violation: Violation): boolean => {
    const bucket = kept.get(violation.code) as Violation[];
    if (bucket.length >= limit) return false;
    bucket.push(violation);
    return true;
  };
  return {
    counts,
    add: (code, describe) => {
      if (counts[code]++ < limit) list({ code, ...describe() } as unknown as Violation);
    },
    count: (code, times) => {
      counts[code] += times;
    },
    list,
    total: () => Object.values(counts).reduce((sum, count) => sum + count, 0),
    listed: () => [...kept.values()].flat().slice(0, limit),
  };
}
