import { readBytes } from '@alas-jssp/core/bytes';
import { parseJson } from '@alas-jssp/core/json-text';
import type { Json } from '@alas-jssp/workflow';
import { readStdin } from '../common/files.js';
import type { Session } from '../common/session.js';

/**
 * The JSON value of an option: literal, in a file (its name may begin with `@`), or `-` for stdin.
 *
 * @param option the option's name, for errors
 * @throws InputError for invalid JSON and for an unreadable file
 */
export async function readJson(session: Session, text: string, option: string): Promise<Json> {
  if (text === '-') return parseJson(await readStdin(session), 'stdin') as Json;
  if (text.startsWith('@')) return parseJson(readBytes(text.slice(1)), text.slice(1)) as Json;
  try {
    return JSON.parse(text);
  } catch {
    // A text that begins like an object or a list is invalid JSON, not a file name.
    const json = /^\s*[{["]/.test(text);
    return (json ? parseJson(Buffer.from(text), option) : parseJson(readBytes(text), text)) as Json;
  }
}
