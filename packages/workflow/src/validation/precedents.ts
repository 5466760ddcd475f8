import type { Judged } from '../interpreter/registry.js';
import type { Otherwise, StepFinding } from './findings.js';

/**
 * Faults of the nodes before: outputs that are not committed, and nodes that ended before one that
 * should have ended earlier. Nodes that ended before the start of the slice ended before all nodes
 * in it.
 */
export function inspectPrecedents(
  { committed, slice }: Judged,
  after: readonly string[],
  otherwise: Otherwise,
): StepFinding[] {
  const missing = after.filter((node) => !Object.hasOwn(committed, node));
  const findings = missing.map((node): StepFinding => {
    const message = `the output of ${node} is not committed, or its effect was undone`;
    return { check: 'dependency', name: node, message, otherwise };
  });
  const ended = new Map(
    slice
      .filter(({ eventType }) => eventType === 'EndNode')
      .map(({ nodeId, version }) => [nodeId, version]),
  );
  const endOf = (node: string) => ended.get(node) ?? -1;
  const there = after.filter((node) => !missing.includes(node));
  for (const [index, node] of there.entries()) {
    const earlier = there[index - 1];
    if (earlier === undefined || endOf(earlier) <= endOf(node)) continue;
    const message = `${earlier} ended after it`;
    findings.push({ check: 'order', name: node, message, otherwise });
  }
  return findings;
}
