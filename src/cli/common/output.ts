import { InputError, printableLine } from '../../core/errors.js';
import type { CommandProcess, OutputStream, Session } from './session.js';

/** Seconds between two lines of progress where there is no terminal. */
export const LINE_EVERY = 5;

/** Columns of a terminal; some, as under `expect` or in a container, say that they have none. */
export function widthOf({ columns }: Pick<OutputStream, 'columns'>): number {
  return columns || 80;
}

/**
 * Whoever reads our output may stop reading (`| head`): that is no error, the command goes on and
 * has its own exit code. Other failures are for {@link print} to report.
 */
export function ignoreClosedPipes({ stdout, stderr }: CommandProcess): void {
  stdout.on('error', () => {});
  stderr.on('error', () => {});
}

/**
 * Writes text to stdout and waits until it is there.
 *
 * @throws InputError if it cannot be written, as on a full disk
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
    'make room, or write it elsewhere',
    { file: 'stdout' },
  );
}

/** Writes a remark to stderr unless the user wants quiet. */
export function remark(session: Session, text: string): void {
  if (!session.quiet) write(session.host.stderr, text);
}

/** Says in one line on stderr what went wrong, also to those who want quiet. */
export function complain({ host, program }: Session, problem: string): void {
  write(host.stderr, `${program}: ${printableLine(problem)}`);
}

function write(stream: OutputStream, text: string): void {
  stream.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** Says the outcome in one line on stderr where stdout does not: in all formats but tables. */
export function remarkVerdict(session: Session, format: string, verdict: string): void {
  if (format !== 'table') remark(session, printableLine(verdict));
}
