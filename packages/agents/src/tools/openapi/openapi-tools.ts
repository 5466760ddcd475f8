import { AlasError, InputError } from '@alas-jssp/core/errors';
import { isObject } from '@alas-jssp/core/json-path';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import type { Json } from '@alas-jssp/workflow';
import { createCheckedToolset } from '../checked-toolset.js';
import { TOOLS_SCHEMA, type Tool } from '../tool.js';
import type { Toolset } from '../toolset.js';
import { type ApiDocument, readApiDocument } from './document.js';
import { answerError, connectionError } from './http-errors.js';
import { type ApiOperation, listOperations } from './operations.js';
import { createRequest } from './request.js';

const SOURCE = /^openapi:(.+?)(?:@(https?:\/\/.+))?$/;

/**
 * The catalogue of an OpenAPI document, as an unchecked document.
 *
 * @param source `openapi:FILE@URL`, or `openapi:FILE` if the document names an absolute address
 * @param token the environment variable of the token
 */
export function readApiCatalogue(
  source: string,
  directory: string,
  token: string | undefined,
): object {
  const [, file, address] = SOURCE.exec(source) ?? [];
  if (file === undefined) {
    throw new InputError('bad_openapi', 'no document is named', 'write openapi:FILE@URL');
  }
  const document = readApiDocument(file, directory);
  const url = address ?? serverOf(document);
  const { info } = document.root;
  const title = isObject(info) && typeof info.title === 'string' ? info.title : '';
  return {
    schema: TOOLS_SCHEMA,
    tools: listOperations(document).map(
      ({ name, description, method, takesKey, input, output }) => ({
        name,
        description,
        ...(title === '' ? undefined : { system: title }),
        input,
        output,
        access: isRead(method) ? 'read' : 'change',
        idempotent: takesKey || isRead(method),
      }),
    ),
    implementation: { openapi: file, url, ...(token === undefined ? undefined : { token }) },
  };
}

function isRead(method: string): boolean {
  return ['get', 'head', 'options'].includes(method);
}

function serverOf({ root, file }: ApiDocument): string {
  const [server] = Array.isArray(root.servers) ? root.servers : [];
  const url = isObject(server) ? server.url : undefined;
  if (typeof url === 'string' && /^https?:\/\/[^{}]+$/.test(url)) return url;
  const problem = 'the document names no address of the service';
  throw new InputError('bad_openapi', problem, `write openapi:${file}@URL`, { file });
}

/** The address of a service, and how it is called. */
export interface ApiService {
  /** The OpenAPI document, relative to the directory. */
  readonly openapi: string;
  readonly url: string;
  readonly directory: string;
  readonly token: string | undefined;
}

/**
 * Tools of an HTTP service with an OpenAPI document.
 *
 * @throws InputError `bad_openapi` also if the document lacks a tool
 */
export function openApiTools(tools: readonly Tool[], service: ApiService): Toolset {
  const document = readApiDocument(service.openapi, service.directory);
  const operations = new Map(listOperations(document).map((one) => [one.name, one]));
  const lacking = tools.find(({ name }) => !operations.has(name));
  if (lacking !== undefined) {
    const { name } = lacking;
    const problem = `the document has no operation ${name}`;
    const { file } = document;
    throw new InputError('bad_openapi', problem, suggestNames(name, [...operations.keys()]), {
      file,
    });
  }
  const authorization = authorizationHeader(document, service.token);
  const base = service.url.replace(/\/+$/, '');
  return createCheckedToolset({
    tools,
    async perform(tool, input, { idempotencyKey, signal }) {
      const operation = operations.get(tool.name) as ApiOperation;
      const { url, init } = createRequest(operation, input, base, idempotencyKey);
      const headers = new Headers(init.headers);
      if (authorization !== undefined) headers.set(...authorization);
      // A redirected change would be repeated elsewhere, or become a read.
      const redirect = isRead(operation.method) ? 'follow' : 'manual';
      const response = await fetch(url, { ...init, headers, redirect, signal }).catch(
        (error: unknown) => {
          throw connectionError(tool.name, error);
        },
      );
      return readAnswer(operation, response);
    },
  });
}

/** The header that carries the token: that of the first key in a header that the document describes, or the usual one. */
function authorizationHeader(
  { root }: ApiDocument,
  token: string | undefined,
): [string, string] | undefined {
  if (token === undefined) return undefined;
  const { components } = root;
  const schemes = isObject(components) ? components.securitySchemes : undefined;
  const known = isObject(schemes) ? Object.values(schemes).filter(isObject) : [];
  const isUsual = known.length === 0 || known.some(({ type }) => type !== 'apiKey');
  const key = known.find((scheme) => scheme.type === 'apiKey' && scheme.in === 'header');
  if (!isUsual && typeof key?.name === 'string') return [key.name, token];
  return ['authorization', `Bearer ${token}`];
}

async function readAnswer({ name, wrapped }: ApiOperation, response: Response): Promise<Json> {
  const text = await response.text().catch((error: unknown) => {
    throw connectionError(name, error);
  });
  const body = parseBody(text);
  if (!response.ok) throw answerError(name, response, body ?? text);
  if (text === '') return {};
  if (wrapped === 'text') return { text };
  if (body === undefined) {
    const problem = `the output of the tool ${name} is not JSON`;
    throw new AlasError('BadToolOutput', problem, text);
  }
  return wrapped === 'result' ? { result: body } : body;
}

function parseBody(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
