/** Exit codes of the command line. */
export const exitCode = { done: 0, no: 1, badInput: 2, interrupted: 130 } as const;

/** A stream that a command writes to: what is not a terminal has no `isTTY`. */
export type OutputStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
};

/** The process that a command runs in, as far as it needs one; tests bring their own. */
export interface CommandProcess {
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  on(event: 'exit', listener: (code: number) => void): unknown;
  on(event: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  off(event: 'exit', listener: (code: number) => void): unknown;
  off(event: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  /** Ends the process at once. */
  exit(code: number): never;
  /** With what the process ends when nothing is left to do. */
  exitCode?: number | string | null | undefined;
}

/** The signals by which a user ends a command. */
const interruptions = ['SIGINT', 'SIGTERM'] as const;

/** One call of the command line. */
export interface Session {
  /** The program's name: what its errors begin with. */
  readonly program: string;
  readonly host: CommandProcess;
  /** The words that the user typed after the program's name. */
  readonly args: readonly string[];
  /** True as soon as `--quiet` is read: no progress and no remarks. */
  quiet: boolean;
  /** The exit code that the command has come to so far. */
  exitCode: number;
}

/**
 * Calls back when the user interrupts the command; asked twice, the process ends at once.
 *
 * @param ending how the command ends then, such as `the search ends with the best so far`; without
 *   one it ends so soon that nothing need be said
 * @returns stops listening
 */
export function onInterruption(session: Session, stop: () => void, ending?: string): () => void {
  const { host } = session;
  let asked = false;
  const listen = () => {
    if (asked) host.exit(exitCode.interrupted);
    asked = true;
    if (ending !== undefined && !session.quiet) {
      // A line of progress may stand there.
      const clear = host.stderr.isTTY ? '\r\x1b[K' : '';
      host.stderr.write(`${clear}interrupted: ${ending}; Ctrl-C again breaks it off\n`);
    }
    stop();
  };
  for (const signal of interruptions) host.on(signal, listen);
  return () => {
    for (const signal of interruptions) host.off(signal, listen);
  };
}
