import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { monotonicSeconds, timestamp } from '../../core/clock.js';
import { printableLine } from '../../core/errors.js';
import type { Caller } from '../api/common.js';

/** A longer address is cut. */
const LONGEST = 200;

/** The end of an answer. */
interface AnswerEnd {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** From the headers of the request on. */
  readonly seconds: number;
  /** Whether its reader went away before. */
  readonly isGone: boolean;
}

/** Calls back at the end of every answer. */
export function onAnswerEnd(app: FastifyInstance, tell: (end: AnswerEnd) => void): void {
  app.addHook('onRequest', async (request, reply) => {
    const began = monotonicSeconds();
    reply.raw.once('close', () => {
      const seconds = monotonicSeconds() - began;
      tell({ request, reply, seconds, isGone: !reply.raw.writableFinished });
    });
  });
}

/**
 * Tells of every request in a line of JSON when it has its answer. Of the question it shows the path alone:
 * tokens, bodies and queries are nobody's business.
 */
export function logRequests(app: FastifyInstance, write: (line: string) => void): void {
  onAnswerEnd(app, ({ request, reply, seconds, isGone }) => {
    const line = {
      time: timestamp(),
      // Nobody has looked at a request yet that a service refuses which ends.
      by: (request.caller as Caller | undefined)?.name ?? 'nobody',
      method: request.method,
      path: printableLine(request.url.split('?', 1)[0].slice(0, LONGEST)),
      status: reply.statusCode,
      ms: Math.round(seconds * 10_000) / 10,
      ...(isGone ? { gone: true } : {}),
    };
    write(JSON.stringify(line));
  });
}
