import { isObject, type JsonPath } from '@alas-jssp/core/json-path';
import { once } from '@alas-jssp/core/once';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { findIncompatibilities } from '../compatibility.js';
import { referredName } from '../json-types.js';
import { describeError } from '../schema-error.js';
import type { JsonSchema, Workflow } from '../workflow.js';
import { error, type Finding, warning } from './finding.js';
import { arrivingAt, type BodyScope, bodyOutputSchema } from './scope.js';

/** Schemas fit along edges, at the end of the workflow, and around loops. */
export function checkFlow(scope: BodyScope): readonly Finding[] {
  const { workflow, body, path } = scope;
  const nodes = body.nodes.flatMap((node, i) => {
    if (node.io.input === undefined) return [];
    const at = [...path, 'nodes', i, 'io', 'input'];
    return compare(workflow, arrivingAt(scope, node), node.io.input, at, `what reaches ${node.id}`);
  });
  // The output of a loop with `until` is its next input.
  const end = path.length === 0 ? workflow.io.output : loopInput(scope);
  if (end === undefined) return nodes;
  const at = path.length === 0 ? ['io', 'output'] : path;
  return [...nodes, ...compare(workflow, bodyOutputSchema(scope), end, at, 'the output')];
}

function loopInput({ workflow, path }: BodyScope): JsonSchema | undefined {
  const owner = path.slice(0, -1).reduce<unknown>((at, key) => (at as never)[key], workflow);
  if (!isObject(owner) || owner.until === undefined) return undefined;
  return (owner.io as Workflow['io']).input;
}

function compare(
  { schemas }: Workflow,
  producer: JsonSchema,
  consumer: JsonSchema,
  path: JsonPath,
  what: string,
): Finding[] {
  const found = findIncompatibilities(producer, consumer, schemas);
  const {
    verdict,
    path: at,
    message,
  } = found.find(({ verdict }) => verdict === 'incompatible') ?? found[0] ?? { verdict: 'none' };
  if (verdict === 'incompatible') {
    const hint = 'change one of the two schemas, or insert a step between them';
    return [error('incompatible_schemas', path, `${what} does not fit at ${at}: ${message}`, hint)];
  }
  if (verdict !== 'unknown') return [];
  const hint = 'make the schema of the preceding output more specific';
  return [warning('unknown_fit', path, `${what} may not fit at ${at}: ${message}`, hint)];
}

/** Cached: it compiles the schema of schemas, which takes longer than all other rules. */
const schemaJudge = once(() => new Ajv2020({ strict: false }));

/** The findings on the schemas of a workflow. */
interface SchemaFindings {
  readonly findings: readonly Finding[];
  /** The workflow in which everything that is no JSON Schema is `true`, so that other rules can read it. */
  readonly readable: Workflow;
}

/** Every schema is a JSON Schema, and every `$ref` and `logSchemaRef` resolves. */
export function checkSchemas(workflow: Workflow): readonly Finding[] {
  return judgeSchemas(workflow).findings;
}

/** {@link checkSchemas}, and a workflow that other rules can read. */
export function judgeSchemas(workflow: Workflow): SchemaFindings {
  const ajv = schemaJudge();
  const findings: Finding[] = [];
  const broken: JsonPath[] = [];
  const visit = (value: unknown, path: JsonPath): void => {
    if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) visit(item, [...path, i]);
    } else if (isObject(value)) {
      for (const [key, inner] of Object.entries(value)) enter(key, inner, [...path, key]);
    }
  };
  const enter = (key: string, value: unknown, path: JsonPath): void => {
    if (key === 'io' && isObject(value)) {
      for (const [part, schema] of Object.entries(value)) judge(schema, [...path, part]);
    } else if (key === 'signals' && path.length === 1 && isObject(value)) {
      for (const [name, schema] of Object.entries(value)) judge(schema, [...path, name]);
    } else if (key === 'logSchemaRef' && !Object.hasOwn(workflow.logSchemas, String(value))) {
      const hint = 'add it to logSchemas';
      findings.push(error('unknown_log_schema', path, `there is no log schema ${value}`, hint));
    } else if (!['params', 'capabilities', 'meta', 'schemas', 'logSchemas'].includes(key)) {
      visit(value, path);
    }
  };
  const judge = (schema: unknown, path: JsonPath): void => {
    if (!ajv.validateSchema(schema as JsonSchema)) {
      const message = `not a JSON Schema: ${(ajv.errors ?? []).slice(0, 1).map(describeError)}`;
      findings.push(error('bad_schema', path, message, 'see json-schema.org, draft 2020-12'));
      broken.push(path);
    } else findings.push(...checkWithin(workflow, schema, path));
  };
  visit(workflow, []);
  for (const name of ['schemas', 'logSchemas'] as const) {
    for (const [key, schema] of Object.entries(workflow[name])) judge(schema, [name, key]);
  }
  for (const name of Object.keys(workflow.schemas)) {
    if (!isCircular(workflow, name)) continue;
    const hint = 'recur only inside of a key or an item';
    findings.push(error('bad_schema', ['schemas', name], `${name} consists of itself`, hint));
  }
  return { findings, readable: withoutSchemas(workflow, broken) };
}

/** A workflow with `true` in some places of schemas. */
function withoutSchemas(workflow: Workflow, places: readonly JsonPath[]): Workflow {
  if (places.length === 0) return workflow;
  const copy = structuredClone(workflow);
  for (const path of places) {
    const owner = path.slice(0, -1).reduce<unknown>((at, key) => (at as never)[key], copy);
    (owner as Record<PropertyKey, unknown>)[path[path.length - 1]] = true;
  }
  return copy;
}

/** Whether a schema applies itself to the same value, so that no value could be judged. */
function isCircular({ schemas }: Workflow, name: string): boolean {
  const asked = new Set(askedBy(schemas[name]));
  for (const other of asked) for (const next of askedBy(schemas[other])) asked.add(next);
  return asked.has(name);
}

/** The schemas that a schema applies to the value that it judges. */
function askedBy(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(askedBy);
  if (!isObject(schema)) return [];
  const { $ref, allOf, anyOf, oneOf, not, if: when, then, else: otherwise } = schema;
  const parts = [allOf, anyOf, oneOf, not, when, then, otherwise].flatMap(askedBy);
  const name = referredName($ref);
  return name === undefined ? parts : [name, ...parts];
}

/** Rules beyond the schema of schemas: every `$ref` resolves, every pattern is valid. */
function checkWithin(workflow: Workflow, value: unknown, path: JsonPath): Finding[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, i) => checkWithin(workflow, item, [...path, i]));
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = [...path, key];
    if (key === '$ref') return checkReference(workflow, inner, at);
    const patterns = key === 'pattern' ? [inner] : [];
    if (key === 'patternProperties' && isObject(inner)) patterns.push(...Object.keys(inner));
    const found = patterns.flatMap((pattern) => checkPattern(pattern, at));
    return [...found, ...checkWithin(workflow, inner, at)];
  });
}

function checkReference({ schemas }: Workflow, to: unknown, path: JsonPath): Finding[] {
  const name = referredName(to);
  if (name !== undefined && Object.hasOwn(schemas, name)) return [];
  const hint = 'refer to #/schemas/NAME, a schema of this workflow';
  return [error('unknown_ref', path, `${JSON.stringify(to)} finds nothing`, hint)];
}

/** A property may be named `pattern`, too: then its value is a schema. */
function checkPattern(pattern: unknown, path: JsonPath): Finding[] {
  if (typeof pattern !== 'string') return [];
  try {
    new RegExp(pattern, 'u');
    return [];
  } catch (fault) {
    const hint = 'give a regular expression of ECMAScript with the flag u';
    return [error('bad_schema', path, (fault as Error).message, hint)];
  }
}
