import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { timestamp } from '../../core/clock.js';
import { printableLine } from '../../core/errors.js';
import type { Caller } from '../shops/shop-directory.js';

/** A longer address is cut. */
const LONGEST = 200;

/** Calls back at the end of every answer; `isGone` if its reader went away before. */
export function onAnswerEnd(
  app: FastifyInstance,
  tell: (request: FastifyRequest, reply: FastifyReply, isGone: boolean) => void,
): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.once('close', () => tell(request, reply, !reply.raw.writableFinished));
  });
}

/**
 * Tells of every request in a line of JSON when it has its answer. Of the question it shows the path alone:
 * tokens, bodies and queries are nobody's business.
 */
export function logRequests(app: FastifyInstance, write: (line: string) => void): void {
  onAnswerEnd(app, (request, reply, isGone) => {
    const line = {
      time: timestamp(),
      // Nobody has looked at a request yet that a service refuses which ends.
      by: (request.caller as Caller | undefined)?.name ?? 'nobody',
      method: request.method,
      path: printableLine(request.url.split('?', 1)[0].slice(0, LONGEST)),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(isGone ? { gone: true } : {}),
    };
    write(JSON.stringify(line));
  });
}
