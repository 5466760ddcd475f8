import { InputError } from './errors.js';
import { decodeText } from './text.js';

/** The nesting limit of files. */
const MAX_DEPTH = 100;
const DEPTH_SAMPLE = 2 ** 16;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Parses bytes as JSON.
 *
 * @param depthSample bytes at the beginning that are checked for deep nesting; default: 64 KB, enough for files
 * @throws InputError with the line of the first byte that is not text or not JSON
 */
export function parseJson(
  bytes: Uint8Array,
  file: string | undefined,
  depthSample = DEPTH_SAMPLE,
): unknown {
  const text = decodeText(bytes, file);
  checkDepth(bytes, file, depthSample);
  try {
    return JSON.parse(text);
  } catch {
    throw syntaxError(text, file);
  }
}

/** The limits of nesting, and usually of members of lists and objects, in JSON from clients. */
const UNTRUSTED_DEPTH = 32;
export const UNTRUSTED_MEMBERS = 500_000;
/**
 * The limit of keys beyond the first thousand of each object: wide objects cost far more than lists of the same length.
 */
const UNTRUSTED_WIDE_KEYS = 20_000;
const WIDE = 1000;

/**
 * Parses JSON from clients: nesting and members are checked before anything is allocated.
 *
 * @throws InputError as {@link parseJson}; `bad_json` for keys that would change the prototype of an object when copied
 */
export function parseUntrustedJson(bytes: Uint8Array, members = UNTRUSTED_MEMBERS): unknown {
  const text = decodeText(bytes, undefined);
  checkDepth(bytes, undefined, bytes.length, {
    depth: UNTRUSTED_DEPTH,
    members,
    wideKeys: UNTRUSTED_WIDE_KEYS,
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw syntaxError(text, undefined);
  }
  if (text.includes('__proto__') || text.includes('\\u')) refuseProto(value);
  return value;
}

function refuseProto(value: unknown): void {
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
}

/**
 * Refuses deeply nested input: the parser would take minutes, and traversing the result would overflow the stack.
 *
 * @throws InputError `bad_json`
 */
function checkDepth(
  bytes: Uint8Array,
  file: string | undefined,
  sample: number,
  most = {
    depth: MAX_DEPTH,
    members: Number.POSITIVE_INFINITY,
    wideKeys: Number.POSITIVE_INFINITY,
  },
): void {
  const length = Math.min(bytes.length, sample);
  let depth = 0;
  let members = 0;
  let wideKeys = 0;
  /** The number of keys so far in each open object or list, by depth. */
  const keys: number[] = [];
  let quoted = false;
  for (let i = 0; i < length; i++) {
    const byte = bytes[i];
    if (quoted) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) quoted = false;
    } else if (byte === QUOTE) quoted = true;
    else if (byte === 0x5b || byte === 0x7b) keys[++depth] = 0;
    else if (byte === 0x5d || byte === 0x7d) depth--;
    else if (byte === 0x3a && ++keys[depth] > WIDE) wideKeys++;
    if (!quoted && (byte === 0x2c || byte === 0x5b || byte === 0x7b)) members++;
    if (members > most.members) {
      const problem = `the JSON has more than ${most.members} members`;
      throw new InputError('bad_json', problem, 'send less at once', { file });
    }
    if (wideKeys > most.wideKeys) {
      const problem = `the JSON has objects with more than ${most.wideKeys} keys`;
      throw new InputError('bad_json', problem, 'use lists', { file });
    }
    if (depth > most.depth) {
      throw new InputError(
        'bad_json',
        `the JSON is nested more than ${most.depth} deep`,
        'nest it less',
        { file },
      );
    }
  }
}

/** The error for text that is not JSON. `JSON.parse` does not report the line, so it is searched for. */
function syntaxError(text: string, file: string | undefined): InputError {
  const position = errorPosition(text);
  const line = text.slice(0, position).split('\n').length;
  const found = /^\S{1,20}/.exec(text.slice(position, position + 20));
  return found === null
    ? new InputError('bad_json', 'the JSON ends too early', 'add what is missing', { file, line })
    : new InputError('bad_json', `${JSON.stringify(found[0])} is not JSON here`, 'correct it', {
        file,
        line,
      });
}

const BLANKS = /[ \t\n\r]*/y;
const TOKEN = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:]/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma';

/** The position of the first token that makes a text invalid JSON. */
function errorPosition(text: string): number {
  const open: string[] = [];
  let expected: Expected | null = 'value';
  for (let position = 0; ; ) {
    position = matchEnd(BLANKS, text, position);
    const end =
      text[position] === '"' ? stringEnd(text, position) : matchEnd(TOKEN, text, position);
    if (end < 0) return position;
    expected = advance(expected, text[position], open);
    if (expected === null) return position;
    position = end;
  }
}

function matchEnd(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** The position after a string, −1 if it does not end or contains an invalid character. */
function stringEnd(text: string, position: number): number {
  for (let i = position + 1; i < text.length && text[i] >= ' '; ) {
    if (text[i] === '"') return i + 1;
    i = text[i] === '\\' ? matchEnd(ESCAPE, text, i) : i + 1;
    if (i < 0) return -1;
  }
  return -1;
}

/**
 * The expectation after a token, given the expectation before it and the open braces and brackets; null if the
 * token is out of place. `sign` is the token's first character.
 */
function advance(expected: Expected, sign: string, open: string[]): Expected | null {
  const inside = open.at(-1);
  if (expected === 'colon') return sign === ':' ? 'value' : null;
  if (expected === 'comma' && sign === ',' && inside !== undefined) {
    return inside === '{' ? 'key' : 'value';
  }
  const closes =
    (sign === '}' && inside === '{' && (expected === 'comma' || expected === 'key or }')) ||
    (sign === ']' && inside === '[' && (expected === 'comma' || expected === 'value or ]'));
  if (closes) {
    open.pop();
    return 'comma';
  }
  if (expected === 'comma') return null;
  if (expected === 'key' || expected === 'key or }') return sign === '"' ? 'colon' : null;
  if (sign === '{' || sign === '[') {
    open.push(sign);
    return sign === '{' ? 'key or }' : 'value or ]';
  }
  return '}],:'.includes(sign) ? null : 'comma';
}
