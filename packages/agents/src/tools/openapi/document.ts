import { isAbsolute, join } from 'node:path';
import { readBytes } from '@alas-jssp/core/bytes';
import { InputError } from '@alas-jssp/core/errors';
import { formatPath, isObject, type JsonPath } from '@alas-jssp/core/json-path';
import { parseJson } from '@alas-jssp/core/json-text';
import { referredSchema } from '../schema-member.js';

/** A JSON object of an OpenAPI document. */
export type DocumentObject = Readonly<Record<string, unknown>>;

/** An OpenAPI document. */
export interface ApiDocument {
  readonly file: string;
  /** The document with its references. */
  readonly root: DocumentObject;
  /** Whether its schemas are those of OpenAPI 3.0, which differ from JSON Schema. */
  readonly isOld: boolean;
  /** The number of values that resolving references may still make. */
  readonly budget: { left: number };
}

/** Values of a document with its references replaced. A few nested references can make any number of them. */
const MOST_VALUES = 1_000_000;

/**
 * Reads an OpenAPI document (3.0 or 3.1, JSON).
 *
 * @throws InputError `bad_openapi`
 */
export function readApiDocument(path: string, directory: string): ApiDocument {
  const file = isAbsolute(path) ? path : join(directory, path);
  const root = parseDocument(file);
  const refuse = (problem: string, hint: string, at: JsonPath) =>
    new InputError('bad_openapi', problem, hint, { file, path: formatPath(at) });
  if (!isObject(root)) throw refuse('this is no object', 'give an OpenAPI document', []);
  const { openapi, swagger, paths } = root;
  const version = /^3\.([01])\./.exec(String(openapi))?.[1];
  if (version === undefined) {
    const found = openapi ?? swagger;
    const problem =
      found === undefined ? 'there is no version' : `the version is ${JSON.stringify(found)}`;
    throw refuse(problem, 'give a document of OpenAPI 3.0 or 3.1', ['openapi']);
  }
  if (!isObject(paths)) throw refuse('there are no paths', 'give an object of paths', ['paths']);
  return { file, root, isOld: version === '0', budget: { left: MOST_VALUES } };
}

function parseDocument(file: string): unknown {
  try {
    return parseJson(readBytes(file), file);
  } catch (error) {
    if (!(error instanceof InputError) || !/\.ya?ml$/i.test(file)) throw error;
    const hint = 'convert it to JSON, for example with npx js-yaml';
    throw new InputError('bad_openapi', 'this document is YAML', hint, { file });
  }
}

/**
 * A value of a document with all references replaced by what they refer to.
 *
 * @throws InputError `bad_openapi` for references to other documents, to nothing, in circles, and to too much
 */
export function resolveReferences(
  document: ApiDocument,
  value: unknown,
  path: JsonPath,
  following: readonly string[] = [],
): unknown {
  if (document.budget.left-- <= 0) {
    const { file } = document;
    const problem = 'references multiply beyond measure';
    throw new InputError('bad_openapi', problem, 'shorten the document', {
      file,
      path: formatPath(path),
    });
  }
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      resolveReferences(document, item, [...path, index], following),
    );
  }
  if (!isObject(value)) return value;
  const { $ref, ...beside } = value;
  if (typeof $ref !== 'string') {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        resolveReferences(document, item, [...path, key], following),
      ]),
    );
  }
  const target = followReference(document, $ref, path, following);
  const resolved = resolveReferences(document, target, path, [...following, $ref]);
  // Beside a reference, 3.1 allows keys that add to it; 3.0 ignores them.
  if (document.isOld || !isObject(resolved) || Object.keys(beside).length === 0) return resolved;
  return { ...resolved, ...(resolveReferences(document, beside, path, following) as object) };
}

function followReference(
  { file, root }: ApiDocument,
  reference: string,
  path: JsonPath,
  following: readonly string[],
): unknown {
  const refuse = (problem: string, hint: string) =>
    new InputError('bad_openapi', problem, hint, { file, path: formatPath(path) }, reference);
  if (!reference.startsWith('#')) {
    throw refuse(`${reference} is in another document`, 'bundle the document into one file');
  }
  if (following.includes(reference)) {
    const circle = [...following.slice(following.indexOf(reference)), reference].join(' → ');
    throw refuse(
      `the schema contains itself: ${circle}`,
      'limit its depth, or remove the operation',
    );
  }
  const target = referredSchema(reference, root);
  if (target === undefined) throw refuse(`there is no ${reference}`, 'define it in the document');
  return target;
}
