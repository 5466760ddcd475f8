import type { JsonPath } from '@alas-jssp/core/json-path';
import type { Constraint } from '../specification/specification.js';
import type { DraftScope } from './scope.js';

/** An enforcement of a constraint, and its place. */
export interface EnforcementPlace {
  readonly scope: DraftScope;
  readonly constraint: Constraint;
  /** Whether anything but `nothing` enforces the constraint. */
  readonly isEnforced: boolean;
  readonly path: JsonPath;
}
