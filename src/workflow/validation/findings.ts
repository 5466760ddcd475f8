import type { Judged } from '../interpreter/registry.js';
import type { Json } from '../log/entry.js';

/**
 * The subject of a check. The first five are those of outputs, the others those of inputs (there:
 * hand-overs) in SagaLLM (Chang and Geng 2025, table 3), doi:10.14778/3750601.3750611; schemas of
 * inputs are contracts.
 */
export type CheckKind =
  | 'syntax'
  | 'semantics'
  | 'facts'
  | 'constraint'
  | 'reasoning'
  | 'contract'
  | 'dependency'
  | 'consistency'
  | 'order'
  | 'agreement';

/** Something that is wrong with a value. A type, not an interface, since findings are logged. */
export type StepFinding = {
  readonly check: CheckKind;
  /** Which check it was. */
  readonly name: string;
  readonly message: string;
  /** Its consequence. */
  readonly otherwise: Otherwise;
};

/**
 * The consequence of a finding: the step fails and its saga unwinds, or the step is told and may
 * try again if its policy has attempts left.
 */
export type Otherwise = 'reject' | 'feedback';

/** A condition on a value, with a way to mend it if there is one. */
export interface Constraint {
  readonly name: string;
  readonly check: CheckKind;
  /** The fault of the value, in a sentence; nothing if it is right. */
  test(judged: Judged): string | undefined;
  /** The value to deliver in the place of one that is wrong. */
  correct?(judged: Judged): Json;
  /** If it cannot be mended. Default `reject`. */
  readonly otherwise?: Otherwise;
}
