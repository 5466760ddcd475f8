import { secretsOf } from '@alas-jssp/core/secret-text';
import { type LogStore, redacting } from '@alas-jssp/workflow';
import type { Command } from 'commander';

/** Whether secrets are removed from a log. */
export interface RedactOptions {
  redact: boolean;
}

/** Adds `--no-redact`. */
export function withRedact(command: Command): Command {
  return command.option('--no-redact', 'do not remove secrets from the log');
}

/**
 * A log that removes secrets from entries: those that schemas, keys and texts reveal, and those of the
 * environment.
 */
export function redactedLog<Store extends LogStore>(
  log: Store,
  { redact }: RedactOptions = { redact: true },
): Store {
  return redact ? redacting(log, { secrets: secretsOf(process.env) }) : log;
}
