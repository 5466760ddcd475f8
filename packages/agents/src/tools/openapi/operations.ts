import { InputError } from '@alas-jssp/core/errors';
import { formatPath, isObject, type JsonPath } from '@alas-jssp/core/json-path';
import { TEXT_OUTPUT } from '../text-output.js';
import { toJsonSchema } from './api-schema.js';
import { type ApiDocument, type DocumentObject, resolveReferences } from './document.js';

/** A parameter of an operation. */
export interface ApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  /** Whether lists are sent as several parameters, not as one with commas. */
  readonly explode: boolean;
  /** Whether members of objects are sent as `name[key]`. */
  readonly deep: boolean;
}

/** An operation of an OpenAPI document that can be called as a tool. */
export interface ApiOperation {
  /** The name of the tool. */
  readonly name: string;
  readonly description: string;
  readonly method: string;
  /** The template of its path, such as `/orders/{id}`. */
  readonly path: string;
  readonly parameters: readonly ApiParameter[];
  readonly body: ApiBody | null;
  /** Whether it declares the header `Idempotency-Key`. */
  readonly takesKey: boolean;
  readonly input: object;
  readonly output: object;
  /** Whether the answer is the member `result` or `text` of the output, because it is no object. */
  readonly wrapped: 'result' | 'text' | null;
}

interface ApiBody {
  readonly encoding: 'json' | 'form';
  /** The members of the input that are members of the body; null if the member `body` is the whole body. */
  readonly members: readonly string[] | null;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'];

/** Headers that requests have anyway. */
const OWN_HEADERS = ['accept', 'content-type', 'authorization', 'idempotency-key'];

/**
 * Lists the operations of a document. Those whose body is neither JSON nor a form, and those with cookies, are left out.
 *
 * @throws InputError `bad_openapi`
 */
export function listOperations(document: ApiDocument): ApiOperation[] {
  const paths = document.root.paths as DocumentObject;
  const operations = Object.entries(paths).flatMap(([path, given]) => {
    const item = resolveReferencesOf(document, given, ['paths', path]);
    return METHODS.filter((method) => isObject(item[method])).flatMap((method) => {
      const at = ['paths', path, method];
      const operation = resolveReferencesOf(document, item[method], at);
      return describeOperation(document, { path, method, item, operation, at }) ?? [];
    });
  });
  const names = operations.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw refuse(document, ['paths'], `two operations have the name ${twice}`, 'change one');
  }
  if (operations.length === 0) {
    throw refuse(document, ['paths'], 'no operation can be called', 'give another document');
  }
  return operations;
}

/** A part of the document with its first references resolved; operations resolve their own. */
function resolveReferencesOf(document: ApiDocument, value: unknown, at: JsonPath): DocumentObject {
  if (isObject(value) && value.$ref === undefined && at.length === 2) return value;
  const resolved = resolveReferences(document, value, at);
  if (isObject(resolved)) return resolved;
  throw refuse(document, at, 'this is no object', 'give an object');
}

function refuse({ file }: ApiDocument, at: JsonPath, problem: string, hint: string): InputError {
  return new InputError('bad_openapi', problem, hint, { file, path: formatPath(at) });
}

interface Described {
  readonly path: string;
  readonly method: string;
  readonly item: DocumentObject;
  readonly operation: DocumentObject;
  readonly at: JsonPath;
}

function describeOperation(document: ApiDocument, described: Described): ApiOperation | undefined {
  const { path, method, item, operation } = described;
  const all = listParameters(document, item, described);
  const parameters = all.filter(
    ({ name, in: place }) => place !== 'header' || !OWN_HEADERS.includes(name.toLowerCase()),
  );
  const body = describeBody(document, operation.requestBody, parameters);
  const isCookie = ({ in: place, required }: ParameterObject) => place === 'cookie' && required;
  if (body === undefined || all.some(isCookie)) return undefined;
  const sent = parameters.filter(({ in: place }) => place !== 'cookie');
  const { operationId, summary, description } = operation;
  return {
    name: toolName(typeof operationId === 'string' ? operationId : `${method}${path}`),
    description: String(summary ?? description ?? `${method.toUpperCase()} ${path}`),
    method,
    path,
    parameters: sent.map(toParameter),
    body: body.body,
    takesKey: all.some(({ name }) => name.toLowerCase() === 'idempotency-key'),
    input: inputSchema(document, sent, body),
    ...describeOutput(document, operation.responses),
  };
}

function toolName(text: string): string {
  const plain = text
    .replaceAll(/[{}]/g, '')
    .replaceAll(/[^\w.-]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  return /^[A-Za-z]/.test(plain) ? plain : `tool_${plain}`;
}

type ParameterObject = DocumentObject & { readonly name: string; readonly in: string };

/** The parameters of an operation and of its path; those of the operation win. */
function listParameters(
  document: ApiDocument,
  item: DocumentObject,
  { operation, at, path }: Described,
): ParameterObject[] {
  const shared = resolveReferences(document, item.parameters, [...at.slice(0, 2), 'parameters']);
  const byPlace = new Map<string, ParameterObject>();
  for (const given of [shared ?? [], operation.parameters ?? []].flat()) {
    if (!isObject(given) || typeof given.name !== 'string' || typeof given.in !== 'string') {
      const where = [...at, 'parameters'];
      throw refuse(document, where, 'a parameter has no name or place', 'give name and in');
    }
    byPlace.set(`${given.in} ${given.name}`, given as ParameterObject);
  }
  for (const [, name] of path.matchAll(/\{([^}]+)\}/g)) {
    if (byPlace.has(`path ${name}`)) continue;
    throw refuse(
      document,
      at,
      `the path has no parameter ${name}`,
      `describe {${name}} with in: path`,
    );
  }
  return [...byPlace.values()];
}

function toParameter({ name, in: place, style, explode }: ParameterObject): ApiParameter {
  const isForm = place === 'query' && (style === undefined || style === 'form');
  return {
    name,
    in: place as ApiParameter['in'],
    explode: typeof explode === 'boolean' ? explode : isForm,
    deep: style === 'deepObject',
  };
}

interface DescribedBody {
  readonly body: ApiBody | null;
  readonly schema: unknown;
  readonly required: boolean;
}

/** The body of an operation; undefined if it cannot be sent. */
function describeBody(
  { isOld }: ApiDocument,
  requestBody: unknown,
  parameters: readonly ParameterObject[],
): DescribedBody | undefined {
  if (!isObject(requestBody)) return { body: null, schema: undefined, required: false };
  const content = isObject(requestBody.content) ? requestBody.content : {};
  const required = requestBody.required === true;
  const json = mediaOf(content, isJson);
  const media = json ?? mediaOf(content, (type) => type === 'application/x-www-form-urlencoded');
  if (media === undefined) {
    return required ? undefined : { body: null, schema: undefined, required };
  }
  const schema = toJsonSchema(media.schema ?? true, isOld, 'sent');
  const taken = new Set(parameters.map(({ name }) => name));
  const members = flatMembers(schema)?.every((name) => !taken.has(name))
    ? (flatMembers(schema) as readonly string[])
    : null;
  return { body: { encoding: json ? 'json' : 'form', members }, schema, required };
}

function mediaOf(
  content: DocumentObject,
  isWanted: (type: string) => boolean,
): DocumentObject | undefined {
  const type = Object.keys(content).find((name) => isWanted(name.split(';')[0].trim()));
  const media = type === undefined ? undefined : content[type];
  return isObject(media) ? media : undefined;
}

function isJson(type: string): boolean {
  return /^(?:application\/(?:[\w.-]+\+)?json|\*\/\*|application\/\*)$/.test(type);
}

/** Keys of schemas whose properties can be written among others. */
const FLAT = new Set(['type', 'properties', 'required', 'title', 'description', 'default']);

/** The names of the members of a body that is a plain object; undefined for others. */
function flatMembers(schema: unknown): string[] | undefined {
  if (!isObject(schema) || !isObject(schema.properties)) return undefined;
  const isClosed = (key: string) => key === 'additionalProperties' && schema[key] === false;
  const isFlat = Object.keys(schema).every((key) => FLAT.has(key) || isClosed(key));
  return isFlat ? Object.keys(schema.properties) : undefined;
}

function inputSchema(
  { isOld }: ApiDocument,
  parameters: readonly ParameterObject[],
  { body, schema, required }: DescribedBody,
): object {
  const properties = new Map<string, unknown>();
  const needed: unknown[] = [];
  for (const parameter of parameters) {
    const { name } = parameter;
    const described = toJsonSchema(parameter.schema ?? true, isOld, 'sent');
    const { description } = parameter;
    const withText = isObject(described) && typeof description === 'string';
    properties.set(name, withText ? { description, ...described } : described);
    if (parameter.in === 'path' || parameter.required === true) needed.push(name);
  }
  if (body?.members === null) {
    properties.set('body', schema);
    if (required) needed.push('body');
  } else if (body !== null && isObject(schema)) {
    for (const [name, one] of Object.entries(schema.properties as object)) {
      properties.set(name, one);
    }
    if (required && Array.isArray(schema.required)) needed.push(...schema.required);
  }
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: needed,
    additionalProperties: false,
  };
}

/** The output of an operation: the bodies of its answers of success. */
function describeOutput(
  { isOld }: ApiDocument,
  responses: unknown,
): Pick<ApiOperation, 'output' | 'wrapped'> {
  const all = isObject(responses) ? Object.entries(responses) : [];
  const successes = all.filter(([status]) => /^2(?:\d\d|XX)$/i.test(status));
  const used = successes.length > 0 ? successes : all.filter(([status]) => status === 'default');
  const contents = used.map(([, response]) =>
    isObject(response) && isObject(response.content) ? response.content : {},
  );
  const schemas = contents.flatMap((content) => {
    const media = mediaOf(content, isJson);
    return media === undefined ? [] : [toJsonSchema(media.schema ?? true, isOld, 'received')];
  });
  if (schemas.length === 0) {
    const isText = contents.some((content) => Object.keys(content).length > 0);
    if (isText) return { output: TEXT_OUTPUT, wrapped: 'text' };
    return { output: { type: 'object', properties: {} }, wrapped: null };
  }
  const [first] = schemas;
  const distinct = new Set(schemas.map((schema) => JSON.stringify(schema)));
  const hasEmpty = schemas.length < used.length;
  const schema =
    distinct.size === 1 && !hasEmpty
      ? first
      : { type: 'object', anyOf: [...schemas, ...(hasEmpty ? [{ maxProperties: 0 }] : [])] };
  if (schemas.every(isObjectSchema)) return { output: schema as object, wrapped: null };
  const result = schemas.length === 1 ? first : { anyOf: schemas };
  const output = { type: 'object', properties: { result }, required: hasEmpty ? [] : ['result'] };
  return { output, wrapped: 'result' };
}

function isObjectSchema(schema: unknown): boolean {
  return isObject(schema) && schema.type === 'object';
}
