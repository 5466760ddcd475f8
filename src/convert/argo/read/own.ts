import { isDeepStrictEqual } from 'node:util';
import { InputError } from '../../../core/errors.js';
import { formatPath, isObject, type JsonPath } from '../../../core/json-path.js';
import { policyOf } from '../../../workflow/ir/policy.js';
import type { Body, Node, Policy, Workflow } from '../../../workflow/ir/workflow.js';
import { toWorkflow } from '../../../workflow/ir/workflow-file.js';
import { EMPTY_MAP, type HandlerMap, type HandlerPlace } from '../../mapping.js';
import { type ArgoDocument, readNote, type Template } from '../document.js';
import { triesOf, waitOf } from '../write/steps.js';
import { draftOf } from '../write.js';
import { attemptLimit, retryFrom, secondsOf } from './policies.js';

/** A document of ours that is being read. */
interface OwnDocument {
  readonly templates: ReadonlyMap<string, Template>;
  readonly workflow: Workflow;
  readonly policies: Record<string, Policy>;
  readonly map: HandlerMap;
  readonly file: string | undefined;
}

/**
 * Reads a document that was written here. Limits that Argo says itself (attempts, waits, deadlines,
 * concurrency) are read from where it says them, all else from the annotations; what then does not
 * agree with them was changed, and is refused.
 *
 * @throws InputError `changed_document` naming the first place that does not agree
 */
export function readOwnArgo(
  document: ArgoDocument,
  rest: Record<string, unknown>,
  file: string | undefined,
): Workflow {
  const templates = new Map(document.spec.templates?.map((one) => [one.name, one]));
  const whole = toWorkflow({ ...rest, nodes: [], edges: [] }, file);
  const map: HandlerMap = { ...EMPTY_MAP, handlers: {}, compensators: {}, messages: {}, argo: {} };
  const policies: Record<string, Policy> = { ...whole.policies };
  const own: OwnDocument = { templates, workflow: whole, policies, map, file };
  const body = readBody(own, document.spec.entrypoint ?? 'main');
  const workflow = toWorkflow({ ...rest, policies, ...body }, file);
  const written = draftOf(workflow, map);
  const place = firstDifference(barely(document, file), barely(written, file), ['spec']);
  if (place === undefined) return workflow;
  throw new InputError(
    'changed_document',
    'this does not agree with the annotations of the document, from which a workflow is read',
    'change the workflow instead, or take the annotations alas-jssp.dev/… away',
    { file, path: formatPath(place) },
  );
}

function templateOf({ templates, file }: OwnDocument, name: string | undefined): Template {
  const template = templates.get(name ?? '');
  if (template !== undefined) return template;
  throw new InputError(
    'bad_argo',
    `there is no template ${name ?? 'where one is called'}`,
    'give it',
    { file },
  );
}

function readBody(own: OwnDocument, name: string): Body {
  const template = templateOf(own, name);
  const { edges = [], output } = (readNote(template, 'body') ?? {}) as Partial<Body>;
  const nodes = (template.dag?.tasks ?? []).flatMap((task) => {
    const called = own.templates.get(task.template ?? '');
    const note = called && readNote(called, 'node');
    return note === undefined || called === undefined ? [] : [readNode(own, note, called)];
  });
  return { nodes, edges, ...(output !== undefined && { output }) } as Body;
}

function readNode(own: OwnDocument, note: Record<string, unknown>, template: Template): Node {
  const { branches, maxConcurrency: _noted, ...said } = note;
  const limit = template.parallelism;
  const node = { ...said, ...(limit !== undefined && { maxConcurrency: limit }) } as Node;
  if (node.type === 'parallel') {
    const names = Array.isArray(branches) ? branches.map(String) : [];
    const bodies = (template.dag?.tasks ?? []).slice(0, names.length).map((task, k) => {
      return [names[k], readBody(own, task.template ?? '')];
    });
    return { ...node, branches: Object.fromEntries(bodies) };
  }
  if (node.type === 'map') return { ...node, body: readBody(own, bodyOfLoop(own, template)) };
  if (node.type === 'task') return readTask(own, node, template);
  if (node.type === 'wait') {
    const ask = stepOf(own, template, 'ask');
    const tell = stepOf(own, template, 'tell');
    if (tell !== undefined) own.map.messages[node.message] = placeOf(tell);
    return changed(own, node, ask === undefined ? {} : waitAfter(own, node, ask));
  }
  return node;
}

/** The template of the body of a loop: that of each item, or of each turn. */
function bodyOfLoop(own: OwnDocument, template: Template): string {
  const called = (from: Template, step: string) =>
    from.steps?.flat().find(({ name }) => name === step)?.template;
  const turns = called(template, 'turns');
  const each = turns === undefined ? called(template, 'each') : undefined;
  return each ?? called(templateOf(own, turns), 'turn') ?? '';
}

function stepOf(own: OwnDocument, template: Template, step: string): Template | undefined {
  const call = template.steps?.flat().find(({ name }) => name === step);
  return call && templateOf(own, call.template);
}

function readTask(own: OwnDocument, node: Node & { type: 'task' }, template: Template): Node {
  const run = stepOf(own, template, 'run') ?? template;
  own.map.handlers[node.handler ?? node.id] = placeOf(run);
  const policy = policyOf(own.workflow, node) ?? {};
  const expected = triesOf(policy);
  const differs: Partial<Policy> = {};
  if (!isDeepStrictEqual(run.retryStrategy, expected.retryStrategy)) {
    Object.assign(differs, retryFrom(run.retryStrategy, policy, own.file));
  }
  if (run.activeDeadlineSeconds !== expected.activeDeadlineSeconds) {
    differs.timeout = attemptLimit(run, own.file);
  }
  const approve = stepOf(own, template, 'approve');
  if (approve !== undefined) Object.assign(differs, waitAfter(own, node, approve));
  return changed(own, node, differs);
}

function placeOf({ container }: Template): HandlerPlace {
  const { image, command } = container ?? {};
  return { ...(image && { image }), ...(command && { command: [...command] }) };
}

/** How long is waited for a message or an approval, if the document says something else. */
function waitAfter(own: OwnDocument, node: Node, { suspend }: Template): Partial<Policy> {
  const { wait } = policyOf(own.workflow, node) ?? {};
  const { duration } = suspend ?? {};
  if (duration === waitOf(wait)) return {};
  return { wait: duration === undefined ? undefined : { seconds: secondsOf(duration, own.file) } };
}

/** A node whose policy the document has changed gets one of its own. */
function changed(own: OwnDocument, node: Node, differs: Partial<Policy>): Node {
  if (Object.keys(differs).length === 0) return node;
  const name = node.policyRef ?? own.workflow.defaultPolicy ?? 'policy';
  const policy: Policy = { ...policyOf(own.workflow, node), ...differs };
  for (const key of Object.keys(differs) as (keyof Policy)[]) {
    if (policy[key] === undefined) delete policy[key];
  }
  let ownName = `${name}-${node.id}`;
  for (let k = 2; Object.hasOwn(own.policies, ownName); k++) ownName = `${name}-${node.id}-${k}`;
  own.policies[ownName] = policy;
  return { ...node, policyRef: ownName };
}

/** A document without what may be changed at will (annotations, images, accounts), numbers as numbers. */
function barely({ spec }: ArgoDocument, file: string | undefined): unknown {
  const { arguments: _arguments, serviceAccountName: _account, templates = [], ...rest } = spec;
  const plain = templates.map(({ metadata: _metadata, container, ...template }) => {
    const { image: _image, command: _command, ...called } = container ?? {};
    const { duration } = template.suspend ?? {};
    const { limit, backoff, ...strategy } = template.retryStrategy ?? {};
    const one = {
      ...template,
      ...(container && { container: called }),
      ...(duration !== undefined && { suspend: { duration: secondsOf(duration, file) } }),
      ...(limit !== undefined && {
        retryStrategy: {
          ...strategy,
          limit: Number(limit),
          ...(backoff && {
            duration: secondsOf(backoff.duration ?? 0, file),
            factor: Number(backoff.factor ?? 1),
            maxDuration: backoff.maxDuration,
          }),
        },
      }),
    };
    return [template.name, one];
  });
  return JSON.parse(JSON.stringify({ ...rest, templates: Object.fromEntries(plain) }));
}

function firstDifference(a: unknown, b: unknown, path: JsonPath): JsonPath | undefined {
  if (isDeepStrictEqual(a, b)) return undefined;
  const lists = Array.isArray(a) && Array.isArray(b);
  if (!lists && !(isObject(a) && isObject(b))) return path;
  const [left, right] = [a, b] as [Record<string, unknown>, Record<string, unknown>];
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const found = firstDifference(left[key], right[key], [...path, lists ? Number(key) : key]);
    if (found !== undefined) return found;
  }
  return path;
}
