import { openSqliteStore } from '@alas-jssp/workflow';
import { createMemoryBlobs, openBlobStore } from './blob-store.js';
import type { GuardLog } from './guard.js';

/** Opens the log of a guard, and the contents beside it. @throws InputError as `openSqliteStore` does */
export function openGuardLog(log: GuardLog) {
  if (typeof log !== 'string') {
    return { store: log.store, blobs: log.blobs ?? createMemoryBlobs(), closeLog: () => {} };
  }
  const store = openSqliteStore(log);
  return { store, blobs: openBlobStore(`${log}.blobs`), closeLog: () => store.close() };
}
