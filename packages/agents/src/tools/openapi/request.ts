import { AlasError } from '@alas-jssp/core/errors';
import { isObject } from '@alas-jssp/core/json-path';
import { sha256 } from '@alas-jssp/core/sha256';
import type { Json } from '@alas-jssp/workflow';
import type { ApiOperation, ApiParameter } from './operations.js';

type ToolInput = Readonly<Record<string, Json>>;

/**
 * The request of a call, to be sent with `fetch`.
 *
 * @param base the address of the service, without a slash at its end
 * @throws AlasError `BadToolInput` for a path parameter that would lead to another path
 */
export function createRequest(
  operation: ApiOperation,
  input: ToolInput,
  base: string,
  idempotencyKey: string,
): { readonly url: string; readonly init: RequestInit } {
  const { method, parameters, body } = operation;
  const given = parameters.filter(({ name }) => input[name] !== undefined);
  const headers = new Headers({ accept: 'application/json' });
  for (const { name, in: place } of given) {
    if (place === 'header') headers.set(name, plain(input[name]));
  }
  if (method !== 'get' && method !== 'head') {
    headers.set('idempotency-key', headerKey(idempotencyKey));
  }
  const query = given
    .filter((parameter) => parameter.in === 'query')
    .flatMap((parameter) => queryPairs(parameter, input[parameter.name]));
  const search = query.length === 0 ? '' : `?${new URLSearchParams(query)}`;
  const url = `${base}${fillPath(operation, input)}${search}`;
  const init: RequestInit = { method: method.toUpperCase(), headers };
  const content = body === null ? undefined : bodyOf(body.members, input);
  if (content !== undefined) {
    const isJson = body?.encoding === 'json';
    headers.set('content-type', isJson ? 'application/json' : 'application/x-www-form-urlencoded');
    init.body = isJson ? JSON.stringify(content) : String(new URLSearchParams(formPairs(content)));
  }
  return { url, init };
}

/** A key as the value of a header, which holds visible ASCII only. */
function headerKey(key: string): string {
  return /^[\x21-\x7e]+$/.test(key) ? key : sha256(key);
}

function plain(value: Json): string {
  return typeof value === 'object' && value !== null
    ? Array.isArray(value)
      ? value.map(plain).join(',')
      : JSON.stringify(value)
    : String(value);
}

function fillPath({ name, path }: ApiOperation, input: ToolInput): string {
  return path.replaceAll(/\{([^}]+)\}/g, (_, key: string) => {
    const text = plain(input[key]);
    // Such segments lead elsewhere: to another operation.
    if (text === '' || text === '.' || text === '..') {
      const problem = `the input ${key} of the tool ${name} is ${JSON.stringify(text)}`;
      throw new AlasError('BadToolInput', `${problem}, which is no part of a path`, text);
    }
    return encodeURIComponent(text);
  });
}

function queryPairs({ name, explode, deep }: ApiParameter, value: Json): [string, string][] {
  if (Array.isArray(value)) {
    return explode ? value.map((item) => [name, plain(item)]) : [[name, plain(value)]];
  }
  if (!isObject(value)) return [[name, plain(value)]];
  const members = Object.entries(value as ToolInput);
  if (deep) return members.map(([key, item]) => [`${name}[${key}]`, plain(item)]);
  if (explode) return members.map(([key, item]) => [key, plain(item)]);
  return [
    [
      name,
      members
        .flat()
        .map((item) => plain(item))
        .join(','),
    ],
  ];
}

function bodyOf(members: readonly string[] | null, input: ToolInput): Json | undefined {
  if (members === null) return input.body;
  const given = members.filter((name) => input[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, input[name]]));
}

function formPairs(content: Json): [string, string][] {
  return Object.entries(content as ToolInput).flatMap(([name, value]): [string, string][] =>
    Array.isArray(value) ? value.map((item) => [name, plain(item)]) : [[name, plain(value)]],
  );
}
