import type { RealmProblem } from '../problems/realm-problem.js';
import type { RealmFinding } from '../realm-reading.js';

/** The suites of REALM-Bench that are planned here, by name. J1 to J4 are job shops, which alas-jssp plans. */
export const REALM_SUITES = [
  'realm-p1',
  'realm-p2',
  'realm-p3',
  'realm-p4',
  'realm-p5',
  'realm-p6',
  'realm-p7',
  'realm-p8',
  'realm-p9',
  'realm-p10',
] as const;

export type RealmSuite = (typeof REALM_SUITES)[number];

/** Facts that the files leave open, by key, as the user states them. */
export type RealmCompletions = Readonly<Record<string, string>>;

/** A fact that files of a suite leave open, and that a user can state. */
export interface RealmCompletion {
  readonly key: string;
  /** The value that `--complete ours` takes. It is invented here. */
  readonly ours: string;
  /** The fact in one line. */
  readonly states: string;
  /** Whether instances are refused without it. */
  readonly isNeeded: boolean;
}

/** An instance of a suite as it was read. */
export interface SuiteInstance {
  readonly name: string;
  /** Null if the instance is refused. */
  readonly problem: RealmProblem | null;
  /** The completions that it uses. */
  readonly completed: RealmCompletions;
  /** Contradictions resolved by a stated rule. */
  readonly contradictions: readonly RealmFinding[];
  /** Reasons for the refusal; empty if it is accepted. */
  readonly refused: readonly RealmFinding[];
}

/** How instances of a suite are read, and made. */
export interface SuiteReader {
  readonly title: string;
  readonly completions: readonly RealmCompletion[];
  /**
   * Reads a published instance.
   *
   * @throws InputError `bad_realm` with the JSON path of the malformed part, `bad_complete` for a bad completion
   */
  readonly read: (
    value: unknown,
    file: string | undefined,
    given: RealmCompletions,
  ) => SuiteInstance;
  /** An instance of our own in the published format, which has a plan; absent if none can be made. */
  readonly generate?: (name: string, seed: number) => unknown;
}
