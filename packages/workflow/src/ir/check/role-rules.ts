import { suggestNames } from '@alas-jssp/core/nearest-names';
import { policyOf } from '../policy.js';
import { limitRepair } from '../repair-spec.js';
import type { Body, Node, RepairSpec, TaskNode } from '../workflow.js';
import type { KnownHandlers } from './effect-rules.js';
import { error, type Finding, warning } from './finding.js';
import type { BodyScope } from './scope.js';

/** Roles whose work a validator judges; the validator must not share their handler. */
const JUDGED: readonly Node['role'][] = ['planner', 'repair', 'optimizer'];

/** Handlers and compensators are registered, and no handler validates its own work. */
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
      const message = `${node.id} judges the output of ${judged.node.id} with the same handler ${handler}`;
      const hint = 'give the validator a handler of its own';
      findings.push(error('self_approval', path, message, hint));
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
  const hint = names.length === 0 ? `register a ${what}` : suggestNames(name, names);
  return [error(`missing_${what}`, path, `no ${what} ${name} is registered`, hint)];
}

function tasksOf(scope: BodyScope) {
  return scope.body.nodes.flatMap((node, i) =>
    node.type === 'task' ? [{ node, path: [...scope.path, 'nodes', i], scope }] : [],
  );
}

function handlerOf({ id, handler = id }: TaskNode): string {
  return handler;
}

/**
 * Every repair has bounds and may change something; every named disruption is covered by a repair
 * whose handler handles it.
 */
export function checkRepairs(
  scopes: readonly BodyScope[],
  disruptions: readonly string[],
  known: KnownHandlers,
): readonly Finding[] {
  const repairs = scopes.flatMap(({ body, path }) =>
    body.nodes.flatMap((node, i) => {
      if (node.repair === undefined) return [];
      const can = node.type === 'task' ? known.handlers?.[handlerOf(node)]?.covers : undefined;
      return [{ node, body, spec: node.repair, can, path: [...path, 'nodes', i, 'repair'] }];
    }),
  );
  const covered = repairs.flatMap(({ spec: { covers }, can = covers }) =>
    covers.length === 0 ? can : covers.filter((kind) => can.includes(kind)),
  );
  const uncovered = disruptions.filter((kind) => !covered.includes(kind));
  return [
    ...repairs.flatMap(checkBounds),
    ...repairs.flatMap(checkCovers),
    ...uncovered.map((kind) =>
      error(
        'uncovered_disruption',
        [],
        `no repair covers ${kind}`,
        'give a node a repair whose handler handles it, and name it in covers',
      ),
    ),
  ];
}

/** A repair as the rules see it. */
interface RepairAt {
  readonly node: Node;
  readonly body: Body;
  readonly spec: RepairSpec;
  /** The disruptions that its handler handles; undefined if unknown. */
  readonly can: readonly string[] | undefined;
  readonly path: readonly PropertyKey[];
}

function checkBounds({ node: { id }, body, spec, path }: RepairAt): readonly Finding[] {
  const bounds = [spec.maxEdits, spec.maxRadius, spec.maxRepairs];
  if (spec.primitives.length === 0 || bounds.every((bound) => bound === undefined)) {
    const hint = 'give primitives, and maxEdits, maxRadius or maxRepairs';
    return [error('unbounded_repair', path, `the repair of ${id} has no bounds`, hint)];
  }
  if (limitRepair(spec, body, id).primitives.length > 0) return [];
  const message = `no edge to ${id} is repairable: its repair may change nothing`;
  return [warning('idle_repair', path, message, 'make an edge to it repairable: time, or order')];
}

function checkCovers({ node: { id }, spec, can, path }: RepairAt): readonly Finding[] {
  if (can === undefined) return [];
  const beyond = spec.covers.filter((kind) => !can.includes(kind));
  return beyond.map((kind) =>
    error(
      'uncovered_disruption',
      [...path, 'covers'],
      `the handler of ${id} cannot repair after ${kind}`,
      can.length === 0 ? 'remove it' : `name some of ${can.join(', ')}`,
    ),
  );
}
