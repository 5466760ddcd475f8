import type { JsonPath } from '@alas-jssp/core/json-path';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import { alternatives } from '../json-types.js';
import { policyOf } from '../policy.js';
import type { Node, Policy, Workflow } from '../workflow.js';
import { error, type Finding, warning } from './finding.js';
import { isBefore } from './graph.js';
import { type BodyScope, listOf } from './scope.js';

const PLACEHOLDERS = ['runId', 'nodeId', 'inputHash'];

/**
 * The placeholders that a key needs to be unique in its scope: resources outlive runs, nodes share
 * workflows.
 */
const NEEDED = {
  node: ['runId', 'nodeId', 'inputHash'],
  workflow: ['runId', 'inputHash'],
  resource: ['inputHash'],
} as const;

/** Each policy by itself: finite retries with backoff, safe compensation, unique keys. */
export function checkPolicies({ policies, defaultPolicy }: Workflow): readonly Finding[] {
  const findings = Object.entries(policies).flatMap(([name, policy]) =>
    checkPolicy(policy, ['policies', name]),
  );
  if (defaultPolicy === undefined || Object.hasOwn(policies, defaultPolicy)) return findings;
  return [...findings, unknownPolicy(policies, defaultPolicy, ['defaultPolicy'])];
}

function checkPolicy(policy: Policy, path: JsonPath): readonly Finding[] {
  const { compensation, idempotencyKey } = policy;
  const findings = [...checkRetry(policy, path)];
  if (compensation !== undefined) {
    const at = [...path, 'compensation'];
    findings.push(...checkRetry(compensation, at));
    if (!compensation.safeReinvoke) {
      const hint = 'make the compensator idempotent, and set it to true';
      const message = 'the compensator may be called twice for one effect';
      findings.push(error('unsafe_compensation', [...at, 'safeReinvoke'], message, hint));
    }
    if (
      compensation.triggers.includes('deadline') !==
      (compensation.deadlineSeconds !== undefined)
    ) {
      const hint = 'give both the trigger deadline and deadlineSeconds, or neither';
      findings.push(error('no_deadline', at, 'one without the other has no effect', hint));
    }
  }
  if (idempotencyKey !== undefined) {
    const at = [...path, 'idempotencyKey', 'template'];
    const found = [...idempotencyKey.template.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
    const stranger = found.find((name) => !PLACEHOLDERS.includes(name));
    const lacking = NEEDED[idempotencyKey.scope].find((name) => !found.includes(name));
    if (stranger !== undefined) {
      const hint = suggestNames(stranger, PLACEHOLDERS);
      findings.push(error('bad_key_template', at, `{${stranger}} is unknown`, hint));
    } else if (lacking !== undefined) {
      const message = `distinct effects would have one key: it lacks {${lacking}}`;
      findings.push(error('key_collision', at, message, `add {${lacking}}`));
    }
  }
  return findings;
}

function checkRetry(
  { retry, backoff }: Pick<Policy, 'retry' | 'backoff'>,
  path: JsonPath,
): Finding[] {
  if (retry === undefined || retry.maxAttempts === 1 || backoff !== undefined) return [];
  return [error('retry_without_backoff', path, 'it retries without a wait', 'give it a backoff')];
}

/** The policy of each node, and the node's requirements on it. */
export function checkNodePolicies(scope: BodyScope): readonly Finding[] {
  const { workflow, body, path } = scope;
  return body.nodes.flatMap((node, i) => {
    const at = [...path, 'nodes', i];
    const { policyRef } = node;
    const policy = policyOf(workflow, node);
    if (policy === undefined) {
      if (policyRef !== undefined) {
        return [unknownPolicy(workflow.policies, policyRef, [...at, 'policyRef'])];
      }
      if (workflow.defaultPolicy !== undefined) return [];
      const hint = 'give it a policyRef, or the workflow a defaultPolicy';
      return [error('no_policy', at, `${node.id} has no policy`, hint)];
    }
    return [
      ...checkCatch(scope, node, policy, at),
      ...checkWait(node, policy, at),
      ...checkLoop(scope, node, policy, at),
    ];
  });
}

function unknownPolicy(policies: Workflow['policies'], name: string, path: JsonPath): Finding {
  const names = Object.keys(policies);
  const hint = names.length === 0 ? 'add it to the policies' : suggestNames(name, names);
  return error('unknown_policy', path, `there is no policy ${name}`, hint);
}

function checkCatch({ graph }: BodyScope, node: Node, policy: Policy, path: JsonPath): Finding[] {
  const { id, policyRef } = node;
  return (policy.catch ?? []).flatMap(({ handler, backTo }) => {
    const to = handler ?? (backTo as string);
    if (!graph.nodes.has(to)) {
      const message = `errors of ${id} go to ${to}, which is no node of this body`;
      return [error('unknown_catch_handler', path, message, 'name a node of the same body')];
    }
    // A default policy applies to all nodes: it is skipped where no path leads back.
    if (backTo === undefined || policyRef === undefined || isBefore(graph, backTo, id)) return [];
    const message = `errors of ${id} go back to ${backTo}, which does not come before it`;
    return [error('back_to_not_before', path, message, 'name a node that leads here')];
  });
}

function checkWait({ id, type }: Node, policy: Policy, path: JsonPath): Finding[] {
  if (type !== 'wait' || policy.wait !== undefined) return [];
  const hint = 'give its policy a wait with seconds';
  return [warning('unbounded_wait', path, `${id} may wait for ever`, hint)];
}

function checkLoop(scope: BodyScope, node: Node, policy: Policy, path: JsonPath): Finding[] {
  if (node.type !== 'map') return [];
  if ((node.items === undefined) === (node.until === undefined)) {
    return [error('bad_map', path, `${node.id} needs one of items and until`, 'give exactly one')];
  }
  const { maxIters, timeBudgetSeconds, deadlineSeconds } = policy.loopGuards ?? {};
  const bounds = [maxIters, timeBudgetSeconds, deadlineSeconds];
  if (bounds.some((bound) => bound !== undefined)) return [];
  const lists =
    node.items === undefined ? [] : alternatives(listOf(scope, node), scope.workflow.schemas);
  const finite = (list: (typeof lists)[number]) => list !== true && list.maxItems !== undefined;
  if (lists.length > 0 && lists.every(finite)) return [];
  const hint = 'give its policy loopGuards with maxIters, timeBudgetSeconds or deadlineSeconds';
  return [error('unbounded_loop', path, `nothing bounds the loop ${node.id}`, hint)];
}
