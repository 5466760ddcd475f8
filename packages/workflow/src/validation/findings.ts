import type { Judged } from '../interpreter/registry.js';
import type { Json } from '../log/entry.js';

/**
 * The subject of a check. The first five are those of outputs, the others those of inputs
 * ("hand-overs") in SagaLLM (Chang and Geng 2025, table 3), doi:10.14778/3750601.3750611; schemas
 * of inputs are contracts.
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

/** A fault of a value. A type, not an interface, since findings are logged. */
export type StepFinding = {
  readonly check: CheckKind;
  /** The name of the check. */
  readonly name: string;
  readonly message: string;
  /** Its consequence. */
  readonly otherwise: Otherwise;
};

/**
 * The consequence of a finding: the step fails and its saga is undone, or the step receives the
 * finding and may retry if its policy has attempts left.
 */
export type Otherwise = 'reject' | 'feedback';

/** A condition on a value, with an optional correction. */
export interface Constraint {
  readonly name: string;
  readonly check: CheckKind;
  /** The fault of the value, in a sentence; undefined if there is none. */
  test(judged: Judged): string | undefined;
  /** The value to deliver in place of a wrong one. */
  correct?(judged: Judged): Json;
  /** The consequence without a correction. Default `reject`. */
  readonly otherwise?: Otherwise;
}
