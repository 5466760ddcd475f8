import type { InputLocation } from '@alas-jssp/core/errors';
import { isObject } from '@alas-jssp/core/json-path';
import type { TaskNode, Workflow } from '@alas-jssp/workflow';
import { DEFAULT_SECONDS } from '@alas-jssp/workflow/interpreter';
import type { BodyPlan, NodePlan, WorkflowPlan } from '@alas-jssp/workflow/ir';
import { planWorkflow } from '@alas-jssp/workflow/ir';
import { embedWorkflow, extractWorkflow } from '../embedded.js';
import { featuresOf } from '../features.js';
import { EMPTY_MAP, type HandlerMap, whereIs } from '../mapping.js';
import { type Conversion, reportOf } from '../report.js';
import type { ArgoDocument, Template } from './document.js';
import { exprText, tag } from './expressions.js';
import { type ArgoNames, createArgoNames, toObjectName } from './names.js';
import { argoTable } from './support.js';
import { bodiesOf, bodyTemplate, IDLE, type NodeCall } from './write/body.js';
import { choiceTemplates, guardsTemplate } from './write/choices.js';
import { itemsTemplate, parallelTemplate, untilTemplates } from './write/composites.js';
import {
  callExpression,
  callTemplate,
  errorName,
  FAIL,
  hasKey,
  lockOf,
  registerTemplate,
  suspendTemplate,
  triesOf,
  waitTemplate,
  wrappedTask,
} from './write/steps.js';
import { type ArgoEffect, exitTemplate, undoTemplate } from './write/undo.js';

/** A document in construction. */
interface Draft {
  readonly plan: WorkflowPlan;
  readonly map: HandlerMap;
  readonly names: ArgoNames;
  readonly templates: Template[];
  readonly effects: ArgoEffect[];
  usesGuards: boolean;
}

const GUARDS = 'alas-guards';
const EXIT = 'alas-undo';

/**
 * Writes a workflow as a document of Argo Workflows 3.6: a DAG for each body, an exit handler that
 * undoes effects. The tests check the document with Argo's linter; it was never executed.
 *
 * @param map images and commands of handlers and compensators
 */
export async function writeArgo(
  workflow: Workflow,
  map: HandlerMap = EMPTY_MAP,
): Promise<Conversion> {
  const report = reportOf(featuresOf(workflow), argoTable);
  const { stringify } = await import('yaml');
  // Argo reads YAML 1.1, in which unquoted `y` and `no` are booleans.
  const style = { lineWidth: 0, aliasDuplicateObjects: false, version: '1.1' } as const;
  const document = draftOf(workflow, map);
  const [main, ...others] = document.spec.templates ?? [];
  // Argo replaces double braces everywhere, in annotations too.
  const annotations = {
    [CARRIER]: embedWorkflow(workflow, document.spec).replaceAll('{{', '{\\u007b'),
  };
  const templates = [{ ...main, metadata: { annotations } }, ...others];
  const text = stringify({ ...document, spec: { ...document.spec, templates } }, style);
  return { text, report };
}

/**
 * The annotation that holds the workflow. It belongs to the first template: the annotations of the
 * document itself may have 256 KiB together.
 */
const CARRIER = 'alas-jssp.dev/workflow';

/**
 * Reads the workflow from a document that {@link writeArgo} wrote, unchanged or as a server returns
 * it.
 *
 * @param document the document, parsed
 * @throws InputError as `extractWorkflow` does
 */
export function readArgo(document: Record<string, unknown>, location: InputLocation): Workflow {
  const spec = isObject(document.spec) ? document.spec : {};
  const [main, ...others] = Array.isArray(spec.templates) ? spec.templates : [];
  if (!isObject(main) || !isObject(main.metadata)) return extractWorkflow(undefined, {}, location);
  const { metadata, ...rest } = main;
  const { annotations } = metadata as { annotations?: unknown };
  const carried = isObject(annotations) ? annotations[CARRIER] : undefined;
  return extractWorkflow(carried, { ...spec, templates: [rest, ...others] }, location);
}

/** The document of a workflow, before it is written as YAML. */
export function draftOf(workflow: Workflow, map: HandlerMap): ArgoDocument {
  const plan = planWorkflow(workflow);
  const reserved = ['main', IDLE, FAIL, GUARDS, EXIT];
  const templates: Template[] = [];
  const names = createArgoNames(reserved);
  const draft: Draft = { plan, map, names, templates, effects: [], usesGuards: false };
  addBody(draft, plan.root, 'main', '');
  const { effects } = draft;
  if (effects.length > 0) templates.push(exitTemplate(EXIT, effects, plan));
  if (draft.usesGuards) templates.push(guardsTemplate(GUARDS));
  templates.push({ name: IDLE, suspend: { duration: '0' } }, failTemplate());
  const { namespace, serviceAccountName } = map.argo;
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Workflow',
    metadata: {
      generateName: `${toObjectName(workflow.name)}-`,
      ...(namespace !== undefined && { namespace }),
    },
    spec: {
      entrypoint: 'main',
      ...(effects.length > 0 && { onExit: EXIT }),
      ...(serviceAccountName !== undefined && { serviceAccountName }),
      arguments: { parameters: [{ name: 'input', value: 'null' }] },
      templates,
    },
  };
}

/** A container that fails with an error, as a handler would. */
function failTemplate(): Template {
  const command = [
    'mkdir -p /tmp/alas',
    'printf %s "$0" > /tmp/alas/error',
    'printf %s "$0" > /dev/termination-log',
    'exit 1',
  ].join('; ');
  return {
    name: FAIL,
    inputs: { parameters: [{ name: 'error' }] },
    container: {
      image: 'busybox:1.36',
      command: ['sh', '-c'],
      args: [command, '{{inputs.parameters.error}}'],
    },
    outputs: {
      parameters: [
        { name: 'error', valueFrom: { path: '/tmp/alas/error' }, globalName: errorName(FAIL) },
      ],
    },
  };
}

/**
 * Adds the templates of a body and of all nodes in it; the body's own comes before those of its
 * nodes.
 */
function addBody(draft: Draft, body: BodyPlan, template: string, path: string): string[] {
  const at = draft.templates.length;
  const calls = new Map(ordered(body).map((node) => [node.index, addNode(draft, node, path)]));
  const list = body.nodes.map(({ index }) => calls.get(index) as NodeCall);
  draft.templates.splice(at, 0, bodyTemplate(template, body, list, path !== ''));
  return list.flatMap(({ errors }) => errors);
}

/** The nodes of a body in topological order, in which their effects occur. */
function ordered({ nodes }: BodyPlan): NodePlan[] {
  const pending = nodes.map(({ into }) => into.length);
  const ready = nodes.filter(({ into }) => into.length === 0);
  for (const { out } of ready) {
    for (const { to } of out) if (--pending[to] === 0) ready.push(nodes[to]);
  }
  return ready;
}

function addNode(draft: Draft, node: NodePlan, prefix: string): NodeCall {
  const path = `${prefix}${node.node.id}`;
  const first = draft.effects.length;
  const call = addKind(draft, node, path);
  const inside = draft.effects.slice(first);
  if (inside.length === 0 || !node.out.some(({ kind }) => kind === 'catch')) return call;
  const undo = draft.names.reserve(`${path}-undone`);
  draft.templates.push(undoTemplate(undo, path, inside, draft.plan));
  return { ...call, undo };
}

function addKind(draft: Draft, plan: NodePlan, path: string): NodeCall {
  const { node } = plan;
  const name = draft.names.reserve(path.replaceAll('[*]', ''));
  const bodies = new Map<string, string>();
  const errors: string[] = [];
  const at = draft.templates.length;
  for (const [branch, body] of bodiesOf(node)) {
    const template = draft.names.reserve(`${name}-${branch === '' ? 'body' : branch}`);
    const inner = branch === '' ? `${path}[*]/` : `${path}/${encodeURIComponent(branch)}/`;
    bodies.set(branch, template);
    errors.push(...addBody(draft, draft.plan.planOf(body), template, inner));
  }
  const own: Template[] = [];
  const body = bodies.get('') ?? '';
  switch (node.type) {
    case 'task':
      return addTask(draft, { ...plan, node }, name, path);
    case 'wait':
      return addWait(draft, plan, name);
    case 'choice': {
      own.push(...choiceTemplates(name, { ...plan, node }, GUARDS));
      draft.usesGuards ||= own[0].steps?.[0][0].template === GUARDS;
      draft.templates.splice(at, 0, ...own);
      const given = (input: string) => [{ name: 'input', value: tag(`toJson(${input})`) }];
      return { template: name, arguments: given, errors: [errorName(FAIL)] };
    }
    case 'parallel':
      own.push(parallelTemplate(name, node, bodies));
      break;
    case 'map':
      if (node.items !== undefined) own.push(itemsTemplate(name, { ...plan, node }, body));
      else {
        const turn = draft.names.reserve(`${name}-turn`);
        const loop = untilTemplates(name, { ...plan, node }, body, turn, GUARDS);
        own.push(...loop.templates);
        draft.usesGuards ||= loop.usesGuards;
      }
      errors.push(errorName(FAIL));
  }
  draft.templates.splice(at, 0, ...own);
  const given = (input: string) => [
    { name: 'input', value: tag(`toJson(${input})`) },
    { name: 'path', value: tag(`inputs.parameters.prefix + ${exprText(node.id)}`) },
  ];
  return { template: name, arguments: given, errors: [...new Set(errors)] };
}

function addTask(
  draft: Draft,
  plan: NodePlan & { node: TaskNode },
  name: string,
  path: string,
): NodeCall {
  const { node, policy } = plan;
  const { map, names, templates, effects } = draft;
  const handler = node.handler ?? node.id;
  const { compensation } = policy;
  const undoable = compensation !== undefined && node.effect !== 'none';
  const wrapped = undoable || node.approval !== undefined;
  const run = wrapped ? names.reserve(`${name}-run`) : name;
  const place = whereIs(map, 'run', handler);
  const runs = callTemplate(run, place, handler, {
    ...triesOf(policy),
    ...lockOf(policy),
  });
  if (wrapped) {
    const approve = node.approval === undefined ? undefined : names.reserve(`${name}-approve`);
    const register = undoable ? names.reserve(`${name}-register`) : undefined;
    templates.push(
      wrappedTask(name, node, {
        run,
        ...(approve !== undefined && { approve }),
        ...(register !== undefined && { register }),
      }),
    );
    if (approve !== undefined) templates.push(suspendTemplate(approve, policy, 'approval'));
    if (register !== undefined && compensation !== undefined) {
      const registration = `effect-${name}`;
      const template = names.reserve(`${name}-undo`);
      const { handler: compensator, timeout, retry, backoff } = compensation;
      const limit = timeout ?? { seconds: DEFAULT_SECONDS.compensation };
      templates.push(registerTemplate(register, registration, IDLE));
      templates.push(
        callTemplate(template, whereIs(map, 'undo', compensator), compensator, {
          ...triesOf({ timeout: limit, retry, backoff }),
        }),
      );
      effects.push({ path, registration, compensator, template, policy });
    }
  }
  templates.push(runs);
  return { ...callOf(plan, name, 'run', handler), errors: [errorName(run), errorName(FAIL)] };
}

function addWait(draft: Draft, plan: NodePlan, name: string): NodeCall {
  const { node, policy } = plan;
  if (node.type !== 'wait') throw new TypeError('not a wait');
  const { map, names, templates } = draft;
  const ask = names.reserve(`${name}-ask`);
  const notified = whereIs({ ...map, others: {} }, 'wait', node.message);
  const notify = notified.image === undefined ? undefined : names.reserve(`${name}-notify`);
  templates.push(
    waitTemplate(name, { ...plan, node }, { ask, ...(notify !== undefined && { notify }) }),
    suspendTemplate(ask, policy),
  );
  if (notify !== undefined) templates.push(callTemplate(notify, notified, node.message, {}));
  return { ...callOf(plan, name, 'wait', node.message), errors: [errorName(FAIL)] };
}

function callOf(
  { node, policy }: NodePlan,
  template: string,
  kind: 'run' | 'wait',
  handler: string,
): NodeCall {
  const path = `inputs.parameters.prefix + ${exprText(node.id)}`;
  const keyed = node.type === 'task' && hasKey(node, policy) ? policy : undefined;
  const given = (input: string) => [
    { name: 'call', value: tag(callExpression(kind, handler, path, input, keyed, node.params)) },
  ];
  return { template, arguments: given, errors: [] };
}
