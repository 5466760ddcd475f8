import { parseUntrustedJson } from '@alas-jssp/core/json-text';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type SentBodyName, UnreadBody } from '../api/check-body.js';
import type { Compute } from '../compute/compute.js';
import { ServiceRefusal } from './refusal.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The thread of a large body: `computed` for that of the request, else any thread checks it by the named schema.
     */
    largeBody?: 'computed' | SentBodyName;
  }
}

/** The size of a body, in bytes, from which a thread parses and checks it. */
const LARGE = 128 * 1024;

/** Bodies that a thread has checked. */
const checkedBodies = new WeakSet<object>();

/** Whether a body needs no check here, because a thread checks it or has checked it. */
export function isCheckedElsewhere(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return body instanceof UnreadBody || checkedBodies.has(body);
}

/**
 * Accepts only JSON bodies: the pages of other sites can send forms and plain text. Threads parse and check large
 * bodies, so that the service can answer other requests meanwhile.
 */
export function takeJsonBodies(app: FastifyInstance, compute: Compute): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      const encoding = request.headers['content-encoding'] ?? 'identity';
      if (encoding.toLowerCase() !== 'identity') {
        const words = 'the body has a content encoding';
        throw new ServiceRefusal(415, 'bad_media_type', words, 'leave Content-Encoding out');
      }
      // Clients may declare a content type without content.
      if (bytes.length === 0) return undefined;
      if (bytes.length < LARGE) return parseUntrustedJson(bytes);
      // No route reads it.
      if (request.is404) return undefined;
      const { largeBody: schema } = request.routeOptions.config;
      if (schema === 'computed') return new UnreadBody(bytes);
      const gone = new AbortController();
      request.raw.once(
        'close',
        () => request.raw.destroyed && !request.raw.complete && gone.abort(),
      );
      const work = { bytes, schema };
      const { signal } = gone;
      const body = await compute.begin('read', work, { caller: request.caller.name, signal });
      if (schema !== undefined && typeof body === 'object' && body !== null)
        checkedBodies.add(body);
      return body;
    },
  );
}
