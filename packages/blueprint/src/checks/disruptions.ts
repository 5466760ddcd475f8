import type { DraftFinding } from '../drafting/part.js';
import type { Disruption } from '../specification/specification.js';
import type { DisruptionCoverage, TemplateNode } from '../template/template.js';
import { draftError, listNames } from './finding.js';
import type { DraftScope } from './scope.js';

const PART = 'disruption-coverage';

/** Codes with which a step fails under each kind of disruption; a handler must react to one of them. */
const CODES: Readonly<Partial<Record<Disruption['kind'], readonly string[]>>> = {
  timeout: ['Timeout'],
  crash: ['Interrupted'],
  rejection: ['Denied', 'Rejected', 'Feedback'],
};

/** Codes of the runtime that are no rejections: a tool rejects with codes of its own, such as `SoldOut`. */
const NO_REJECTIONS: readonly string[] = ['Timeout', 'Interrupted'];

/** Every disruption has a handler that exists and can react, and a bounded neighbourhood. */
export function checkDisruptions(scope: DraftScope): DraftFinding[] {
  const { specification, template } = scope;
  const covered = new Set(template.disruptionCoverage.map(({ disruption }) => disruption));
  const missing = specification.disruptions.flatMap((disruption) => {
    if (covered.has(disruption.id)) return [];
    const message = `nothing handles the disruption ${disruption.id} (${disruption.text})`;
    const hint = `add an entry for ${disruption.id}: ${suggestHandler(scope, disruption)}`;
    return [draftError('disruption_unhandled', PART, ['disruptionCoverage'], message, hint)];
  });
  return [
    ...missing,
    ...template.disruptionCoverage.flatMap((one, i) => checkEntry(scope, one, i)),
  ];
}

function suggestHandler(scope: DraftScope, { kind, operation }: Disruption): string {
  if (kind === 'crash') return '{"by":"resume"}';
  const [node] = operation === null ? [] : scope.performersOf(operation);
  const retried = node?.details.retry !== undefined && node.details.retry.attempts > 1;
  return retried && kind !== 'rejection'
    ? `{"by":"retry","node":"${node?.id}"}`
    : '{"by":"compensate"}, unless another reaction is asked for';
}

function checkEntry(scope: DraftScope, entry: DisruptionCoverage, index: number): DraftFinding[] {
  const { disruptions } = scope.specification;
  const path = ['disruptionCoverage', index];
  const disruption = disruptions.find(({ id }) => id === entry.disruption);
  if (disruption === undefined) {
    const message = `the specification has no disruption ${entry.disruption}`;
    const hint = `name one of ${listNames(disruptions.map(({ id }) => id))}, or remove the entry`;
    return [draftError('unknown_disruption', PART, [...path, 'disruption'], message, hint)];
  }
  return [
    ...checkHandler(scope, entry, disruption, path),
    ...checkNeighbourhood(scope, entry, disruption, path),
  ];
}

function checkHandler(
  scope: DraftScope,
  { handler }: DisruptionCoverage,
  disruption: Disruption,
  path: readonly PropertyKey[],
): DraftFinding[] {
  const at = [...path, 'handler'];
  if (handler.by === 'compensate') return [];
  if (handler.by === 'resume') {
    if (disruption.kind === 'crash' || disruption.kind === 'other') return [];
    const message = `resuming handles crashes, and ${disruption.id} is of kind ${disruption.kind}`;
    const hint = 'give the handler "retry", "catch", "repair", "escalate" or "compensate"';
    return [draftError('handler_cannot_react', PART, at, message, hint)];
  }
  const node = scope.nodes.get(handler.node);
  if (node === undefined || node.work === 'choice') {
    const names = scope.template.nodes.filter(({ work }) => work !== 'choice');
    const message = `${handler.node} is no node that can handle a disruption`;
    const hint = `name one of ${listNames(names.map(({ id }) => id))}`;
    return [draftError('unknown_handler_node', PART, [...at, 'node'], message, hint)];
  }
  if (handler.by === 'retry') return checkRetry(node, disruption, at);
  if (handler.by === 'catch') return checkCatch(scope, node, disruption, at);
  if (handler.by === 'repair') return checkRepair(scope, node);
  if (node.details.approval !== undefined) return [];
  const message = `${disruption.id} is left to the approval of ${node.id}, which has none`;
  const hint = `add "approval" with a name, such as "approve ${node.id}"`;
  return [
    draftError('escalation_without_approval', `node/${node.id}`, ['approval'], message, hint),
  ];
}

function checkRetry(
  node: TemplateNode,
  disruption: Disruption,
  at: readonly PropertyKey[],
): DraftFinding[] {
  const { operation } = disruption;
  if (operation !== null && node.operation !== operation) {
    const message = `${disruption.id} hits the operation ${operation}, and ${node.id} does not perform it`;
    const hint = 'name the node that performs the operation';
    return [draftError('handler_of_other_node', PART, [...at, 'node'], message, hint)];
  }
  const part = `node/${node.id}`;
  const { retry } = node.details;
  const codes = CODES[disruption.kind];
  if (retry === undefined || retry.attempts < 2) {
    const message = `${disruption.id} is handled by a retry of ${node.id}, which has one attempt`;
    const hint = `give "retry": {"attempts": 3, "on": ${JSON.stringify(codes ?? ['*'])}}, or another handler`;
    return [draftError('retry_missing', part, ['retry'], message, hint)];
  }
  const findings = checkCodes(node, retry.on, disruption, ['retry', 'on']);
  if (disruption.kind === 'timeout' && node.details.timeout === undefined) {
    const message = `${disruption.id} is a timeout of ${node.id}, which has no limit of its own`;
    const hint = 'add "timeout" with seconds';
    findings.push(draftError('timeout_missing', part, ['timeout'], message, hint));
  }
  return findings;
}

function checkCodes(
  node: TemplateNode,
  given: readonly string[],
  disruption: Disruption,
  path: readonly PropertyKey[],
): DraftFinding[] {
  const codes = CODES[disruption.kind];
  const rejects = disruption.kind === 'rejection' && node.work === 'tool';
  const reacts = given.some(
    (code) =>
      code === '*' ||
      codes === undefined ||
      codes.includes(code) ||
      (rejects && !NO_REJECTIONS.includes(code)),
  );
  if (reacts) return [];
  const message = `${disruption.id} is of kind ${disruption.kind}, and ${node.id} reacts to ${listNames(given)} only`;
  const hint = `add ${listNames((codes ?? ['*']).map((code) => `"${code}"`))} to the codes`;
  return [draftError('handler_of_other_codes', `node/${node.id}`, path, message, hint)];
}

function checkCatch(
  scope: DraftScope,
  node: TemplateNode,
  disruption: Disruption,
  at: readonly PropertyKey[],
): DraftFinding[] {
  const { operation } = disruption;
  // A review that refuses fails itself, and its route leads back to the reviewed work.
  const { reviews } = node.details;
  const reviewed = reviews === undefined ? undefined : scope.nodes.get(reviews)?.operation;
  if (operation !== null && node.operation !== operation && reviewed !== operation) {
    const performers = listNames(scope.performersOf(operation).map(({ id }) => id));
    const message = `${disruption.id} hits the operation ${operation}, and ${node.id} neither performs nor reviews it`;
    const hint = `name ${performers}, or the node that reviews it`;
    return [draftError('handler_of_other_node', PART, [...at, 'node'], message, hint)];
  }
  const routes = node.details.catch ?? [];
  if (routes.length === 0) {
    const message = `${disruption.id} is handled by a route of errors of ${node.id}, which has none`;
    const hint = 'add "catch" with the codes and the node that handles them';
    return [draftError('catch_missing', `node/${node.id}`, ['catch'], message, hint)];
  }
  const codes = routes.flatMap(({ errors }) => errors);
  return checkCodes(node, codes, disruption, ['catch']);
}

/** A repair has bounds, a role of its kind, and edges that it may change. */
function checkRepair(scope: DraftScope, node: TemplateNode): DraftFinding[] {
  const { repair } = node.details;
  if (repair === undefined) {
    const message = `${node.id} shall repair, and has no repair specification`;
    const hint = 'add "repair" with "primitives" and "maxEdits"';
    return [draftError('repair_missing', `node/${node.id}`, ['repair'], message, hint)];
  }
  const findings: DraftFinding[] = [];
  const role = node.role === null ? undefined : scope.roles.get(node.role);
  if (role !== undefined && role.kind !== 'repair') {
    const path = ['nodes', scope.template.nodes.indexOf(node), 'role'];
    const message = `${node.id} repairs, and its role ${role.id} is of kind ${role.kind}`;
    const hint = 'give it a role of kind "repair"';
    findings.push(draftError('repairer_of_other_kind', 'nodes', path, message, hint));
  }
  const into = scope.template.edges.filter(({ to }) => to === node.id);
  if (into.every(({ repairable }) => repairable === 'none')) {
    const message = `no edge to ${node.id} may be repaired: its repair may change nothing`;
    const hint = `give an edge to ${node.id} "repairable": "${repair.primitives[0]}"`;
    findings.push(draftError('repair_without_edges', 'edges', ['edges'], message, hint));
  }
  return findings;
}

function checkNeighbourhood(
  scope: DraftScope,
  { neighbourhood, handler }: DisruptionCoverage,
  disruption: Disruption,
  path: readonly PropertyKey[],
): DraftFinding[] {
  const at = [...path, 'neighbourhood'];
  const ids = [...scope.nodes.keys()];
  const findings = neighbourhood.flatMap((id, i) => {
    if (scope.nodes.has(id)) return [];
    const hint = `remove it, or name one of ${listNames(ids)}`;
    return [draftError('unknown_neighbour', PART, [...at, i], `there is no node ${id}`, hint)];
  });
  const performers = disruption.operation === null ? [] : scope.performersOf(disruption.operation);
  if (performers.length > 0 && !performers.some(({ id }) => neighbourhood.includes(id))) {
    const names = listNames(performers.map(({ id }) => id));
    const message = `${disruption.id} hits ${names}, which is not in the neighbourhood`;
    const hint = `add ${names}`;
    findings.push(draftError('neighbourhood_elsewhere', PART, at, message, hint));
  }
  const isAll = ids.length > 1 && ids.every((id) => neighbourhood.includes(id));
  if (isAll && handler.by !== 'compensate') {
    const message = `the neighbourhood of ${disruption.id} is the whole workflow`;
    const kept = performers.length > 0 ? listNames(performers.map(({ id }) => id)) : 'few nodes';
    const hint = `keep the nodes that may change because of it: ${kept}`;
    findings.push(draftError('neighbourhood_unbounded', PART, at, message, hint));
  }
  return findings;
}
