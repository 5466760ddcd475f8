import { estimateTokens } from 'alas-jssp/llm';
import type { DraftFinding } from '../drafting/part.js';
import type { Constraint } from '../specification/specification.js';
import type { Role, TemplateNode } from '../template/template.js';
import { draftError, listNames } from './finding.js';
import { type DraftScope, outputSchemaOf, readsOf } from './scope.js';

/** Agents see what they need: earlier results that their constraints mention, within the limit of their context. */
export function checkContexts(scope: DraftScope): DraftFinding[] {
  return scope.template.nodes.flatMap((node) => [
    ...checkSeen(scope, node),
    ...checkRetained(scope, node),
    ...checkRole(scope, node),
  ]);
}

function checkSeen(scope: DraftScope, { id, work, details }: TemplateNode): DraftFinding[] {
  return details.sees.flatMap((seen, i) => {
    const target = scope.nodes.get(seen);
    if (target !== undefined && target.work !== 'choice' && scope.isDoneBefore(seen, id)) return [];
    const earlier = scope.template.nodes
      .filter((other) => other.work !== 'choice' && scope.isDoneBefore(other.id, id))
      .map((other) => other.id);
    const message =
      target === undefined
        ? `${id} sees ${seen}, which does not exist`
        : `${id} sees ${seen}, which has not surely run before it`;
    const hint = `remove "${seen}"${work === 'choice' ? '' : `, or use one of ${listNames(earlier)}`}`;
    return [draftError('sees_not_before', `node/${id}`, ['sees', i], message, hint)];
  });
}

/** A constraint of several operations needs the earlier results where an agent performs the later operation. */
function checkRetained(scope: DraftScope, node: TemplateNode): DraftFinding[] {
  if (node.work !== 'model' || node.operation === null) return [];
  const known = new Set([...readsOf(node), ...node.details.sees]);
  return constraintsOf(scope, node).flatMap(({ id, operations }) =>
    operations
      .filter((operation) => operation !== node.operation)
      .flatMap((operation) => scope.performersOf(operation))
      .filter(({ work, id: other }) => work !== 'choice' && scope.isDoneBefore(other, node.id))
      .filter((other) => !known.has(other.id))
      .map((other) => {
        const message = `the constraint ${id} relates ${node.id} to ${other.id}, whose result ${node.id} neither reads nor sees`;
        const hint = `add "${other.id}" to "sees", or a source outputs.${other.id}.KEY to the input`;
        return draftError('not_retained', `node/${node.id}`, ['sees'], message, hint);
      }),
  );
}

/** The constraints that an agent of a node must know. */
function constraintsOf({ specification }: DraftScope, node: TemplateNode): readonly Constraint[] {
  return specification.constraints.filter(({ operations }) =>
    node.operation === null ? false : operations.includes(node.operation),
  );
}

function checkRole(scope: DraftScope, node: TemplateNode): DraftFinding[] {
  const role = node.role === null ? undefined : scope.roles.get(node.role);
  if (role === undefined || node.work === 'choice') return [];
  const path = ['roles', scope.template.roles.indexOf(role), 'context'];
  const { sees } = node.details;
  const constraints = node.work === 'model' ? constraintsOf(scope, node) : [];
  const findings = [
    ...insistOn(role, path, 'dependencies', sees.length > 0, `${node.id} sees ${listNames(sees)}`),
    ...insistOn(
      role,
      path,
      'constraints',
      constraints.length > 0,
      `${node.id} must keep ${listNames(constraints.map(({ id }) => id))}`,
    ),
  ];
  const needed =
    constraints.reduce((sum, { text }) => sum + estimateTokens(text), 0) +
    sees.reduce((sum, id) => sum + estimateTokens(JSON.stringify(outputSchemaOf(scope, id))), 0);
  if (needed <= role.context.tokens) return findings;
  const message = `the context of ${role.id} has ${role.context.tokens} tokens, and ${node.id} needs about ${needed}`;
  const hint = `give it at least ${needed} tokens`;
  return [
    ...findings,
    draftError('context_too_small', 'roles', [...path, 'tokens'], message, hint),
  ];
}

function insistOn(
  role: Role,
  path: readonly PropertyKey[],
  kind: Role['context']['keeps'][number],
  needed: boolean,
  why: string,
): DraftFinding[] {
  if (!needed || role.context.keeps.includes(kind)) return [];
  const message = `${why}, and the context of ${role.id} drops ${kind}`;
  const hint = `add "${kind}" to what the context of ${role.id} keeps`;
  return [draftError('context_drops', 'roles', [...path, 'keeps'], message, hint)];
}
