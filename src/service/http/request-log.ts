import type { FastifyInstance } from 'fastify';
import { timestamp } from '../../core/clock.js';
import { printableLine } from '../../core/errors.js';

/** A longer address is cut. */
const LONGEST = 200;

/**
 * Tells of every request in a line of JSON when it is answered. Of what was asked it shows the path alone:
 * tokens, bodies and queries are nobody's business.
 */
export function logRequests(app: FastifyInstance, write: (line: string) => void): void {
  app.addHook('onResponse', async (request, reply) => {
    const line = {
      time: timestamp(),
      by: request.caller.name,
      method: request.method,
      path: printableLine(request.url.split('?', 1)[0].slice(0, LONGEST)),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    };
    write(JSON.stringify(line));
  });
}
