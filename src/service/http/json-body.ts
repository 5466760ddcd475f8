import type { FastifyInstance, FastifyRequest } from 'fastify';
import { InputError } from '../../core/errors.js';
import { parseJson } from '../../core/json-text.js';
import { ServiceRefusal } from './refusal.js';

/** Takes bodies in JSON and no others: forms and plain text are what the pages of other sites can send. */
export function takeJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async ({ headers }: FastifyRequest, bytes: Buffer) => {
      const encoding = headers['content-encoding'] ?? 'identity';
      if (encoding.toLowerCase() !== 'identity') {
        const words = 'the body is compressed, or encoded otherwise';
        throw new ServiceRefusal(415, 'bad_media_type', words, 'leave Content-Encoding out');
      }
      // Clients say what type of content they do not send.
      if (bytes.length === 0) return undefined;
      return withoutProto(parseJson(bytes, undefined, bytes.length));
    },
  );
}

/** Refuses keys that, copied from object to object, would change what objects are. */
function withoutProto(value: unknown): unknown {
  const todo = [value];
  for (let item = todo.pop(); item !== undefined; item = todo.pop()) {
    if (item === null || typeof item !== 'object') continue;
    if (Object.hasOwn(item, '__proto__')) {
      throw new InputError('bad_json', 'the key "__proto__" is not allowed', 'leave it out');
    }
    for (const inner of Object.values(item)) {
      if (inner !== null && typeof inner === 'object') todo.push(inner);
    }
  }
  return value;
}
