import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseUntrustedJson } from '../../core/json-text.js';
import { type SentBodyName, UnreadBody } from '../api/check-body.js';
import type { Compute } from '../compute/compute.js';
import { ServiceRefusal } from './refusal.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The way of a large body: to the thread that computes the request, or checked by a schema of that name. */
    largeBody?: 'computed' | SentBodyName;
  }
}

/** Bytes of a body from which on it is parsed and checked in a thread. */
const LARGE = 128 * 1024;

/** Bodies that a thread has checked already. */
const checkedBodies = new WeakSet<object>();

/** Whether a body need not be checked here: a thread does it, or has done it. */
export function isCheckedElsewhere(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return body instanceof UnreadBody || checkedBodies.has(body);
}

/**
 * Takes bodies in JSON and no others: forms and plain text are what the pages of other sites can send. Large ones are
 * parsed and checked in threads, so that other requests are answered meanwhile.
 */
export function takeJsonBodies(app: FastifyInstance, compute: Compute): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      const encoding = request.headers['content-encoding'] ?? 'identity';
      if (encoding.toLowerCase() !== 'identity') {
        const words = 'the body is compressed, or encoded otherwise';
        throw new ServiceRefusal(415, 'bad_media_type', words, 'leave Content-Encoding out');
      }
      // Clients say what type of content they do not send.
      if (bytes.length === 0) return undefined;
      if (bytes.length < LARGE) return parseUntrustedJson(bytes);
      // Nothing at this address reads it.
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
