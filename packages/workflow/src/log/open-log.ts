import { closeSync, openSync, readSync } from 'node:fs';
import { refusePipe } from '@alas-jssp/core/bytes';
import { InputError } from '@alas-jssp/core/errors';
import { GZIP, readExportedLog } from './export.js';
import { openSqliteStore } from './sqlite-store.js';
import type { AuditableLog } from './store.js';

/** The first bytes of exports: a JSON header, or compressed. */
const exported: readonly number[] = ['{'.charCodeAt(0), GZIP];

/**
 * Opens an existing log, an SQLite file or an export, by its content.
 *
 * @param mode exports can only be read. Default `read`
 * @throws InputError `empty_file`; `exported_log` for an export in mode `write`, and as {@link
 *   openSqliteStore} and {@link readExportedLog} do
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

/** Undefined for an empty file. */
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
  ENOENT: 'the file does not exist',
  EISDIR: 'this is a directory',
};
