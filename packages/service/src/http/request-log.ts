import { monotonicSeconds, timestamp } from '@alas-jssp/core/clock';
import { printableLine } from '@alas-jssp/core/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../api/common.js';

/** The longest logged address, in characters; longer ones are cut. */
const LONGEST = 200;

/** The end of an answer. */
interface AnswerEnd {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Seconds since the headers of the request arrived. */
  readonly seconds: number;
  /** Whether the client disconnected before the end. */
  readonly isGone: boolean;
}

/** Calls a listener at the end of every answer. */
export function onAnswerEnd(app: FastifyInstance, listener: (end: AnswerEnd) => void): void {
  app.addHook('onRequest', async (request, reply) => {
    const began = monotonicSeconds();
    reply.raw.once('close', () => {
      const seconds = monotonicSeconds() - began;
      listener({ request, reply, seconds, isGone: !reply.raw.writableFinished });
    });
  });
}

/**
 * Writes a line of JSON for each answered request. Only the path of its address is logged: tokens, bodies and queries
 * may hold secrets.
 */
export function logRequests(app: FastifyInstance, write: (line: string) => void): void {
  onAnswerEnd(app, ({ request, reply, seconds, isGone }) => {
    const line = {
      time: timestamp(),
      // A stopping service refuses requests before their callers are identified.
      by: (request.caller as Caller | undefined)?.name ?? 'anonymous',
      method: request.method,
      path: printableLine(request.url.split('?', 1)[0].slice(0, LONGEST)),
      status: reply.statusCode,
      ms: Math.round(seconds * 10_000) / 10,
      ...(isGone ? { gone: true } : {}),
    };
    write(JSON.stringify(line));
  });
}
