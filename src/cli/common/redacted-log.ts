import type { Command } from 'commander';
import { secretsOf } from '../../core/secret-text.js';
import { type LogStore, redacting } from '../../workflow/index.js';

/** Setting of whether a log is written without secrets. */
export interface RedactOptions {
  redact: boolean;
}

/** Adds `--no-redact`. */
export function withRedact(command: Command): Command {
  return command.option('--no-redact', 'write secrets to the log as they are');
}

/**
 * The log to which runs are written: without the secrets that schemas, keys and texts give away, and
 * those of the environment.
 */
export function redactedLog<Store extends LogStore>(
  log: Store,
  { redact }: RedactOptions = { redact: true },
): Store {
  return redact ? redacting(log, { secrets: secretsOf(process.env) }) : log;
}
