import { suggestNames } from '../../../core/nearest-names.js';
import { policyOf } from '../policy.js';
import type { Node, TaskNode } from '../workflow.js';
import type { KnownHandlers } from './effect-rules.js';
import { error, type Finding } from './finding.js';
import type { BodyScope } from './scope.js';

/** Roles whose work a validator judges, and whose handler it must not share. */
const JUDGED: readonly Node['role'][] = ['planner', 'repair', 'optimizer'];

/** Handlers and compensators are registered, and nobody approves its own work. */
export function checkHandlers(
  scopes: readonly BodyScope[],
  known: KnownHandlers,
): readonly Finding[] {
  const tasks = scopes.flatMap(tasksOf);
  return tasks.flatMap(({ node, path, scope }) => {
    const handler = handlerOf(node);
    const findings: Finding[] = [];
    const judged = tasks.find(
      (other) => JUDGED.includes(other.node.role) && handlerOf(other.node) === handler,
    );
    if (node.role === 'validator' && judged !== undefined) {
      const message = `${node.id} judges what ${judged.node.id} made with the same handler ${handler}`;
      const cure = 'give the validator a handler of its own';
      findings.push(error('self_approval', path, message, cure));
    }
    findings.push(...insistOnKnown('handler', handler, known.handlers, path));
    const undo = policyOf(scope.workflow, node)?.compensation?.handler;
    if (undo === undefined || node.effect === 'none') return findings;
    return [...findings, ...insistOnKnown('compensator', undo, known.compensators, path)];
  });
}

function insistOnKnown(
  what: 'handler' | 'compensator',
  name: string,
  known: Readonly<Record<string, unknown>> | undefined,
  path: readonly PropertyKey[],
): readonly Finding[] {
  if (known === undefined || Object.hasOwn(known, name)) return [];
  const names = Object.keys(known);
  const cure = names.length === 0 ? `register a ${what}` : suggestNames(name, names);
  return [error(`missing_${what}`, path, `no ${what} ${name} is registered`, cure)];
}

function tasksOf(scope: BodyScope) {
  return scope.body.nodes.flatMap((node, i) =>
    node.type === 'task' ? [{ node, path: [...scope.path, 'nodes', i], scope }] : [],
  );
}

function handlerOf({ id, handler = id }: TaskNode): string {
  return handler;
}

/** Every disruption that was named is covered by a node's repair, and every repair has a bound. */
export function checkRepairs(
  scopes: readonly BodyScope[],
  disruptions: readonly string[],
): readonly Finding[] {
  const nodes = scopes.flatMap(({ body, path }) =>
    body.nodes.map((node, i) => ({ node, path: [...path, 'nodes', i, 'repair'] })),
  );
  const unbounded = nodes.flatMap(({ node: { id, repair }, path }) => {
    if (repair === undefined) return [];
    const bounds = [repair.maxEdits, repair.maxRadius, repair.maxRounds];
    if (repair.primitives.length > 0 && bounds.some((bound) => bound !== undefined)) return [];
    const cure = 'give primitives, and maxEdits, maxRadius or maxRounds';
    return [error('unbounded_repair', path, `the repair of ${id} has no bounds`, cure)];
  });
  const covered = nodes.flatMap(({ node }) => node.repair?.covers ?? []);
  const uncovered = disruptions.filter((kind) => !covered.includes(kind));
  return [
    ...unbounded,
    ...uncovered.map((kind) =>
      error(
        'uncovered_disruption',
        [],
        `no repair covers ${kind}`,
        'name it in covers of a repair',
      ),
    ),
  ];
}
