import { errorLine } from '@alas-jssp/core/errors';
import type { Json } from '@alas-jssp/workflow';
import type {
  Compensation,
  GuardedCall,
  ObservedEffect,
  UndoneEffect,
} from '../../compensation.js';
import { cannotUndo, fromStored, readSettings, toStored } from '../settings.js';
import { type HttpSettings, httpSettings } from './http-settings.js';
import {
  filledPath,
  type HttpSources,
  isSameResource,
  type ResourceState,
  readResource,
  sendHttp,
  sourceValue,
} from './resource.js';

/** The preparation for the undo: the resource before the call, or null if its path is not known then. */
interface PreparedRequest {
  readonly before: ResourceState | null;
}

/** The resource after a call, with the answer that names it; null if it is unknown. */
interface RequestAfter {
  readonly output: Json;
  readonly state: ResourceState | null;
}

/**
 * Takes calls of an HTTP service back by another request to it: the resource is read before the call, after it, and
 * before the undo, which is only sent if nobody has changed the resource since.
 *
 * @throws InputError `bad_compensation` for wrong settings; `prepare` throws `cannot_undo`
 */
export function httpCompensation(given: Json): Compensation {
  const settings = readSettings('http', httpSettings, given);
  return {
    name: 'http',
    prepare: async (call) => toStored(await prepare(settings, call)),
    observe: (call, prepared, output) => observe(settings, call, fromStored(prepared), output),
    undo: (call, prepared, after) =>
      undo(
        settings,
        call,
        fromStored(prepared),
        fromStored(after ?? { output: null, state: null }),
      ),
  };
}

function sourcesOf(
  { input, key }: GuardedCall,
  { before }: PreparedRequest,
  output: Json,
): HttpSources {
  return { input, key, output, before: before?.body ?? null };
}

async function prepare(settings: HttpSettings, call: GuardedCall): Promise<PreparedRequest> {
  const { resource, undo } = settings;
  const path = filledPath(resource, sourcesOf(call, { before: null }, null));
  if (path === undefined && !/\{output\b/.test(resource)) {
    throw cannotUndo(`its input does not fill ${resource}`, 'give the missing values', call.input);
  }
  if (path === undefined) return { before: null };
  const before = await readResource(settings, path, call.signal).catch((error: unknown) => {
    throw cannotUndo(`the resource cannot be read: ${errorLine(error)}`, 'try again later', path);
  });
  if (undo.body === 'before' && !before.exists) {
    throw cannotUndo(
      `${path} does not exist, so it could not be restored`,
      'create it first',
      path,
    );
  }
  return { before };
}

async function observe(
  settings: HttpSettings,
  call: GuardedCall,
  prepared: PreparedRequest,
  output: Json | undefined,
): Promise<ObservedEffect> {
  const { before } = prepared;
  const path = filledPath(settings.resource, sourcesOf(call, prepared, output ?? null));
  const seen = (effect: ObservedEffect['state'], state: ResourceState | null): ObservedEffect => ({
    state: effect,
    after: toStored({ output: output ?? null, state } satisfies RequestAfter),
  });
  if (path === undefined) return seen('unknown', null);
  const now = await readResource(settings, path, call.signal);
  const isChanged = before === null ? now.exists : !isSameResource(now, before, settings.ignore);
  return seen(isChanged ? 'done' : 'not-done', now);
}

async function undo(
  settings: HttpSettings,
  call: GuardedCall,
  prepared: PreparedRequest,
  { output, state }: RequestAfter,
): Promise<UndoneEffect> {
  const { resource, undo: request, ignore } = settings;
  const sources = sourcesOf(call, prepared, output);
  const path = filledPath(resource, sources);
  const target = filledPath(request.path ?? resource, sources);
  if (path === undefined || target === undefined) {
    return { state: 'failed', message: `${request.path ?? resource} cannot be filled` };
  }
  const wanted = prepared.before ?? { exists: false, body: null };
  const now = await readResource(settings, path, call.signal);
  if (isSameResource(now, wanted, ignore)) {
    return { state: 'nothing-to-undo', message: `${path} is as it was` };
  }
  if (state === null || !isSameResource(now, state, ignore)) {
    return { state: 'conflict', message: `${path} has been changed since` };
  }
  const headers = {
    'idempotency-key': `${call.key}/undo`,
    // Only if the request goes to the resource itself, its version is that of the resource.
    ...(now.etag !== undefined && target === path && { 'if-match': now.etag }),
  };
  const body = bodyOf(settings, prepared, sources);
  const { status, ok } = await sendHttp(
    settings,
    request.method,
    target,
    call.signal,
    headers,
    body,
  );
  if (status === 412) return { state: 'conflict', message: `${path} has been changed since` };
  const left = await readResource(settings, path, call.signal);
  if (isSameResource(left, wanted, ignore))
    return { state: 'undone', message: `${path} is as it was` };
  const reason = ok ? 'the resource is not as it was' : `it is answered with ${status}`;
  return { state: 'failed', message: `${request.method} ${target}: ${reason}` };
}

/** The body of the undo. */
function bodyOf(
  { undo: { body } }: HttpSettings,
  { before }: PreparedRequest,
  sources: HttpSources,
): Json | undefined {
  if (body === undefined) return undefined;
  if (body === 'before') return before?.body ?? null;
  const entries = Object.entries(body).map(([name, source]) => {
    const value = typeof source === 'string' ? sourceValue(source, sources) : source.value;
    return [name, value ?? null] as const;
  });
  return Object.fromEntries(entries);
}
