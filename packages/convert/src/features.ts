import type { Edge, Node, Policy, Workflow } from '@alas-jssp/workflow';
import { type BodyPlan, planWorkflow, type WorkflowPlan } from '@alas-jssp/workflow/ir';
import type { Feature, FeatureUse } from './report.js';

/** A use of a feature, with the parts of the workflow that a target may need. */
export interface WorkflowUse extends FeatureUse {
  readonly workflow: Workflow;
  /** The node that uses it; undefined for the workflow itself or a body. */
  readonly node?: Node;
  readonly policy?: Policy;
  /** The edge with the guard, of the feature `guard`. */
  readonly edge?: Edge;
}

/**
 * All features that a workflow uses, place by place: the subjects of a conversion report. Includes
 * all features that change how a workflow runs, and those that only people and checkers read.
 *
 * @throws AlasError `bad_workflow` for edges and policies that lead nowhere
 */
export function featuresOf(workflow: Workflow): WorkflowUse[] {
  const whole = (feature: Feature): WorkflowUse => ({ feature, place: '', workflow });
  const uses: WorkflowUse[] = [whole('annotations'), whole('large-values')];
  const { invariants, signals, logSchemas, schemas, io } = workflow;
  if (invariants.length > 0) uses.push(whole('invariants'));
  if (signals !== undefined && Object.keys(signals).length > 0) uses.push(whole('signals'));
  if (Object.keys(logSchemas).length > 0) uses.push(whole('log-schemas'));
  if (Object.keys(schemas).length > 0 || Object.keys(io).length > 0) uses.push(whole('schemas'));
  const plan = planWorkflow(workflow);
  addBody(uses, plan, plan.root, '');
  return uses;
}

function addBody(uses: WorkflowUse[], whole: WorkflowPlan, plan: BodyPlan, place: string): void {
  const { workflow, planOf } = whole;
  const { body, nodes } = plan;
  if (hasForks(plan)) uses.push({ feature: 'side-by-side', place, workflow });
  if (body.output !== undefined) uses.push({ feature: 'references', place, workflow });
  if (body.edges.some(({ repairable }) => repairable !== 'none')) {
    uses.push({ feature: 'repair', place, workflow });
  }
  for (const { node, policy, out } of nodes) {
    const at = place === '' ? node.id : `${place}/${node.id}`;
    for (const feature of [...featuresOfNode(node), ...featuresOfPolicy(node, policy)]) {
      uses.push({ feature, place: at, workflow, node, policy });
    }
    for (const { edge, guard } of out) {
      if (guard === undefined) continue;
      uses.push({ feature: 'guard', place: at, workflow, node, policy, edge: body.edges[edge] });
    }
    if (node.type === 'map') addBody(uses, whole, planOf(node.body), at);
    if (node.type !== 'parallel') continue;
    for (const [name, branch] of Object.entries(node.branches)) {
      addBody(uses, whole, planOf(branch), `${at}/${encodeURIComponent(name)}`);
    }
  }
}

/** Whether several nodes of a body may run at the same time. */
function hasForks({ nodes }: BodyPlan): boolean {
  const starts = nodes.filter(({ into }) => into.length === 0).length;
  return starts > 1 || nodes.some(({ out }) => out.filter(isSequence).length > 1);
}

function isSequence({ kind }: { readonly kind: string }): boolean {
  return kind === 'sequence';
}

function featuresOfNode(node: Node): Feature[] {
  const { io, role, capabilities, context, logSchemaRef, repair, input, params } = node;
  const found: [Feature, boolean][] = [
    ['references', input !== undefined],
    ['params', params !== undefined],
    ['schemas', Object.keys(io).length > 0],
    ['roles', (role ?? capabilities ?? context) !== undefined],
    ['log-schemas', logSchemaRef !== undefined],
    ['repair', repair !== undefined],
    ['annotations', node.name !== undefined],
  ];
  switch (node.type) {
    case 'task':
      found.push(['task', true], ['approval', node.approval !== undefined]);
      found.push(['effect', node.effect !== 'none']);
      break;
    case 'choice':
      found.push(['choice', true]);
      break;
    case 'wait':
      found.push(['wait', true]);
      break;
    case 'parallel':
      found.push(['parallel', true], ['concurrency', node.maxConcurrency !== undefined]);
      break;
    case 'map':
      found.push([node.items === undefined ? 'loop' : 'map', true]);
      found.push(['concurrency', node.maxConcurrency !== undefined]);
  }
  return found.flatMap(([feature, used]) => (used ? [feature] : []));
}

/** The features of a policy that apply to a node of this kind. */
function featuresOfPolicy(node: Node, policy: Policy): Feature[] {
  const { retry, backoff, timeout, lateAnswer, idempotencyKey, loopGuards } = policy;
  const caught = policy.catch ?? [];
  const found: [Feature, boolean][] = [
    ['catch', caught.some(({ handler }) => handler !== undefined && handler !== node.id)],
    ['back-to', caught.some(({ backTo }) => backTo !== undefined)],
  ];
  if (node.type === 'map') found.push(['loop-guard', loopGuards !== undefined]);
  if (node.type === 'task') {
    const scope = idempotencyKey?.scope ?? 'node';
    found.push(
      ['retry', retry !== undefined],
      ['backoff', retry !== undefined && backoff !== undefined],
      ['jitter', retry !== undefined && (backoff?.jitter ?? 0) > 0],
      ['timeout', timeout !== undefined],
      ['idempotency-key', idempotencyKey !== undefined || node.effect !== 'none'],
      ['shared-key', scope !== 'node'],
      ['approvers', policy.approvers !== undefined && node.approval !== undefined],
      ['late-answer', lateAnswer !== undefined && node.effect !== 'none'],
    );
    if (node.effect !== 'none') found.push(...compensationOf(policy));
  }
  return found.flatMap(([feature, used]) => (used ? [feature] : []));
}

function compensationOf({ compensation }: Policy): [Feature, boolean][] {
  if (compensation === undefined) return [];
  const { triggers, compensateOn } = compensation;
  return [
    ['compensation', true],
    ['cancellation', triggers.includes('onCancel') || triggers.includes('manual')],
    ['effect-deadline', triggers.includes('deadline')],
    ['compensate-on', !compensateOn.includes('*')],
  ];
}
