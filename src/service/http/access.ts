import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../api/common.js';
import { keyedCaller } from './calendar-keys.js';
import { ServiceRefusal } from './refusal.js';
import { type AccessToken, hasRole, localCaller } from './tokens.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The least role that may call this route; null for everybody. A function of the request where it depends. */
    role?: Caller['role'] | null | ((request: FastifyRequest) => Caller['role']);
    /** Whether the key of a calendar, in the query, does in place of a token. */
    takesCalendarKey?: boolean;
  }
  interface FastifyRequest {
    /** Who calls; nobody in particular where it does not matter. */
    caller: Caller;
  }
}

/** A caller who has shown no token. */
const NOBODY: Caller = { name: 'nobody', role: 'view' };

/** Has every request refused that comes from a foreign page, has no token, or one of too low a role. */
export function guardAccess(
  app: FastifyInstance,
  tokens: readonly AccessToken[],
  hosts: readonly string[],
): void {
  const names = new Set(['localhost', ...hosts].map((name) => name.toLowerCase()));
  const findCaller = callerFinder(tokens);
  app.decorateRequest('caller');
  app.addHook('onRequest', async (request, reply) => {
    request.caller = NOBODY;
    reply.header('x-content-type-options', 'nosniff');
    checkHost(request, names);
    const { role, takesCalendarKey = false } = request.routeOptions.config;
    const least = typeof role === 'function' ? role(request) : role;
    // A route without a role does not exist.
    if (least === undefined) return;
    if (least === null) {
      request.caller = knownCaller(findCaller, request.headers.authorization);
      return;
    }
    request.caller =
      (takesCalendarKey ? keyedCaller(request, tokens) : undefined) ??
      findCaller(request.headers.authorization);
    reply.header('cache-control', 'no-store');
    if (hasRole(request.caller, least)) return;
    throw new ServiceRefusal(
      403,
      'forbidden',
      `the role '${request.caller.role}' may not do this`,
      `use a token with the role '${least}'`,
    );
  });
}

/** Whether totals of all shops are for a caller: one with a token, which is not for some shops only. */
export function mayCountShops(caller: Caller): boolean {
  return caller !== NOBODY && caller.shops === undefined;
}

/** The caller of a route that needs no token. */
function knownCaller(
  findCaller: ReturnType<typeof callerFinder>,
  header: string | undefined,
): Caller {
  try {
    return findCaller(header);
  } catch {
    return NOBODY;
  }
}

/**
 * Finds the caller of a header `Authorization`. All tokens are compared, by their digests and in constant
 * time, so that the time of an answer tells nothing about them.
 */
function callerFinder(tokens: readonly AccessToken[]): (header: string | undefined) => Caller {
  if (tokens.length === 0) return () => localCaller;
  const known = tokens.map(({ token, ...caller }) => ({
    caller,
    digest: digestOf(token),
  }));
  return (header) => {
    const [, token] = /^Bearer +(\S+) *$/i.exec(header ?? '') ?? [];
    if (token === undefined) {
      throw new ServiceRefusal(401, 'no_token', 'the request shows no token', SHOW_TOKEN);
    }
    const digest = digestOf(token);
    let found: Caller | undefined;
    for (const { caller, digest: other } of known) {
      if (timingSafeEqual(digest, other)) found = caller;
    }
    if (found !== undefined) return found;
    throw new ServiceRefusal(401, 'bad_token', 'nobody has this token', SHOW_TOKEN);
  };
}

const SHOW_TOKEN = "send the header 'Authorization: Bearer TOKEN'";

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/**
 * Refuses names that somebody else may have pointed at this machine (DNS rebinding), and requests that the
 * pages of other sites make. Addresses in numbers are nobody's to point.
 */
function checkHost({ headers, raw }: FastifyRequest, names: ReadonlySet<string>): void {
  const { host, origin } = headers;
  const called = hostOf(`http://${host ?? ''}`);
  // Of two the headers have the first, and whatever stands between may go by the second.
  const isHost = (text: string, i: number) => i % 2 === 0 && text.toLowerCase() === 'host';
  const isTwice = raw.rawHeaders.filter(isHost).length > 1;
  if (host === undefined || called === null || isTwice) {
    const words = 'the header Host is missing, no host, or there twice';
    throw new ServiceRefusal(400, 'bad_host', words, 'send one');
  }
  const name = called.hostname.toLowerCase().replace(/\.$/, '');
  const isNumeric = isIP(name.replace(/^\[(.*)\]$/, '$1')) > 0;
  if (!isNumeric && !names.has(name) && !name.endsWith('.localhost')) {
    throw new ServiceRefusal(
      403,
      'foreign_host',
      'the service does not go by the name in the header Host',
      'call it by its address, or start it with --allow-host NAME',
    );
  }
  if (origin === undefined) return;
  if (hostOf(origin)?.host === called.host) return;
  throw new ServiceRefusal(
    403,
    'foreign_origin',
    'the request comes from the page of another site',
    'call from a page of the service itself, or without the header Origin',
  );
}

function hostOf(address: string): URL | null {
  try {
    const url = new URL(address);
    const isHostAlone = url.pathname === '/' && url.username === '' && url.search === '';
    return isHostAlone && url.hostname !== '' ? url : null;
  } catch {
    return null;
  }
}
