import { InputError } from '@alas-jssp/core/errors';
import { parseUntrustedJson } from '@alas-jssp/core/json-text';

/**
 * Parses JSON of a submission.
 *
 * @throws InputError as {@link parseUntrustedJson} does, and `duplicate_key` if an object has a key twice: programs differ
 *   in which of the two they believe
 */
export function parseSubmittedJson(bytes: Uint8Array, members?: number): unknown {
  const value = parseUntrustedJson(bytes, members);
  if (countMembers(value) === countColons(bytes)) return value;
  const hint = 'give each key of an object once';
  throw new InputError('duplicate_key', 'an object has a key twice', hint);
}

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];

/** The colons outside of texts: one for each member of an object. */
function countColons(bytes: Uint8Array): number {
  let count = 0;
  let isText = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) isText = !isText;
    else if (isText && byte === BACKSLASH) i++;
    else if (!isText && byte === COLON) count++;
  }
  return count;
}

/** The members of all objects in a value. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  const own = Array.isArray(value) ? 0 : inner.length;
  return inner.reduce<number>((sum, one) => sum + countMembers(one), own);
}
