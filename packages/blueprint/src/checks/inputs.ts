import type { Tool } from '@alas-jssp/agents';
import { AlasError } from '@alas-jssp/core/errors';
import { isObject, type JsonPath } from '@alas-jssp/core/json-path';
import { findIncompatibilities, type Json, type JsonSchema } from '@alas-jssp/workflow';
import { createSchemaChecks } from '@alas-jssp/workflow/interpreter/schema-check';
import { alternatives, propertyOf, referenceSchema } from '@alas-jssp/workflow/ir';
import type { DraftFinding, PartName } from '../drafting/part.js';
import { nodeOfReference } from '../template/sources.js';
import type { TemplateNode } from '../template/template.js';
import { usableSchema } from '../template/tool-schemas.js';
import { draftError, listNames } from './finding.js';
import { type DraftScope, outputSchemaOf } from './scope.js';

/** Inputs come from the run's input, or from nodes that surely ran before; tools get all that they require. */
export function checkInputs(scope: DraftScope): DraftFinding[] {
  return scope.template.nodes.flatMap((node) => [
    ...checkReferences(scope, node),
    ...checkList(scope, node),
    ...checkToolInput(scope, node),
  ]);
}

function checkReferences(scope: DraftScope, node: TemplateNode): DraftFinding[] {
  const part = `node/${node.id}`;
  const { input, forEach } = node.details;
  const sources: [JsonPath, string][] = Object.entries(input).flatMap(([key, source]) =>
    typeof source === 'string' ? [[['input', key], source]] : [],
  );
  if (forEach !== undefined) sources.push([['forEach'], forEach]);
  return sources.flatMap(([path, reference]) => {
    const id = nodeOfReference(reference);
    if (id === undefined) return [];
    // The checker of workflows reports nodes that do not exist or never run before.
    if (!scope.nodes.has(id) || !scope.leadsTo(id, node.id)) return [];
    if (scope.isDoneBefore(id, node.id)) return [];
    const sure = listNames(sureSources(scope, node));
    const message = `${reference} may be missing: ${id} does not run, or fails, on a path to ${node.id}`;
    const hint = `use another source (${sure}), or move ${node.id} to where ${id} has surely run`;
    return [draftError('input_may_be_missing', part, path, message, hint)];
  });
}

/** References that surely have a value when a node runs. */
function sureSources(scope: DraftScope, node: TemplateNode): readonly string[] {
  if (node.details.forEach !== undefined && node.work !== 'choice') return itemSources(scope, node);
  const inputs = scope.specification.inputs.map(({ name }) => `input.${name}`);
  const outputs = scope.template.nodes.flatMap(({ id, work }) => {
    if (work === 'choice' || !scope.isDoneBefore(id, node.id)) return [];
    return keysOf(outputSchemaOf(scope, id)).map((key) => `outputs.${id}.${key}`);
  });
  return [...inputs, ...outputs];
}

function itemSources(scope: DraftScope, node: TemplateNode): readonly string[] {
  return keysOf(itemSchema(scope, node)).map((key) => `item.${key}`);
}

function keysOf(schema: JsonSchema): readonly string[] {
  if (typeof schema === 'boolean' || !isObject(schema.properties)) return [];
  return Object.keys(schema.properties);
}

/** The schema of the items over which a node with `forEach` runs. */
function itemSchema({ body }: DraftScope, { details }: TemplateNode): JsonSchema {
  const list = referenceSchema(body, details.forEach ?? '');
  if (typeof list === 'boolean') return true;
  const { items } = list;
  return typeof items === 'boolean' || isObject(items) ? (items as JsonSchema) : true;
}

function checkList(scope: DraftScope, { id, work, details }: TemplateNode): DraftFinding[] {
  if (details.forEach === undefined || work === 'choice') return [];
  const schema = referenceSchema(scope.body, details.forEach);
  const kinds = alternatives(schema, {});
  const mayBeList = kinds.some((one) => one === true || one.type === 'array' || !one.type);
  if (mayBeList) return [];
  const lists = listNames(listSources(scope, id));
  const message = `${details.forEach} is no list`;
  const hint = `give a reference to a list: ${lists}`;
  return [draftError('not_a_list', `node/${id}`, ['forEach'], message, hint)];
}

function listSources(scope: DraftScope, id: string): readonly string[] {
  const { specification, template, body } = scope;
  const inputs = specification.inputs.map(({ name }) => `input.${name}`);
  const outputs = template.nodes.flatMap((node) =>
    node.work !== 'choice' && scope.isDoneBefore(node.id, id)
      ? keysOf(outputSchemaOf(scope, node.id)).map((key) => `outputs.${node.id}.${key}`)
      : [],
  );
  return [...inputs, ...outputs].filter((reference) => {
    const schema = referenceSchema(body, reference);
    return typeof schema === 'object' && schema.type === 'array';
  });
}

function checkToolInput(scope: DraftScope, node: TemplateNode): DraftFinding[] {
  const tool = scope.toolOf(node);
  if (tool === undefined) return [];
  const candidates = (schema: JsonSchema) =>
    sureSources(scope, node).filter((reference) =>
      mayFit(sourceSchema(scope, node, reference), schema),
    );
  return checkMapping({
    part: `node/${node.id}`,
    path: ['input'],
    mapping: node.details.input,
    tool,
    schemaOf: (reference) => sourceSchema(scope, node, reference),
    candidates,
    code: 'input',
  });
}

function sourceSchema(scope: DraftScope, node: TemplateNode, reference: string): JsonSchema {
  const [base, ...keys] = reference.split('.');
  if (base !== 'item') return referenceSchema(scope.body, reference);
  return schemaAt(itemSchema(scope, node), keys);
}

/** The schema of a value below some keys; `true` if unknown, `false` if there is none. */
export function schemaAt(schema: JsonSchema, keys: readonly string[]): JsonSchema {
  return keys.reduce<JsonSchema>((before, key) => {
    const found = alternatives(before, {}).map((one) => propertyOf(one, key));
    if (found.every((one) => one === 'absent')) return false;
    if (found.length !== 1) return true;
    const [one] = found;
    return typeof one === 'string' ? true : one.schema;
  }, schema);
}

/** The input of a call of a tool, for its checks. */
interface MappingCheck {
  readonly part: PartName;
  readonly path: JsonPath;
  readonly mapping: TemplateNode['details']['input'];
  readonly tool: Tool;
  /** The schema of the value of a reference; `false` if it has none. */
  schemaOf(reference: string): JsonSchema;
  /** References whose values may fit a schema. */
  candidates(schema: JsonSchema): readonly string[];
  /** Begins the codes of its findings. */
  readonly code: 'input' | 'undo_input';
}

/** Checks that a call gives a tool what it requires, nothing that it does not take, and values that may fit. */
export function checkMapping(check: MappingCheck): DraftFinding[] {
  const { part, path, mapping, tool, code } = check;
  const schema = usableSchema(tool.input);
  if (typeof schema === 'boolean') return [];
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const missing = required
    .filter((key) => !Object.hasOwn(mapping, key))
    .map((key) => {
      const fitting = listNames(check.candidates(schemaAt(schema, [key])));
      const message = `${tool.name} requires ${key}, and gets none`;
      const hint = `add "${key}" with a source (such as ${fitting}) or { "value": … }`;
      return draftError(`${code}_missing`, part, [...path, key], message, hint);
    });
  return [
    ...missing,
    ...Object.entries(mapping).flatMap(([key, source]) =>
      checkSource(check, schema, key, source as string | { value: Json }),
    ),
  ];
}

function checkSource(
  check: MappingCheck,
  schema: JsonSchema & object,
  key: string,
  source: string | { readonly value: Json },
): DraftFinding[] {
  const { part, tool, code } = check;
  const path = [...check.path, key];
  const wanted = schemaAt(schema, [key]);
  if (wanted === false) {
    const known = listNames(keysOf(schema));
    const message = `${tool.name} takes no ${key}`;
    const hint = `remove "${key}", or use one of ${known}`;
    return [draftError(`${code}_unknown`, part, path, message, hint)];
  }
  const fitting = () => listNames(check.candidates(wanted));
  if (typeof source !== 'string') {
    const [problem] = faultsOf(source.value, wanted);
    if (problem === undefined) return [];
    const message = `${JSON.stringify(source.value)} does not fit ${key} of ${tool.name}: ${problem}`;
    const hint = `give a value that fits, or a source such as ${fitting()}`;
    return [draftError(`${code}_misfit`, part, path, message, hint)];
  }
  const given = check.schemaOf(source);
  // References that find nothing have findings of their own.
  if (given === false) return [];
  const [fault] = findIncompatibilities(given, wanted).filter(
    ({ verdict }) => verdict === 'incompatible',
  );
  if (fault === undefined) return [];
  const message = `${source} does not fit ${key} of ${tool.name}: ${fault.message}`;
  const hint = `use a source that fits, such as ${fitting()}`;
  return [draftError(`${code}_misfit`, part, path, message, hint)];
}

function mayFit(given: JsonSchema, wanted: JsonSchema): boolean {
  if (given === false) return false;
  return findIncompatibilities(given, wanted).every(({ verdict }) => verdict === 'unknown');
}

/** The violations of a schema by a constant; none if the schema itself is bad, which is reported elsewhere. */
function faultsOf(value: Json, schema: JsonSchema): readonly string[] {
  try {
    return createSchemaChecks()(schema)(value);
  } catch (error) {
    if (error instanceof AlasError) return [];
    throw error;
  }
}
