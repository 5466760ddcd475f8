import type { JsonPath } from '@alas-jssp/core/json-path';
import type { Constraint } from '../specification/specification.js';
import type { Enforcement } from '../template/template.js';
import type { DraftScope } from './scope.js';

/** An enforcement of a constraint, and its place. */
export interface EnforcementPlace {
  readonly scope: DraftScope;
  readonly constraint: Constraint;
  /** All enforcements of the constraint. */
  readonly enforced: readonly Enforcement[];
  readonly path: JsonPath;
}
