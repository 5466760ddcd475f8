import { InputError } from '../../../core/errors.js';
import type { Body, Edge, Node, Workflow } from '../../../workflow/ir/workflow.js';
import { toWorkflow } from '../../../workflow/ir/workflow-file.js';
import type { FeatureNote } from '../../report.js';
import type { ArgoCall, ArgoDocument } from '../document.js';
import { createArgoNames } from '../names.js';
import {
  type ForeignDocument,
  type ForeignScope,
  foreignTemplate,
  take,
} from './foreign-document.js';
import { readGraph } from './graph.js';

/**
 * Reads a document that somebody wrote by hand: DAGs and steps become graphs, what Argo alone knows
 * (containers, volumes) is kept under `meta.argo`.
 *
 * @throws InputError naming what a workflow cannot say, such as templates that call themselves
 */
export function readForeign(
  { metadata, spec, kind }: ArgoDocument,
  file: string | undefined,
): { readonly workflow: Workflow; readonly report: readonly FeatureNote[] } {
  const templates = new Map(spec.templates?.map((one) => [one.name, one]));
  const foreign: ForeignDocument = {
    templates,
    policies: {},
    kept: {},
    notes: [],
    file,
    bodyOf: (name, scope) => readTemplateBody(foreign, name, scope),
    graphOf: (template, scope) => readGraph(foreign, template, scope),
  };
  const { entrypoint, onExit, templates: _templates, arguments: given, ...others } = spec;
  if (entrypoint === undefined) {
    throw new InputError('bad_argo', 'there is no entrypoint in it', 'give one', {
      file,
      path: '$.spec.entrypoint',
    });
  }
  const scope: ForeignScope = {
    place: '',
    constants: {},
    known: {},
    item: false,
    around: [],
    needs: undefined,
  };
  const main = readTemplateBody(foreign, entrypoint, scope);
  const body = onExit === undefined ? main : withExit(foreign, main, onExit, scope);
  if (spec.activeDeadlineSeconds !== undefined) {
    const how = 'a deadline of the whole workflow: a workflow has limits of steps and of loops';
    take(foreign, 'timeout', '', 'unsupported', how);
  }
  for (const key of ['parallelism', 'synchronization', 'hooks'] as const) {
    if (!Object.hasOwn(others, key)) continue;
    const feature = key === 'synchronization' ? 'shared-key' : 'concurrency';
    take(foreign, feature, '', 'unsupported', `${key} of the whole workflow`);
  }
  take(foreign, 'annotations', '', 'static-only', 'containers, arguments and the like: meta.argo');
  const name = metadata.name ?? metadata.generateName?.replace(/-$/, '') ?? 'workflow';
  const workflow = {
    schema: 'alas-jssp/workflow@1',
    name,
    ...body,
    policies: { plain: {}, ...foreign.policies },
    defaultPolicy: 'plain',
    meta: { argo: { kind, arguments: given ?? {}, spec: others, templates: foreign.kept } },
  };
  return {
    workflow: toWorkflow(JSON.parse(JSON.stringify(workflow)), file),
    report: foreign.notes,
  };
}

/** The body that a template is: its graph, or itself as the only step. */
function readTemplateBody(foreign: ForeignDocument, name: string, scope: ForeignScope): Body {
  if (scope.around.includes(name)) {
    throw new InputError(
      'unsupported_recursion',
      `the template ${name} calls itself${scope.place === '' ? '' : ` in ${scope.place}`}`,
      'write the loop as a workflow: a map with `until`',
      { file: foreign.file },
    );
  }
  const template = foreignTemplate(foreign, name);
  const inner = { ...scope, around: [...scope.around, name] };
  if (template.parallelism !== undefined) {
    const how = 'parallelism of a DAG or of steps: a workflow limits branches and loops';
    take(foreign, 'concurrency', scope.place, 'unsupported', how);
  }
  if (template.dag !== undefined || template.steps !== undefined) {
    return readGraph(foreign, template, inner);
  }
  const call: ArgoCall = {
    name,
    template: name,
    arguments: {
      parameters: (template.inputs?.parameters ?? []).map((parameter) => {
        return { name: parameter.name, value: `{{inputs.parameters.${parameter.name}}}` };
      }),
    },
  };
  return readGraph(foreign, { name, dag: { tasks: [call] } }, scope);
}

/**
 * A body with an exit handler after it: after its end, and after its failure, which then fails the
 * workflow as it would have.
 */
function withExit(foreign: ForeignDocument, main: Body, exit: string, scope: ForeignScope): Body {
  const body = (status: string) =>
    readTemplateBody(foreign, exit, {
      ...scope,
      place: 'onExit',
      known: { 'workflow.status': status },
      needs: new Set(),
    });
  const names = createArgoNames();
  const [run, done, caught, failed] = ['main', 'on-exit', 'on-exit-failed', 'fail'].map(names.take);
  const edge = (from: string, to: string) => ({ from, to, kind: 'sequence' }) as Edge;
  foreign.policies['main-caught'] = { catch: [{ errors: ['*'], handler: caught }] };
  const how = `the handler ${failed} has to fail with the error that it is given`;
  take(foreign, 'catch', 'onExit', 'emulated', `the exit handler stands on both ways on; ${how}`);
  return {
    nodes: [
      { id: run, type: 'parallel', branches: { main }, policyRef: 'main-caught' },
      { id: done, type: 'parallel', branches: { exit: body('Succeeded') } },
      { id: caught, type: 'parallel', branches: { exit: body('Failed') } },
      { id: failed, type: 'task', input: `outputs.${caught}` },
    ] as unknown as Node[],
    edges: [edge(run, done), edge(caught, failed)],
    output: `outputs.${run}.main`,
  };
}
