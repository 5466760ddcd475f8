import { basename } from 'node:path';
import { InputError } from '../../core/errors.js';

/** The source of the bytes of an instance. */
export interface FileSource {
  /** The file as the user named it; errors begin with it. */
  file?: string | undefined;
  /** The name of the instance; without a file, a name inside the bytes (JSON) goes first. */
  name: string;
}

/** The bytes of a text in UTF-8; bytes are taken as they are. */
export function bytesOf(text: string | Uint8Array, file: string | undefined): Uint8Array {
  if (typeof text === 'string') return Buffer.from(text);
  if (text instanceof Uint8Array) return text;
  const kind = text === null ? 'null' : typeof text;
  throw new InputError('bad_text', `this is no text (${kind})`, 'give a string or its bytes', {
    file,
  });
}

/** The endings of instance files, with or without compression. */
export const instanceFileEnding = /\.(txt|jsp|jssp|std|json)(\.gz)?$/i;

/** The name of the instance in a file, without folder and endings: `ta01.txt.gz` holds `ta01`. */
export function instanceName(path: string): string {
  const file = basename(path);
  return file.replace(instanceFileEnding, '').replace(/\.gz$/i, '') || file;
}
