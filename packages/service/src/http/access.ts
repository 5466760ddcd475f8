import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../api/common.js';
import { keyedCaller } from './calendar-keys.js';
import { ServiceRefusal } from './refusal.js';
import { type AccessToken, hasRole, localCaller } from './tokens.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The least role that may call this route, or a function of the request that returns it; null: no token needed. */
    role?: Caller['role'] | null | ((request: FastifyRequest) => Caller['role']);
    /** Whether the key of a calendar in the query replaces a token. */
    takesCalendarKey?: boolean;
  }
  interface FastifyRequest {
    /** The caller; `anonymous` for a request without a valid token. */
    caller: Caller;
  }
}

/** The caller of a request without a token. */
const ANONYMOUS: Caller = { name: 'anonymous', role: 'view' };

/** Refuses requests of foreign pages, requests without a token, and those with a role that is too low. */
export function guardAccess(
  app: FastifyInstance,
  tokens: readonly AccessToken[],
  hosts: readonly string[],
): void {
  const names = new Set(['localhost', ...hosts].map((name) => name.toLowerCase()));
  const findCaller = callerFinder(tokens);
  app.decorateRequest('caller');
  app.addHook('onRequest', async (request, reply) => {
    request.caller = ANONYMOUS;
    reply.header('x-content-type-options', 'nosniff');
    checkHost(request, names);
    const { role, takesCalendarKey = false } = request.routeOptions.config;
    const least = typeof role === 'function' ? role(request) : role;
    // Only unknown addresses have no role.
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

/** Whether a caller may see totals of all shops: only with a token that is not limited to some shops. */
export function mayCountShops(caller: Caller): boolean {
  return caller !== ANONYMOUS && caller.shops === undefined;
}

/** Finds the caller of a route that needs no token; `anonymous` without a valid token. */
function knownCaller(
  findCaller: ReturnType<typeof callerFinder>,
  header: string | undefined,
): Caller {
  try {
    return findCaller(header);
  } catch {
    return ANONYMOUS;
  }
}

/**
 * Creates a function that finds the caller of an `Authorization` header. It compares the digests of all tokens in
 * constant time, so that the time of an answer reveals nothing about them.
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
      throw new ServiceRefusal(401, 'no_token', 'the request has no token', SHOW_TOKEN);
    }
    const digest = digestOf(token);
    let found: Caller | undefined;
    for (const { caller, digest: other } of known) {
      if (timingSafeEqual(digest, other)) found = caller;
    }
    if (found !== undefined) return found;
    throw new ServiceRefusal(401, 'bad_token', 'this token is unknown', SHOW_TOKEN);
  };
}

const SHOW_TOKEN = "send the header 'Authorization: Bearer TOKEN'";

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/**
 * Refuses host names that an attacker may have pointed at this machine (DNS rebinding), and requests from the pages of
 * other sites. Numeric addresses are safe: they need no DNS.
 */
function checkHost({ headers, raw }: FastifyRequest, names: ReadonlySet<string>): void {
  const { host, origin } = headers;
  const called = hostOf(`http://${host ?? ''}`);
  // `headers` has the first of two `Host` headers, but a proxy may have used the second.
  const isHost = (text: string, i: number) => i % 2 === 0 && text.toLowerCase() === 'host';
  const isTwice = raw.rawHeaders.filter(isHost).length > 1;
  if (host === undefined || called === null || isTwice) {
    const words = 'the header Host is missing, invalid or repeated';
    throw new ServiceRefusal(400, 'bad_host', words, 'send one');
  }
  const name = called.hostname.toLowerCase().replace(/\.$/, '');
  const isNumeric = isIP(name.replace(/^\[(.*)\]$/, '$1')) > 0;
  if (!isNumeric && !names.has(name) && !name.endsWith('.localhost')) {
    throw new ServiceRefusal(
      403,
      'foreign_host',
      'the service does not accept the host of the header Host',
      'call it by its address, or start it with --allow-host NAME',
    );
  }
  if (origin === undefined) return;
  if (hostOf(origin)?.host === called.host) return;
  throw new ServiceRefusal(
    403,
    'foreign_origin',
    'the request comes from the page of another site',
    'call from a page of the service, or without the header Origin',
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
