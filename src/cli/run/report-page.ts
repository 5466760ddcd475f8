import { readRun } from '../../harness/run/stored-run.js';
import { collectRuns } from '../../report/page/views/collect-runs.js';
import { writePage } from '../common/page-file.js';
import type { Session } from '../common/session.js';

/** `alas-jssp report --html`: writes runs and logs as one page. */
export function reportPage(
  session: Session,
  directories: readonly string[],
  file: string,
  logs: readonly string[],
): void {
  const runs = directories.map((directory) => ({ directory, ...readRun(directory) }));
  writePage(session, file, collectRuns({ runs, logs }));
}
