import { constants, isUtf8 } from 'node:buffer';
import { InputError } from './errors.js';

export const NEWLINE = 0x0a;
const CHUNK = 2 ** 20;
const SHORT_LINE = 200;

/**
 * Checks that bytes are text: not empty, no NUL bytes, valid UTF-8.
 *
 * @throws InputError with the first line that is not
 */
export function checkText(bytes: Uint8Array, file: string | undefined): void {
  if (bytes.length === 0) {
    throw new InputError('empty_file', 'the file is empty', 'give a file with content', { file });
  }
  const nul = bytes.indexOf(0);
  if (nul >= 0) {
    const line = lineAt(bytes, nul);
    throw new InputError('nul_byte', 'there is a NUL byte', 'give a plain text file in UTF-8', {
      file,
      line,
    });
  }
  if (!isUtf8(bytes)) {
    const line = lineAt(bytes, findBadLine(bytes));
    throw new InputError('not_utf8', 'this line is not UTF-8', 'save the file as UTF-8', {
      file,
      line,
    });
  }
}

/**
 * The text of bytes that pass {@link checkText}, without a byte order mark.
 *
 * @throws InputError as {@link checkText} does, or if the text is too long for one string
 */
export function decodeText(bytes: Uint8Array, file: string | undefined): string {
  checkText(bytes, file);
  if (bytes.length > constants.MAX_STRING_LENGTH) {
    throw new InputError(
      'too_large',
      'the file is too large for JSON or CSV',
      `give one of at most ${constants.MAX_STRING_LENGTH} bytes`,
      { file },
    );
  }
  return new TextDecoder().decode(bytes);
}

/** The position of the first byte after the byte order mark, if there is one. */
export function textStart(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** Whether a byte is white space, newlines included. */
export function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

/** The first byte that is not blank, or −1 if there is none. */
export function firstByte(bytes: Uint8Array): number {
  for (let i = textStart(bytes); i < bytes.length; i++) if (!isBlank(bytes[i])) return bytes[i];
  return -1;
}

/** The line, from 1, that contains a byte. */
function lineAt(bytes: Uint8Array, position: number): number {
  let line = 1;
  for (let i = 0; i < position; i++) if (bytes[i] === NEWLINE) line++;
  return line;
}

/**
 * The position of the newline that ends the line of a byte, or of the text's end. The loop is fastest for short lines,
 * `indexOf` for long ones.
 */
export function lineEnd(bytes: Uint8Array, position: number): number {
  const near = Math.min(bytes.length, position + SHORT_LINE);
  for (let end = position; end < near; end++) if (bytes[end] === NEWLINE) return end;
  const newline = bytes.indexOf(NEWLINE, near);
  return newline < 0 ? bytes.length : newline;
}

/**
 * The start of the first line that is not UTF-8. No character crosses a newline, so that lines and groups of lines can
 * be checked separately; groups make it fast.
 */
function findBadLine(bytes: Uint8Array): number {
  let group = 0;
  let end = lineEnd(bytes, CHUNK);
  while (isUtf8(bytes.subarray(group, end))) {
    group = end;
    end = lineEnd(bytes, group + CHUNK);
  }
  let line = group;
  while (isUtf8(bytes.subarray(line, lineEnd(bytes, line)))) line = lineEnd(bytes, line) + 1;
  return line;
}

/** The bytes of a text in UTF-8; bytes are returned unchanged. */
export function bytesOf(text: string | Uint8Array, file: string | undefined): Uint8Array {
  if (typeof text === 'string') return new TextEncoder().encode(text);
  if (text instanceof Uint8Array) return text;
  const kind = text === null ? 'null' : typeof text;
  throw new InputError('bad_text', `this is no text (${kind})`, 'give a string or its bytes', {
    file,
  });
}
