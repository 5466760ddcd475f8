import { InputError } from '@alas-jssp/core/errors';
import { checkText, isBlank, lineEnd, NEWLINE, textStart } from '@alas-jssp/core/text';
import { MAX_TIME } from '../instance.js';

/**
 * The kind of a token: a whole number, a number with a fraction or an exponent, a whole number too
 * large to be exact, any other word, or the end of the text.
 */
export type TokenKind = 'integer' | 'fraction' | 'huge' | 'word' | 'end';

/**
 * A position in a text and the last token read there. It works on bytes and reuses this one object, so that hundreds of
 * megabytes produce no garbage.
 */
export interface Tokens {
  readonly bytes: Uint8Array;
  readonly file: string | undefined;
  kind: TokenKind;
  /** The number, if the token is one. */
  value: number;
  /** The line of the token, from 1; at the end, the last line that is not empty. */
  line: number;
  /** The first byte of the token. */
  start: number;
  /** The position after the token. */
  position: number;
}

const DECODER = new TextDecoder();
const HASH = 0x23;
const MINUS = 0x2d;
const ZERO = 0x30;
const FRACTION = /^[+-]?(\d+\.\d*|\.\d+|\d+(?=e))(e[+-]?\d+)?$/i;
const LONGEST_QUOTE = 20;

/**
 * Opens a text of words and numbers between blanks, in which `#` before a word makes the rest of the line a comment.
 * Read the first token with {@link nextToken}.
 *
 * @throws InputError if the bytes are empty, hold a NUL byte or are not UTF-8, in comments too
 */
export function openTokens(bytes: Uint8Array, file: string | undefined): Tokens {
  checkText(bytes, file);
  const position = textStart(bytes);
  return { bytes, file, kind: 'end', value: 0, line: 1, start: position, position };
}

/** Reads the next token and returns its kind. After the end it returns `end` again. */
export function nextToken(tokens: Tokens): TokenKind {
  const { bytes } = tokens;
  const length = bytes.length;
  let position = tokens.position;
  let newlines = 0;
  for (; position < length; position++) {
    const byte = bytes[position];
    if (byte === NEWLINE) newlines++;
    else if (byte === HASH) position = lineEnd(bytes, position) - 1;
    else if (!isBlank(byte)) break;
  }
  tokens.start = position;
  if (position >= length) {
    tokens.position = length;
    tokens.kind = 'end';
    return 'end';
  }
  tokens.line += newlines;

  const negative = bytes[position] === MINUS;
  const digits = negative ? position + 1 : position;
  let value = 0;
  for (position = digits; position < length; position++) {
    const digit = bytes[position] - ZERO;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  tokens.position = position;
  if (position === digits || (position < length && !isBlank(bytes[position]))) {
    return readWord(tokens);
  }
  tokens.value = negative && value > 0 ? -value : value;
  tokens.kind = value <= Number.MAX_SAFE_INTEGER ? 'integer' : 'huge';
  return tokens.kind;
}

/** The text of the token, truncated if it is long, in quotes and on one line. */
export function quoteToken(tokens: Tokens): string {
  const text = new TextDecoder().decode(
    tokens.bytes.subarray(tokens.start, Math.min(tokens.position, tokens.start + 200)),
  );
  return JSON.stringify(text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text);
}

/** Whether the token is a heading, in upper or lower case, with or without a colon. */
export function isHeading(tokens: Tokens, heading = ''): boolean {
  if (tokens.kind !== 'word') return false;
  const word = quoteToken(tokens).slice(1, -1).toLowerCase();
  return word === heading.toLowerCase() || word === `${heading.toLowerCase()}:`;
}

/** The error for a token that should be a whole number and is not. */
export function notANumber(tokens: Tokens): InputError {
  const { file, line, kind } = tokens;
  const found = quoteToken(tokens);
  if (kind === 'huge') return tooHigh(tokens);
  return kind === 'fraction'
    ? new InputError(
        'bad_number',
        `${found} is not a whole number`,
        'use whole numbers, in a finer time unit if need be',
        { file, line },
      )
    : new InputError(
        'bad_number',
        `${found} is not a whole number`,
        'use whole numbers, and # in front of comments',
        { file, line },
      );
}

/** The error for a number beyond all times and counts. */
export function tooHigh(tokens: Tokens): InputError {
  const { file, line } = tokens;
  return new InputError(
    'too_high',
    `${quoteToken(tokens).slice(1, -1)} is too large a number`,
    `use at most ${MAX_TIME}`,
    { file, line },
  );
}

/** Finishes a token that is not a whole number: all bytes up to the next blank. */
function readWord(tokens: Tokens): TokenKind {
  const { bytes, start } = tokens;
  let { position } = tokens;
  while (position < bytes.length && !isBlank(bytes[position])) position++;
  tokens.position = position;
  const text = position - start <= 400 ? DECODER.decode(bytes.subarray(start, position)) : '';
  tokens.kind = FRACTION.test(text) ? 'fraction' : 'word';
  return tokens.kind;
}
