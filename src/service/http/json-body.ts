import type { FastifyInstance } from 'fastify';
import { InputError } from '../../core/errors.js';
import { parseJson } from '../../core/json-text.js';
import { ServiceRefusal } from './refusal.js';

/** Deeper than anything that is asked of a service. */
const MOST_NESTED = 100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Takes bodies in JSON and no others: forms and plain text are what the pages of other sites can send. */
export function takeJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_: unknown, bytes: Buffer) => {
      // Clients say what type of content they do not send.
      if (bytes.length === 0) return undefined;
      refuseDepth(bytes);
      return withoutProto(parseJson(bytes, undefined));
    },
  );
}

/** Refuses what is nested so deep, at whatever place, that it would overflow the stack of who walks it. */
function refuseDepth(bytes: Uint8Array): void {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (quoted) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) quoted = false;
    } else if (byte === QUOTE) quoted = true;
    else if (byte === 0x5b || byte === 0x7b) depth++;
    else if (byte === 0x5d || byte === 0x7d) depth--;
    if (depth > MOST_NESTED) {
      throw new ServiceRefusal(
        400,
        'bad_json',
        `the JSON is nested more than ${MOST_NESTED} deep`,
        'nest it less',
      );
    }
  }
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
