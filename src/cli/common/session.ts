/** Exit codes of the command line. */
export const exitCode = { done: 0, no: 1, badInput: 2, interrupted: 130 } as const;

/** A stream that a command writes to; only a terminal has `isTTY`. */
export type OutputStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
};

/** The part of the process that a command uses; tests provide their own. */
export interface CommandProcess {
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  on(event: 'exit', listener: (code: number) => void): unknown;
  on(event: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  off(event: 'exit', listener: (code: number) => void): unknown;
  off(event: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  /** Ends the process immediately. */
  exit(code: number): never;
  /** The exit code if the process ends by itself. */
  exitCode?: number | string | null | undefined;
}

/** The signals by which a user ends a command. */
const interruptions = ['SIGINT', 'SIGTERM'] as const;

/** One call of the command line. */
export interface Session {
  /** The program's name, with which its errors begin. */
  readonly program: string;
  readonly host: CommandProcess;
  /** The words that the user typed after the program's name. */
  readonly args: readonly string[];
  /** True once `--quiet` is parsed: no progress and no remarks. */
  quiet: boolean;
  /** The lines that report parts of files that are not read, so that each is written once. */
  readonly notRead: Set<string>;
  /** The exit code of the command so far. */
  exitCode: number;
}

/**
 * Calls `stop` when the user interrupts the command; a second interruption ends the process immediately.
 *
 * @param ending how the command ends, such as `the search ends with the best so far`; without it,
 *   nothing is printed
 * @returns a function that stops listening
 */
export function onInterruption(session: Session, stop: () => void, ending?: string): () => void {
  const { host } = session;
  let asked = false;
  const listen = () => {
    if (asked) host.exit(exitCode.interrupted);
    asked = true;
    if (ending !== undefined && !session.quiet) {
      // Clears a line of progress.
      const clear = host.stderr.isTTY ? '\r\x1b[K' : '';
      host.stderr.write(`${clear}interrupted: ${ending}; Ctrl-C again ends the process\n`);
    }
    stop();
  };
  for (const signal of interruptions) host.on(signal, listen);
  return () => {
    for (const signal of interruptions) host.off(signal, listen);
  };
}
