import type { Cell, TaskLog } from '../worker/task.js';
import type { OpenCells } from './matrix.js';
import { logRunId } from './run-directory.js';
import type { FilledRunOptions } from './run-options.js';

/** Makes the file of a log, or refuses one that cannot be written, before anything is run. */
export async function openLogFile({ log }: FilledRunOptions): Promise<void> {
  if (log === undefined) return;
  const { openSqliteStore } = await import('../../workflow/log/sqlite-store.js');
  openSqliteStore(log).close();
}

/**
 * Refuses to go on with runs whose log was changed.
 *
 * @param open the cells that are still to be done: no other runs are verified
 * @throws InputError `changed_log`
 */
export async function requireUnchangedRuns(
  { log, resume }: FilledRunOptions,
  open: Iterable<OpenCells>,
): Promise<void> {
  if (log === undefined || !resume) return;
  const { openSqliteStore } = await import('../../workflow/log/sqlite-store.js');
  const { requireUnchanged } = await import('../../workflow/log/verify.js');
  const ids = new Set<string>();
  for (const { cells } of open) ids.add(logRunId(cells[0]));
  const store = openSqliteStore(log);
  try {
    for (const runId of store.runs()) {
      // Repetitions have a number after the id.
      if (ids.has(runId.replace(/~\d+$/, ''))) requireUnchanged(store, runId, log);
    }
  } finally {
    store.close();
  }
}

/** Where the steps of a task are logged. */
export function logOf(cell: Cell, { log, resume }: FilledRunOptions): TaskLog | null {
  return log === undefined ? null : { file: log, runId: logRunId(cell), resume };
}
