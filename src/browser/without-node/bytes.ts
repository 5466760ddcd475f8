import { InputError } from '@alas-jssp/core/errors';

/** @throws InputError always: a page has no files, it parses texts */
export function readBytes(path: string): Uint8Array {
  const hint = 'pass its text to parseInstance or parsePlan';
  throw new InputError('missing_file', 'a browser reads no files', hint, { file: path });
}
