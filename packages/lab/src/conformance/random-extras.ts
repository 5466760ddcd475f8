// What targets only take along as notes, put at random into a workflow that was drawn.
import type {
  DocumentBody,
  DocumentNode,
  DocumentPolicy,
  WorkflowDocument,
} from './document-form.js';

/** Whether one of so many comes true. */
type OneOf = (many: number) => boolean;

/**
 * Adds roles, parameters, schemas, repairs, invariants, signals and rarer policies.
 *
 * @param document of a workflow; it is changed
 */
export function addExtras(draw: (below: number) => number, document: WorkflowDocument) {
  const one = (below: number) => draw(below) === below - 1;
  for (const body of bodiesOf(document).slice(1)) if (one(4)) repeatId(body);
  for (const body of bodiesOf(document)) {
    for (const node of body.nodes) addToNode(one, node);
    for (const edge of body.edges) if (one(6)) edge.repairable = 'time';
    if (one(6)) goBack(document, body);
  }
  for (const policy of Object.values(document.policies)) addToPolicy(one, policy);
  if (one(3)) document.description = 'drawn at random, "quoted"';
  if (one(3)) document.meta = { owner: { team: 'x' }, tags: ['a', 'b'] };
  if (one(4)) document.signals = { hint: { type: 'string' }, stop: true };
  if (one(4)) document.io = { input: { type: 'object' } };
  if (one(4))
    document.schemas = { Thing: { type: 'object', properties: { n: { type: 'number' } } } };
  if (one(4)) document.invariants = [{ name: 'small', holds: '$input.n < 100' }];
  if (one(4)) document.logSchemas = { note: { required: ['what'], properties: {} } };
  return document;
}

/** Gives the first node of a body an id that nodes of other bodies have, too. */
function repeatId(body: DocumentBody) {
  const [{ id }] = body.nodes;
  const text = JSON.stringify(body).replaceAll(`"${id}"`, '"same"');
  const { nodes, edges, output } = JSON.parse(text.replaceAll(`outputs.${id}`, 'outputs.same'));
  Object.assign(body, { nodes, edges }, output === undefined ? {} : { output });
}

/** Some step, when it fails, takes its body back to the one before it. */
function goBack({ policies }: WorkflowDocument, { nodes, edges }: DocumentBody) {
  const way = edges.find(({ from, to, kind }) => {
    const target = nodes.find(({ id }) => id === to);
    return kind === undefined && from !== to && target?.type === 'task' && !target.policyRef;
  });
  if (way === undefined) return;
  const name = `back${Object.keys(policies).length}`;
  policies[name] = { ...policies.plain, catch: [{ errors: ['*'], backTo: way.from, times: 2 }] };
  const target = nodes.find(({ id }) => id === way.to);
  if (target !== undefined) target.policyRef = name;
}

function addToNode(one: OneOf, node: DocumentNode) {
  if (one(5)) node.name = `The node ${node.id}: <"it">`;
  if (one(6)) node.role = 'domain';
  if (one(6)) node.params = { depth: 3, list: [1, 'two', null], deep: { a: {} } };
  if (one(8)) node.capabilities = { gpu: true };
  if (one(8)) node.context = { entries: 5 };
  if (one(8)) node.repair = { primitives: ['time', 'order'], maxEdits: 3 };
  if (node.type === 'task' && one(8)) node.io = { output: true, error: { type: 'object' } };
  if (node.type === 'task' && node.effect === 'compensable' && one(6)) node.effect = 'partial';
}

function addToPolicy(one: OneOf, policy: DocumentPolicy) {
  const { compensation, loopGuards, timeout } = policy;
  if (one(6)) policy.lateAnswer = { seconds: 3 };
  if (timeout !== undefined && one(6)) timeout.seconds += 0.5;
  if (policy.backoff !== undefined && one(3)) Object.assign(policy.backoff, { base: 0.25, cap: 7 });
  if (policy.idempotencyKey !== undefined && one(6)) policy.idempotencyKey.scope = 'workflow';
  if (compensation !== undefined && one(4)) compensation.compensateOn = ['Broken'];
  if (compensation !== undefined && one(4)) compensation.triggers = ['onFailure', 'manual'];
  if (compensation !== undefined && one(6)) {
    compensation.triggers = ['onFailure', 'deadline'];
    compensation.deadlineSeconds = 3600;
  }
  if (loopGuards !== undefined && one(4)) loopGuards.timeBudgetSeconds = 600;
  if (loopGuards !== undefined && one(4)) loopGuards.deadlineSeconds = 900;
}

/** All bodies of a workflow, itself first. */
function bodiesOf(body: DocumentBody): DocumentBody[] {
  const inner = body.nodes.flatMap(({ branches = {}, body: repeated }) => [
    ...Object.values(branches),
    ...(repeated === undefined ? [] : [repeated]),
  ]);
  return [body, ...inner.flatMap(bodiesOf)];
}
