import { closeSync, openSync, readSync } from 'node:fs';
import { InputError } from '../../core/errors.js';
import { GZIP, readExportedLog } from './export.js';
import { openSqliteStore } from './sqlite-store.js';
import type { AuditableLog } from './store.js';

/** How exports begin: with a header in JSON, or compressed. */
const exported: readonly number[] = ['{'.charCodeAt(0), GZIP];

/**
 * Opens a log to be read, be it an SQLite file or an export: its content tells.
 *
 * @throws InputError as {@link openSqliteStore} and {@link readExportedLog} do
 */
export function openLog(file: string): AuditableLog {
  return exported.includes(firstByte(file))
    ? readExportedLog(file)
    : openSqliteStore(file, { mode: 'read' });
}

function firstByte(file: string): number {
  const bytes = Buffer.alloc(1);
  try {
    const descriptor = openSync(file, 'r');
    try {
      readSync(descriptor, bytes);
      return bytes[0];
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
