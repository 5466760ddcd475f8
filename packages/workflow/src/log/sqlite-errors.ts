import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { InputError } from '@alas-jssp/core/errors';

/** SQLite reports only that it cannot open a file; this adds the reason. */
export function requirePlace(file: string, mode: 'write' | 'read'): void {
  const refuse = (code: string, problem: string, hint: string) => {
    throw new InputError(code, problem, hint, { file });
  };
  if (file === ':memory:') {
    refuse('no_file', 'this is not a file name', 'use createMemoryStore for a log in memory');
  }
  if (!existsSync(file)) {
    if (mode === 'read') refuse('no_file', 'the file does not exist', 'check the path');
    if (!existsSync(dirname(resolve(file)))) {
      refuse('no_file', 'its directory does not exist', 'create the directory first');
    }
    return;
  }
  if (statSync(file).isDirectory()) {
    refuse('no_file', 'this is a directory', 'name a file inside it');
  }
  try {
    accessSync(file, mode === 'read' ? constants.R_OK : constants.W_OK);
  } catch {
    refuse(
      mode === 'read' ? 'no_file' : 'unwritable_file',
      `you may not ${mode} it`,
      'change its permissions, or name another file',
    );
  }
}

type Reason = readonly [code: string, problem: string, hint: string];

/** The file is read-only. */
export const READ_ONLY: Reason = [
  'unwritable_file',
  'it is read-only',
  'change its permissions, or name another file',
];

/** Problem and hint by the primary result code of SQLite. */
const reasons: Readonly<Record<number, Reason>> = {
  5: ['locked_log', 'another process is writing to it', 'wait until that has ended'],
  6: ['locked_log', 'another connection is writing to it', 'close that one first'],
  8: READ_ONLY,
  10: [
    'unwritable_file',
    'the disk fails, or it may not become larger',
    'check the disk and its limits, or name a file on another one',
  ],
  11: ['damaged_log', 'the file is damaged', 'use an intact copy'],
  13: ['unwritable_file', 'the disk is full', 'make room, or name a file on another disk'],
  14: ['no_file', 'it cannot be opened', 'check the path and your permissions'],
  17: ['damaged_log', 'its schema changes while it is used', 'leave its schema alone'],
  26: [
    'foreign_log',
    'this is not a log: it is not an SQLite file',
    'name a log that alas-jssp wrote',
  ],
};

/** Converts an error of SQLite into one with the file and a hint; returns all others unchanged. */
export function translateSqlite(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error instanceof InputError || isConflict(error)) return error;
  const { rawCode } = error as { rawCode?: unknown };
  // A failed open has its code in the text only.
  const code =
    typeof rawCode === 'number' ? rawCode : Number(/: (\d+)"?\)?$/.exec(error.message)?.[1]);
  if (Number.isNaN(code)) return error;
  const [name, problem, hint] = reasons[code & 0xff] ?? [
    'damaged_log',
    `SQLite cannot use it (${error.message})`,
    'use an intact copy',
  ];
  return new InputError(name, problem, hint, { file }, error.message);
}

/** Whether a constraint or a trigger rejected a row. */
export function isConflict(error: unknown): boolean {
  return ((error as { rawCode?: number } | null)?.rawCode ?? 0) % 256 === 19;
}
