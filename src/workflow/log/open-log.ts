import { closeSync, openSync, readSync } from 'node:fs';
import { refusePipe } from '../../core/bytes.js';
import { InputError } from '../../core/errors.js';
import { GZIP, readExportedLog } from './export.js';
import { openSqliteStore } from './sqlite-store.js';
import type { AuditableLog } from './store.js';

/** How exports begin: with a header in JSON, or compressed. */
const exported: readonly number[] = ['{'.charCodeAt(0), GZIP];

/**
 * Opens a log that is there, be it an SQLite file or an export: its content tells.
 *
 * @param mode exports can only be read. Default `read`
 * @throws InputError `empty_file`; `exported_log` for an export that is to be written, and as
 *   {@link openSqliteStore} and {@link readExportedLog} do
 */
export function openLog(file: string, mode: 'read' | 'write' = 'read'): AuditableLog {
  const first = firstByte(file);
  if (first === undefined) {
    throw new InputError('empty_file', 'the file is empty', 'name a log that alas-jssp wrote', {
      file,
    });
  }
  if (!exported.includes(first)) return openSqliteStore(file, { mode });
  if (mode === 'read') return readExportedLog(file);
  throw new InputError(
    'exported_log',
    'this is an export, to which nothing can be added',
    'put it into a log first: alas-jssp log import',
    { file },
  );
}

/** Undefined if there is none. */
function firstByte(file: string): number | undefined {
  refusePipe(file);
  const bytes = Buffer.alloc(1);
  try {
    const descriptor = openSync(file, 'r');
    try {
      return readSync(descriptor, bytes) === 0 ? undefined : bytes[0];
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const problem = errors[String(code)] ?? `it cannot be read (${code})`;
    throw new InputError('no_file', problem, 'name a log that alas-jssp wrote', { file });
  }
}

const errors: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a directory',
};
