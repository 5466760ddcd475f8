import type { JsonPath } from '@alas-jssp/core/json-path';
import { policyOf } from '../policy.js';
import type { Node, TaskNode } from '../workflow.js';
import { error, type Finding, warning } from './finding.js';
import { areExclusive, isBefore } from './graph.js';
import type { BodyScope } from './scope.js';

/** A handler as the checker sees it. */
interface KnownHandler {
  readonly kind?: 'pure' | 'external' | undefined;
  /** Of a repair: the kinds of disruptions that it handles. */
  readonly covers?: readonly string[] | undefined;
}

/** Handlers as the checker sees them; a registry of the runtime fits. */
export interface KnownHandlers {
  readonly handlers?: Readonly<Record<string, KnownHandler>> | undefined;
  readonly compensators?: Readonly<Record<string, unknown>> | undefined;
}

/** Effects: undone safely, in time, and last if they cannot be undone. */
export function checkEffects(scope: BodyScope, known: KnownHandlers): readonly Finding[] {
  const { body, path } = scope;
  return body.nodes.flatMap((node, i) => {
    const at = [...path, 'nodes', i];
    const late = checkIrreversible(scope, node, at);
    return node.type === 'task' ? [...checkTask(scope, node, at, known), ...late] : late;
  });
}

function checkTask(
  scope: BodyScope,
  node: TaskNode,
  path: JsonPath,
  known: KnownHandlers,
): Finding[] {
  const { id, effect, handler = id } = node;
  const policy = policyOf(scope.workflow, node);
  // Another rule reports the missing policy.
  if (policy === undefined) return [];
  const { compensation, idempotencyKey, timeout } = policy;
  const findings: Finding[] = [];
  const add = (code: string, message: string, hint: string) =>
    findings.push(error(code, path, `${id} ${message}`, hint));
  const calls = known.handlers !== undefined && Object.hasOwn(known.handlers, handler);
  const pure = !calls || known.handlers?.[handler].kind === 'pure';
  if (timeout === undefined && (effect !== 'none' || !pure)) {
    add('no_timeout', 'reaches outside without a timeout', 'give its policy a timeout');
  }
  if (effect === 'compensable' || effect === 'partial') {
    if (compensation === undefined) {
      add(
        'no_compensation',
        `is ${effect}, but nothing undoes it`,
        'give its policy a compensation',
      );
    } else if (idempotencyKey === undefined) {
      const hint = 'give its policy an idempotencyKey, or declare the effect none';
      add('compensation_without_key', 'is compensated without an idempotency key', hint);
    } else if (compensation.timeout === undefined) {
      const hint = 'give the compensation a timeout';
      findings.push(
        warning('compensation_without_timeout', path, `undoing ${id} may never end`, hint),
      );
    }
  }
  if (effect === 'irreversible' && compensation !== undefined) {
    add(
      'needless_compensation',
      'is irreversible, but has a compensation',
      'give it another policy',
    );
  }
  if (effect === 'irreversible' && (policy.retry?.maxAttempts ?? 1) > 1) {
    const hint = 'let it have one attempt, unless its handler makes equal keys one effect';
    findings.push(
      warning('irreversible_retry', path, `the effect of ${id} may occur more than once`, hint),
    );
  }
  return findings;
}

/**
 * Rejects irreversible steps that are neither last nor approved: if a later step fails, they cannot
 * be undone.
 */
function checkIrreversible(scope: BodyScope, node: Node, path: JsonPath): Finding[] {
  const fatal = irreversibleIn(node);
  if (fatal === undefined) return [];
  const hint = 'move it to the end, or give it an approval';
  const refuse = (message: string) => [error('irreversible_not_last', path, message, hint)];
  if (node.type === 'map')
    return refuse(`${fatal} cannot be undone, and runs in the loop ${node.id}`);
  if (node.type === 'parallel' && Object.keys(node.branches).length > 1) {
    return refuse(
      `${fatal} cannot be undone, and runs in parallel with the other branches of ${node.id}`,
    );
  }
  const { graph } = scope;
  const later = [...graph.nodes.values()].find(
    (other) =>
      other.id !== node.id &&
      other.type !== 'choice' &&
      !isBefore(graph, other.id, node.id) &&
      !areExclusive(graph, [node.id, other.id]),
  );
  return later === undefined
    ? []
    : refuse(`${fatal} cannot be undone if ${later.id} fails after it`);
}

/** A task that cannot be undone and needs no approval, in a node or in its bodies. */
function irreversibleIn(node: Node): string | undefined {
  if (node.type === 'task') {
    return node.effect === 'irreversible' && node.approval === undefined ? node.id : undefined;
  }
  const bodies =
    node.type === 'parallel'
      ? Object.values(node.branches)
      : node.type === 'map'
        ? [node.body]
        : [];
  for (const body of bodies) {
    const found = body.nodes.map(irreversibleIn).find((id) => id !== undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}
