import { readBytes } from '../../core/bytes.js';
import { parseJson } from '../../core/json-text.js';
import type { Json } from '../../workflow/index.js';
import { readStdin } from '../common/files.js';
import type { Session } from '../common/session.js';

/**
 * JSON that an option gives: as it is, in a file (its name may begin with `@`), or `-` for stdin.
 *
 * @param option the option, for messages
 * @throws InputError for what is no JSON, and for a file that cannot be read
 */
export async function readJson(session: Session, text: string, option: string): Promise<Json> {
  if (text === '-') return parseJson(await readStdin(session), 'stdin') as Json;
  if (text.startsWith('@')) return parseJson(readBytes(text.slice(1)), text.slice(1)) as Json;
  try {
    return JSON.parse(text);
  } catch {
    // What begins like an object or a list is no name of a file, but JSON with a mistake in it.
    const json = /^\s*[{["]/.test(text);
    return (json ? parseJson(Buffer.from(text), option) : parseJson(readBytes(text), text)) as Json;
  }
}
