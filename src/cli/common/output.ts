import { InputError, printableLine } from '@alas-jssp/core/errors';
import type { CommandProcess, OutputStream, Session } from './session.js';

/** Seconds between two lines of progress on a stream that is no terminal. */
export const LINE_EVERY = 5;

/** Columns of a terminal; 80 for those that report none, as under `expect` or in a container. */
export function widthOf({ columns }: Pick<OutputStream, 'columns'>): number {
  return columns || 80;
}

/**
 * Ignores a reader that stops reading (`| head`): the command continues and keeps its exit code.
 * {@link print} reports other failures.
 */
export function ignoreClosedPipes({ stdout, stderr }: CommandProcess): void {
  stdout.on('error', () => {});
  stderr.on('error', () => {});
}

/**
 * Writes text to stdout and waits until it is written.
 *
 * @throws InputError if the text cannot be written, as on a full disk
 */
export async function print({ host }: Session, text: string): Promise<void> {
  const lines = text.endsWith('\n') ? text : `${text}\n`;
  const error = await new Promise<NodeJS.ErrnoException | null | undefined>((resolve) => {
    host.stdout.write(lines, resolve);
  });
  if (!error || error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') return;
  throw new InputError(
    'no_output',
    `the output cannot be written (${error.code})`,
    'free space, or write it elsewhere',
    { file: 'stdout' },
  );
}

/** Writes a remark to stderr, unless the session is quiet. */
export function remark(session: Session, text: string): void {
  if (!session.quiet) write(session.host.stderr, text);
}

/** Reports a part of a file that an instance or a plan does not keep; of a file that is read twice, once. */
export function remarkNotRead(session: Session, file: string, note: string): void {
  const line = printableLine(`${file === '-' ? 'stdin' : file}: not read: ${note}`);
  if (session.notRead.has(line)) return;
  session.notRead.add(line);
  remark(session, line);
}

/** Writes an error as one line to stderr, even if the session is quiet. */
export function printError({ host, program }: Session, problem: string): void {
  write(host.stderr, `${program}: ${printableLine(problem)}`);
}

function write(stream: OutputStream, text: string): void {
  stream.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** Writes the outcome as one line to stderr in all formats but tables, which print it on stdout. */
export function remarkVerdict(session: Session, format: string, verdict: string): void {
  if (format !== 'table') remark(session, printableLine(verdict));
}
