import type { LogStore } from './store.js';

/** Whether a log has anything of a run. */
export function hasRun(store: LogStore, runId: string): boolean {
  for (const _ of store.read({ runId, to: 0 })) return true;
  return false;
}
