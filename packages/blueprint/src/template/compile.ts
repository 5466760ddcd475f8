import type { Tool, ToolCatalogue } from '@alas-jssp/agents';
import { formatPath } from '@alas-jssp/core/json-path';
import { type Policy, WORKFLOW_SCHEMA, type Workflow } from '@alas-jssp/workflow';
import type { DraftFinding, PartName } from '../drafting/part.js';
import type { Specification } from '../specification/specification.js';
import { findUncompiled } from './compile-findings.js';
import { compileNode, effectOf, type NodeContext } from './compile-node.js';
import { runInputSchema } from './inputs.js';
import { policiesOf } from './node-policies.js';
import { type PlaceOfPart, partsByPath } from './part-of.js';
import type { Template, TemplateEdge, TemplateNode } from './template.js';

/** A workflow that was compiled from a template. */
export interface CompiledTemplate {
  readonly workflow: Workflow;
  /** The part of the draft that a place of the workflow comes from: `$.nodes[3].input.amount` → `node/refund`. */
  partOf(path: string): PartName;
  /** The parts that do not compile. The workflow lacks them, and must not run. */
  readonly findings: readonly DraftFinding[];
}

/**
 * Compiles a template into a workflow of the runtime's form. Equal templates give equal workflows. Handlers have the
 * names of their nodes, compensators are named `undo/NODE`; constants of inputs are in `params.constants`, and handlers
 * add them to their input.
 */
export function compileTemplate(
  template: Template,
  specification: Specification,
  catalogue: ToolCatalogue,
): CompiledTemplate {
  const contexts = template.nodes.map((node) => contextOf(node, template, catalogue));
  const policies: [string, Policy][] = template.nodes.flatMap((node, i) =>
    policiesOf(node, effectOf(contexts[i]), contexts[i].undo),
  );
  const invariants = invariantsOf(template);
  const workflow: Workflow = {
    schema: WORKFLOW_SCHEMA,
    name: template.name,
    nodes: template.nodes.map((node, i) => compileNode(node, contexts[i])),
    edges: template.edges.map((edge) => compileEdge(edge, template)),
    ...(template.output !== undefined && { output: template.output }),
    io: { input: runInputSchema(specification) },
    policies: Object.fromEntries([['default', {}], ...policies]),
    defaultPolicy: 'default',
    schemas: {},
    logSchemas: Object.fromEntries(
      template.nodes.flatMap(({ id, details: { log } }) =>
        log.length === 0 ? [] : [[id, { required: log.filter((key) => key !== '') }]],
      ),
    ),
    invariants: invariants.map(({ name, holds }) => ({ name, holds })),
    meta: { draft: template.name },
    description: specification.title,
  };
  return {
    workflow,
    partOf: partsByPath([...placesOf(template), ...invariants.map(({ place }) => place)]),
    findings: findUncompiled(template, catalogue),
  };
}

function contextOf(node: TemplateNode, template: Template, catalogue: ToolCatalogue): NodeContext {
  return {
    role: template.roles.find(({ id }) => id === node.role),
    tool: toolOfNode(node, catalogue),
    undo: template.undo.find((undo) => undo.node === node.id),
  };
}

/** The tool that a node calls; undefined if it calls none, or one that the catalogue lacks. */
export function toolOfNode(node: TemplateNode, { tools }: ToolCatalogue): Tool | undefined {
  if (node.work !== 'tool') return undefined;
  return tools.find(({ name }) => name === node.details.tool);
}

function compileEdge(edge: TemplateEdge, { nodes }: Template): Workflow['edges'][number] {
  const { from, to, when, otherwise, repairable } = edge;
  const chooses = nodes.find(({ id }) => id === from)?.work === 'choice';
  if (!chooses) return { from, to, kind: 'sequence', repairable };
  if (otherwise === true && when === undefined) return { from, to, kind: 'default', repairable };
  return { from, to, kind: 'branch', ...(when !== undefined && { guard: when }), repairable };
}

function invariantsOf({ constraintCoverage }: Template) {
  const found = constraintCoverage.flatMap(({ constraint, enforced }) =>
    enforced.flatMap((one, j) =>
      one.by === 'invariant' ? [{ name: `${constraint}.${j + 1}`, holds: one.holds }] : [],
    ),
  );
  return found.map((one, i) => {
    const place: PlaceOfPart = [formatPath(['invariants', i]), 'constraint-coverage'];
    return { ...one, place };
  });
}

function placesOf({ nodes }: Template): PlaceOfPart[] {
  const perNode = nodes.flatMap(({ id }, i): PlaceOfPart[] => [
    [formatPath(['nodes', i]), `node/${id}`],
    [formatPath(['nodes', i, 'id']), 'nodes'],
    [formatPath(['policies', `node/${id}`]), `node/${id}`],
    [formatPath(['policies', `item/${id}`]), `node/${id}`],
    [formatPath(['policies', `node/${id}`, 'compensation']), `undo/${id}`],
    [formatPath(['policies', `item/${id}`, 'compensation']), `undo/${id}`],
    [formatPath(['logSchemas', id]), `node/${id}`],
  ]);
  return [
    ['$', 'nodes'],
    ['$.nodes', 'nodes'],
    ['$.edges', 'edges'],
    ['$.output', 'edges'],
    ['$.invariants', 'constraint-coverage'],
    ['$.io', 'inputs'],
    ...perNode,
  ];
}
