import { gunzipSync } from 'node:zlib';
import { InputError } from '@alas-jssp/core/errors';

/** The size limit of unpacked logs, 1 GiB: a few bytes of gzip may expand to any number. */
const MAX_UNPACKED = 2 ** 30;

/**
 * Unpacks a compressed export.
 *
 * @throws InputError `too_large`; errors of zlib for damaged content
 */
export function unpackLog(packed: Uint8Array, file: string, most = MAX_UNPACKED): Buffer {
  try {
    return gunzipSync(packed, { maxOutputLength: most });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error;
    const problem = `its compressed content has more than ${most} bytes`;
    throw new InputError('too_large', problem, 'unpack it before', { file });
  }
}
