import { env } from 'node:process';
import { AlasError, errorLine } from '@alas-jssp/core/errors';
import { isObject } from '@alas-jssp/core/json-path';
import type { Json } from '@alas-jssp/workflow';
import { readToken } from '../../../tools/bearer-token.js';
import type { HttpSettings } from './http-settings.js';

/** The state of a resource. */
export interface ResourceState {
  readonly exists: boolean;
  readonly body: Json;
  /** The version that the service names. */
  readonly etag?: string | undefined;
}

/** The values that paths and bodies name. */
export interface HttpSources {
  readonly input: Json;
  readonly output: Json;
  readonly before: Json;
  readonly key: string;
}

/** Longer answers are refused, in bytes. */
const LONGEST = 10_000_000;
const GONE = [404, 410];

/** The value of a source such as `output.id`; undefined if it does not exist. */
export function sourceValue(source: string, sources: HttpSources): Json | undefined {
  let value: unknown = sources;
  for (const part of source.split('.')) {
    if ((!isObject(value) && !Array.isArray(value)) || !Object.hasOwn(value, part))
      return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value as Json;
}

/** A path with the values of its places; undefined if one does not exist, or is no text or number. */
export function filledPath(template: string, sources: HttpSources): string | undefined {
  let isComplete = true;
  const path = template.replaceAll(/\{([^{}]+)\}/g, (_, source: string) => {
    const value = sourceValue(source, sources);
    const text = typeof value === 'number' ? String(value) : value;
    // A segment of dots would lead to another resource.
    if (typeof text !== 'string' || text === '' || /^\.+$/.test(text)) isComplete = false;
    return encodeURIComponent(String(text));
  });
  return isComplete ? path : undefined;
}

/** An answer of a service. */
interface HttpAnswer {
  readonly status: number;
  readonly ok: boolean;
  readonly body: Json;
  readonly etag: string | undefined;
}

/**
 * Sends a request.
 *
 * @throws AlasError `Unavailable` if there is no answer
 */
export async function sendHttp(
  { url, token, timeoutSeconds }: HttpSettings,
  method: string,
  path: string,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
  body?: Json,
): Promise<HttpAnswer> {
  const bearer = readToken(token, env);
  const sent = {
    accept: 'application/json',
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  };
  try {
    const answer = await fetch(`${url.replace(/\/$/, '')}${path}`, {
      method,
      headers: sent,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutSeconds * 1000)]),
    });
    const text = await answer.text();
    if (text.length > LONGEST) throw new Error(`the answer is longer than ${LONGEST} characters`);
    const etag = answer.headers.get('etag') ?? undefined;
    return { status: answer.status, ok: answer.ok, body: toJson(text), etag };
  } catch (error) {
    signal.throwIfAborted();
    throw new AlasError('Unavailable', `${method} ${path} has no answer: ${errorLine(error)}`, url);
  }
}

function toJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/**
 * Reads a resource.
 *
 * @throws AlasError `Unavailable` if the service does not say whether it exists
 */
export async function readResource(
  settings: HttpSettings,
  path: string,
  signal: AbortSignal,
): Promise<ResourceState> {
  const { status, ok, body, etag } = await sendHttp(settings, 'GET', path, signal);
  if (GONE.includes(status)) return { exists: false, body: null };
  if (ok) return { exists: true, body, etag };
  throw new AlasError('Unavailable', `GET ${path} is answered with ${status}`, body);
}

/** Whether two states are equal, but for members that the service changes itself. */
export function isSameResource(
  a: ResourceState,
  b: ResourceState,
  ignore: readonly string[],
): boolean {
  const told = ({ exists, body }: ResourceState) =>
    isObject(body)
      ? JSON.stringify([
          exists,
          Object.entries(body)
            .filter(([name]) => !ignore.includes(name))
            .sort(([x], [y]) => (x < y ? -1 : 1)),
        ])
      : JSON.stringify([exists, body]);
  return told(a) === told(b);
}
