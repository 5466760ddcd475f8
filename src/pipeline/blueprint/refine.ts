import { EVENT_KINDS } from '../../disruption/index.js';
import { defaultPolicy } from '../../lcrp/policy.js';
import type { Body, Finding, Node, Policy, Workflow } from '../../workflow/index.js';
import type { FilledSpec } from './spec.js';

type Refinement = (workflow: Workflow, finding: Finding, spec: FilledSpec) => Workflow | undefined;

/** What each finding of the checker is cured by. */
const REFINEMENTS: Readonly<Record<string, Refinement>> = {
  no_timeout: (workflow, { path }, { budgets }) => {
    const { policyRef = '' } = nodeAt(workflow, path) ?? {};
    const seconds = budgets[policyRef as keyof typeof budgets];
    return seconds === undefined
      ? undefined
      : withPolicy(workflow, policyRef, { timeout: { seconds } });
  },
  unbounded_loop: (workflow, { path }, { turns }) => {
    const { policyRef = '' } = nodeAt(workflow, path) ?? {};
    return withPolicy(workflow, policyRef, { loopGuards: { maxIters: turns } });
  },
  unbounded_repair: (workflow, _, { turns }) =>
    withRepair(workflow, { maxRadius: defaultPolicy.radius.most, maxRounds: turns }),
  uncovered_disruption: (workflow, _, { disruptions, repairs }) => {
    const known = disruptions.every((kind) => (EVENT_KINDS as readonly string[]).includes(kind));
    return known && repairs ? withRepair(workflow, { covers: [...disruptions] }) : undefined;
  },
};

/** Cures findings, and tells which of them there is no cure for. */
export function refineWorkflow(
  workflow: Workflow,
  findings: readonly Finding[],
  spec: FilledSpec,
): { readonly better: Workflow; readonly left: readonly Finding[] } {
  let better = workflow;
  const left = findings.filter((finding) => {
    const cured = REFINEMENTS[finding.code]?.(better, finding, spec);
    better = cured ?? better;
    return cured === undefined;
  });
  return { better, left };
}

/** The node of the workflow itself that a finding speaks of. */
function nodeAt({ nodes }: Workflow, path: string): Node | undefined {
  return nodes[Number(/^\$\.nodes\[(\d+)\]$/.exec(path)?.[1])];
}

function withPolicy(workflow: Workflow, name: string, more: Policy): Workflow {
  const { policies } = workflow;
  return { ...workflow, policies: { ...policies, [name]: { ...policies[name], ...more } } };
}

/** Says more of every repair, wherever it stands. */
function withRepair(workflow: Workflow, more: Partial<NonNullable<Node['repair']>>): Workflow {
  const change = <T extends Body>(body: T): T => ({
    ...body,
    nodes: body.nodes.map((node) => {
      if (node.type === 'map') return { ...node, body: change(node.body) };
      return node.repair === undefined ? node : { ...node, repair: { ...node.repair, ...more } };
    }),
  });
  return change(workflow);
}
