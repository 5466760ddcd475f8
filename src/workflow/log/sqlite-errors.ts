import { InputError } from '../../core/errors.js';

/** Problem and cure by the primary result code of SQLite. */
const reasons: Readonly<Record<number, readonly [code: string, problem: string, cure: string]>> = {
  5: ['locked_log', 'another process is writing to it', 'wait until that has ended'],
  6: ['locked_log', 'another connection is writing to it', 'close that one first'],
  8: ['unwritable_file', 'it can only be read', 'change its permissions, or name another file'],
  10: ['unwritable_file', 'the disk fails', 'see to the disk, or name a file on another one'],
  11: ['damaged_log', 'the file is damaged', 'use a copy that is whole'],
  13: ['unwritable_file', 'the disk is full', 'make room, or name a file on another disk'],
  14: ['no_file', 'it cannot be opened', 'check the path and your permissions'],
  17: ['damaged_log', 'its schema changes while it is used', 'leave its schema alone'],
  26: ['foreign_log', 'this is no log: no SQLite file', 'name a log that alas-jssp wrote'],
};

/** Turns an error of SQLite into one that names the file and a cure; leaves all others alone. */
export function translateSqlite(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error instanceof InputError) return error;
  const { rawCode } = error as { rawCode?: unknown };
  // A failing open carries its code in the text only.
  const code =
    typeof rawCode === 'number' ? rawCode : Number(/: (\d+)"?\)?$/.exec(error.message)?.[1]);
  if (Number.isNaN(code)) return error;
  const [name, problem, cure] = reasons[code & 0xff] ?? [
    'damaged_log',
    `SQLite cannot use it (${error.message})`,
    'use a copy that is whole',
  ];
  return new InputError(name, problem, cure, { file }, error.message);
}

/** Whether an INSERT was refused because the entry's place is taken. */
export function isConflict(error: unknown): boolean {
  return ((error as { rawCode?: number } | null)?.rawCode ?? 0) % 256 === 19;
}
