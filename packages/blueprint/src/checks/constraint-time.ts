import type { JsonPath } from '@alas-jssp/core/json-path';
import type { DraftFinding } from '../drafting/part.js';
import type { Constraint } from '../specification/specification.js';
import type { Enforcement, TemplateNode } from '../template/template.js';
import { draftError, listNames } from './finding.js';
import type { DraftScope } from './scope.js';

/** A constraint of irreversible steps is enforced before them: afterwards nothing can be done. */
export function checkTime(
  scope: DraftScope,
  constraint: Constraint,
  enforced: readonly Enforcement[],
  path: JsonPath,
): DraftFinding[] {
  const performers = constraint.operations.flatMap((operation) => scope.performersOf(operation));
  const real = enforced.filter(({ by }) => by !== 'nothing');
  if (performers.length === 0 || real.length === 0) return [];
  if (performers.some((node) => scope.effectOf(node) !== 'irreversible')) return [];
  const late = performers.filter((node) => real.every((one) => isTooLate(scope, one, node)));
  if (late.length === 0) return [];
  const names = listNames(late.map(({ id }) => id));
  const message = `${constraint.id} limits ${names}, which cannot be undone, and is enforced after it`;
  const hint = `enforce it before: a condition on the input of ${names}, its approval, a choice, or a review before it`;
  return [draftError('enforced_too_late', 'constraint-coverage', path, message, hint)];
}

function isTooLate(scope: DraftScope, one: Enforcement, { id }: TemplateNode): boolean {
  switch (one.by) {
    case 'invariant':
      return readsOutputOf(one.holds, id);
    case 'output':
      return !scope.isDoneBefore(one.node, id);
    case 'input':
    case 'review':
      return one.node !== id && !scope.isDoneBefore(one.node, id);
    default:
      return false;
  }
}

function readsOutputOf(expression: string, id: string): boolean {
  const reads = [...expression.matchAll(/\$outputs\.(?:`([^`]+)`|(\w+))/g)];
  return reads.some(([, quoted, bare]) => (quoted ?? bare) === id);
}
