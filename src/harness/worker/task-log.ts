import { env } from 'node:process';
import { secretsOf } from '@alas-jssp/core/secret-text';
import { type LogStore, openSqliteStore, redacting } from '@alas-jssp/workflow';

/**
 * Opens the log file of a run for a worker thread. The module is loaded by the first task that has a log: without one, a
 * thread starts without the code of SQLite's stores.
 *
 * @throws InputError as `openSqliteStore` does
 */
export function openTaskLog(file: string): LogStore {
  return redacting(openSqliteStore(file), { secrets: secretsOf(env) });
}
