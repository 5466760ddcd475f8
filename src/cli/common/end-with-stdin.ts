import { exitCode } from './session.js';

/** Set to 1 by a program that starts this one with a pipe as stdin and never writes to it. */
const VARIABLE = 'ALAS_JSSP_END_WITH_STDIN';

/** Milliseconds that a command may take to end after the end of its caller. */
const GRACE = 15_000;

/**
 * Ends this process with its caller, if the caller asks for it: the pipe of stdin closes even if the caller is killed.
 * The command is interrupted as by SIGTERM, and ended after a grace period.
 */
export function endWithStdin(host: NodeJS.Process): void {
  if (host.env[VARIABLE] !== '1') return;
  // The programs that a command starts have a stdin of their own.
  delete host.env[VARIABLE];
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    setTimeout(() => host.exit(exitCode.interrupted), GRACE).unref();
    if (!host.emit('SIGTERM', 'SIGTERM')) host.exit(exitCode.interrupted);
  };
  const { stdin } = host;
  stdin.on('error', end).on('close', end).on('end', end).resume();
  // Waiting for the end of the caller keeps no command alive.
  if (typeof stdin.unref === 'function') stdin.unref();
}
