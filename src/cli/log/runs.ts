import { InputError } from '@alas-jssp/core/errors';
import { type AuditableLog, type LogEntry, openLog } from '@alas-jssp/workflow';
import { type RedactOptions, redactedLog } from '../common/redacted-log.js';

/**
 * Opens the log in a file and closes it after use.
 *
 * @param write how entries are written; undefined for reading only
 */
export async function withLog<T>(
  file: string,
  use: (log: AuditableLog) => T | Promise<T>,
  write?: RedactOptions,
): Promise<T> {
  const log = write === undefined ? openLog(file) : redactedLog(openLog(file, 'write'), write);
  try {
    return await use(log);
  } finally {
    log.close();
  }
}

/**
 * The run that the user named, or the only run of the log.
 *
 * @throws InputError `no_run`
 */
export function chooseRun(log: AuditableLog, file: string, runId: string | undefined): string {
  const runs = log.runs();
  const chosen = runId ?? runs[0];
  if (chosen !== undefined && runs.includes(chosen) && (runId !== undefined || runs.length === 1)) {
    return chosen;
  }
  const problem =
    runs.length === 0
      ? 'this log has no runs'
      : runId === undefined
        ? `this log has ${runs.length} runs`
        : `this log has no run '${runId}'`;
  const hint =
    runs.length === 0 ? 'give another log' : `name one with --run, such as ${runs.at(-1)}`;
  throw new InputError('no_run', problem, hint, { file }, runId);
}

/** The last entry of a run. */
export function lastEntry(log: AuditableLog, runId: string): LogEntry | undefined {
  for (const entry of log.read({ runId, descending: true })) return entry;
  return undefined;
}

/**
 * Refuses a version that a run does not have.
 *
 * @throws InputError `no_entry`
 */
export function requireEntry(
  log: AuditableLog,
  file: string,
  runId: string,
  version: number,
): void {
  const last = lastEntry(log, runId)?.version ?? -1;
  if (version <= last) return;
  const problem = `there is no entry ${version} in the run '${runId}'`;
  throw new InputError('no_entry', problem, `give one from 0 to ${last}`, { file }, version);
}
