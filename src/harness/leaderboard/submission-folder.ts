import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { InputError } from '@alas-jssp/core/errors';

/** The size limit of a file of a submission: 64 MiB. */
const MAX_SUBMITTED_BYTES = 2 ** 26;
/** The limit of files in one folder of a submission. */
const MAX_SUBMITTED_FILES = 100_000;

/** The files of a submission, by paths relative to its folder. Nothing outside of it is read. */
export interface SubmissionFolder {
  readonly directory: string;
  /**
   * The bytes of a file; undefined if there is none.
   *
   * @throws InputError `outside` for a path or link that leads out, `not_a_file`, `too_large`
   */
  read(path: string): Uint8Array | undefined;
  /** The names in a folder, sorted; none if there is no such folder. */
  list(folder: string): readonly string[];
}

/** @throws InputError `no_submission` if it is not a directory */
export function openSubmission(directory: string): SubmissionFolder {
  // The folder itself may be a link: the user named it.
  if (lstat(join(directory, '.'))?.isDirectory() !== true) {
    const isThere = lstat(directory) !== undefined;
    const problem = isThere ? 'this is no directory' : 'there is no directory of this name';
    const hint = 'give the directory of a run with --save-schedules';
    throw new InputError('no_submission', problem, hint, { file: directory });
  }
  return {
    directory,
    read: (path) => readInside(directory, path),
    list: (folder) => listInside(directory, folder),
  };
}

function readInside(directory: string, path: string): Uint8Array | undefined {
  const stats = inspect(directory, path);
  if (stats === undefined) return undefined;
  if (!stats.isFile()) throw refused('not_a_file', path, 'this is not a regular file');
  // The file may have been exchanged since: a link is refused, and the size is that of the open file.
  const noLink = constants.O_NOFOLLOW ?? 0;
  let file: number | undefined;
  try {
    file = openSync(join(directory, path), constants.O_RDONLY | noLink);
    if (fstatSync(file).size > MAX_SUBMITTED_BYTES) {
      throw refused('too_large', path, 'the file is larger than 64 MiB');
    }
    return readFileSync(file);
  } catch (error) {
    if (error instanceof InputError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw refused('unreadable_file', path, `the file cannot be read (${code})`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function listInside(directory: string, folder: string): readonly string[] {
  const stats = inspect(directory, folder);
  if (stats === undefined) return [];
  if (!stats.isDirectory()) throw refused('not_a_folder', folder, 'this is not a folder');
  const names = readdirSync(join(directory, folder)).sort();
  if (names.length <= MAX_SUBMITTED_FILES) return names;
  throw refused('too_large', folder, `the folder has more than ${MAX_SUBMITTED_FILES} files`);
}

/** The status of a path whose every part is inside the folder and no link; undefined if it does not exist. */
function inspect(directory: string, path: string) {
  const parts = path.split('/');
  const isInside = parts.every((part) => part !== '' && part !== '.' && part !== '..');
  if (!isInside || /[\\\0:]/.test(path)) {
    throw refused('outside', path, 'the path leads out of the submission');
  }
  let found: ReturnType<typeof lstat>;
  for (let depth = 1; depth <= parts.length; depth++) {
    found = lstat(join(directory, ...parts.slice(0, depth)));
    if (found === undefined) return undefined;
    if (found.isSymbolicLink()) throw refused('outside', path, 'links are not followed');
  }
  return found;
}

function lstat(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // Too long a name, or a file where a folder is expected.
    return undefined;
  }
}

function refused(code: string, file: string, problem: string): InputError {
  return new InputError(code, problem, 'submit the files of the run themselves', { file });
}
