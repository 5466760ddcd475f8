import type { Body, RepairSpec } from './workflow.js';

/**
 * Each change implies those before it: another order gives other times, another resource other
 * orders.
 */
const CHANGES = ['none', 'time', 'order', 'resource'] as const;

/**
 * A repair specification, limited to the primitives that the edges to a node allow. A node without
 * incoming edges keeps it unchanged.
 */
export function limitRepair(spec: RepairSpec, { edges }: Body, id: string): RepairSpec {
  const into = edges.filter(({ to }) => to === id);
  if (into.length === 0) return spec;
  const most = Math.max(...into.map(({ repairable }) => CHANGES.indexOf(repairable)));
  const primitives = spec.primitives.filter((change) => CHANGES.indexOf(change) <= most);
  return primitives.length === spec.primitives.length ? spec : { ...spec, primitives };
}
