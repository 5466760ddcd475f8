import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { InputError } from '@alas-jssp/core/errors';
import type { Json, LogStore } from '@alas-jssp/workflow';
import { GUARD_WORKFLOW } from './session/commands.js';
import { type CallRecord, createSessionReader } from './session/session-log.js';

/** Finds calls of committed sessions of earlier guards by the keys that their clients gave. */
export interface EarlierCalls {
  /**
   * @param input packed
   * @throws InputError `other_request` if the key belongs to a call with another tool or input
   */
  find(requestKey: string, tool: string, input: Json): CallRecord | undefined;
}

/** Reads the log when a key is asked for first. */
export function createEarlierCalls(store: LogStore, before: readonly string[]): EarlierCalls {
  let known: Map<string, CallRecord> | undefined;
  return {
    find(requestKey, tool, input) {
      known ??= keyedCalls(store, before);
      const record = known.get(requestKey);
      if (record === undefined) return undefined;
      const isSame = record.tool === tool && canonicalJson(record.input) === canonicalJson(input);
      if (isSame) return record;
      const problem = `the key ${requestKey} belongs to a committed call with another tool or input`;
      throw new InputError('other_request', problem, 'give a new call a new key', {}, requestKey);
    },
  };
}

function keyedCalls(store: LogStore, runs: readonly string[]): Map<string, CallRecord> {
  const known = new Map<string, CallRecord>();
  for (const runId of runs) {
    const [first] = store.read({ runId, to: 0 });
    const { workflow } = (first?.payload ?? {}) as { workflow?: { name?: string } };
    if (workflow?.name !== GUARD_WORKFLOW) continue;
    const reader = createSessionReader(runId);
    reader.take(store.read({ runId }));
    // What was taken back may be done again under its key.
    if (reader.state.end?.status !== 'COMPLETED') continue;
    for (const record of reader.calls()) {
      if (record.requestKey !== undefined && record.status === 'done')
        known.set(record.requestKey, record);
    }
  }
  return known;
}
