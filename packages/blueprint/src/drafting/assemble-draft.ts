import { defaultHint } from '@alas-jssp/core/json-check';
import { isObject } from '@alas-jssp/core/json-path';
import type { Json } from '@alas-jssp/workflow';
import type * as z from 'zod';
import {
  SPECIFICATION_PARTS,
  SPECIFICATION_SCHEMA,
  type Specification,
} from '../specification/specification.js';
import {
  TEMPLATE_PARTS,
  TEMPLATE_SCHEMA,
  type Template,
  type TemplateNode,
  type Undo,
} from '../template/template.js';
import type { DraftFinding, PartName, Parts } from './part.js';
import { badPart, missingPart } from './part-schemas.js';

/** A specification and a template that were assembled from parts. */
export interface AssembledDraft {
  readonly specification: Specification;
  readonly template: Template;
}

/** Parts that cannot be assembled. */
export interface UnassembledDraft {
  readonly findings: readonly DraftFinding[];
}

/**
 * Assembles the parts of a draft. It checks forms only: that ids exist is judged by the checks of drafts. Answers
 * about nodes that the outline no longer has are ignored.
 *
 * @param name of the template; default: made from the title
 * @returns findings `missing_part` and `bad_part` if a part is missing or has another form
 */
export function assembleDraft(parts: Parts, name?: string): AssembledDraft | UnassembledDraft {
  const findings: DraftFinding[] = [];
  const read = <S extends z.ZodType>(part: PartName, schema: S): z.output<S> | undefined =>
    readPart(parts, part, schema, findings);
  const specification = readSpecification(read);
  const template = readTemplate(parts, read);
  if (!specification || !template || findings.length > 0) return { findings };
  return {
    specification,
    template: { schema: TEMPLATE_SCHEMA, name: name ?? nameOf(specification.title), ...template },
  };
}

/** The specification that parts assemble into; undefined if one is missing or has another form. */
export function readSpecificationParts(parts: Parts): Specification | undefined {
  return readSpecification((part, schema) => readPart(parts, part, schema, []));
}

type ReadPart = <S extends z.ZodType>(part: PartName, schema: S) => z.output<S> | undefined;

function readSpecification(read: ReadPart): Specification | undefined {
  const objectives = read('objectives', SPECIFICATION_PARTS.objectives);
  const entities = read('entities', SPECIFICATION_PARTS.entities);
  const inputs = read('inputs', SPECIFICATION_PARTS.inputs);
  const operations = read('operations', SPECIFICATION_PARTS.operations);
  const constraints = read('constraints', SPECIFICATION_PARTS.constraints);
  const disruptions = read('disruptions', SPECIFICATION_PARTS.disruptions);
  const questions = read('questions', SPECIFICATION_PARTS.questions);
  if (!(objectives && entities && inputs && operations)) return undefined;
  if (!(constraints && disruptions && questions)) return undefined;
  return {
    schema: SPECIFICATION_SCHEMA,
    ...objectives,
    ...entities,
    ...inputs,
    ...operations,
    ...constraints,
    ...disruptions,
    ...questions,
  };
}

function readTemplate(parts: Parts, read: ReadPart): Omit<Template, 'schema' | 'name'> | undefined {
  const roles = read('roles', TEMPLATE_PARTS.roles);
  const outline = read('nodes', TEMPLATE_PARTS.nodes);
  const edges = read('edges', TEMPLATE_PARTS.edges);
  const constraints = read('constraint-coverage', TEMPLATE_PARTS['constraint-coverage']);
  const disruptions = read('disruption-coverage', TEMPLATE_PARTS['disruption-coverage']);
  const nodes: TemplateNode[] = [];
  const undo: Undo[] = [];
  for (const node of outline?.nodes ?? []) {
    const details = read(`node/${node.id}`, TEMPLATE_PARTS.node);
    if (details !== undefined) nodes.push({ ...node, details });
    if (!Object.hasOwn(parts, `undo/${node.id}`)) continue;
    const one = read(`undo/${node.id}`, TEMPLATE_PARTS.undo);
    if (one !== undefined) undo.push(one);
  }
  if (!(roles && outline && edges && constraints && disruptions)) return undefined;
  if (nodes.length < outline.nodes.length) return undefined;
  return { ...roles, nodes, ...edges, ...constraints, ...disruptions, undo };
}

/** Reads one part, or adds its findings. */
function readPart<S extends z.ZodType>(
  parts: Parts,
  part: PartName,
  schema: S,
  findings: DraftFinding[],
): z.output<S> | undefined {
  if (!Object.hasOwn(parts, part)) {
    findings.push(missingPart(part));
    return undefined;
  }
  const wrongNode = findWrongNode(part, parts[part]);
  if (wrongNode !== undefined) findings.push(wrongNode);
  const parsed = schema.safeParse(parts[part], { error: defaultHint });
  if (!parsed.success) findings.push(...badPart(part, parts[part], parsed.error));
  return parsed.success && wrongNode === undefined ? parsed.data : undefined;
}

/** The answer about a node names that node. */
function findWrongNode(part: PartName, answer: Json): DraftFinding | undefined {
  const key = part.startsWith('node/') ? 'id' : part.startsWith('undo/') ? 'node' : undefined;
  if (key === undefined || !isObject(answer) || typeof answer[key] !== 'string') return undefined;
  const id = part.slice(part.indexOf('/') + 1);
  if (answer[key] === id) return undefined;
  return {
    code: 'bad_part',
    severity: 'error',
    part,
    path: `$.${key}`,
    message: `the part ${part} is about the node ${id}, but the answer names ${JSON.stringify(answer[key])}`,
    hint: `give "${key}": ${JSON.stringify(id)}`,
  };
}

/** A title as the name of a template: `Refund of an order` → `refund-of-an-order`. */
function nameOf(title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const name = words.join('-').slice(0, 60).replace(/-$/, '');
  return /^[a-z]/.test(name) ? name : `task-${name}`.replace(/-$/, '');
}
