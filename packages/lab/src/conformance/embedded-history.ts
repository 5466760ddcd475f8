// The log of a run of our own as the rows of a trace.
import type { LogEntry } from '@alas-jssp/workflow';
import { placeOf } from './fault-script.js';
import type { TraceKind, TraceRow } from './stub.js';

/** What the entries about calls say of them. */
interface CallPayload {
  name: string;
  attempt: number;
  cached?: unknown;
  code: string;
  error: { code: string };
}

/** The rows of a log that are about calls. */
export function historyOf(entries: readonly LogEntry[]) {
  const rows: TraceRow[] = [];
  const asked = new Map<string, string>();
  const last = (path: string) => rows.findLast((row) => row.path === path);
  for (const { runId, nodeId: path, eventType, payload: logged, ts } of entries) {
    const payload = logged as unknown as CallPayload;
    const at = Date.parse(ts);
    const tell = (kind: TraceKind, attempt: number, error?: string) =>
      rows.push({ runId, ...placeOf(path), path, attempt, kind, ...(error && { error }), at });
    const before = last(path);
    switch (eventType) {
      case 'AwaitMessage':
        tell('wait', 1);
        break;
      case 'AwaitApproval':
        asked.set(path, payload.name);
        tell('approve', 1);
        break;
      case 'StartNode':
        if (before?.kind === 'approve') tell('approved', 1);
        if (payload.attempt !== undefined) tell('start', payload.attempt);
        break;
      case 'EndNode':
        // What another step has done was not called.
        if (payload.cached !== undefined) rows.splice(rows.indexOf(before as TraceRow), 1);
        else if (before?.kind === 'wait') tell('waited', 1);
        else if (before?.kind === 'start') tell('ok', before.attempt);
        break;
      case 'Retry':
        tell('error', payload.attempt, payload.error.code);
        break;
      case 'Trigger':
      case 'FailNode':
        if (before?.kind === 'start') tell('error', before.attempt, payload.error.code);
        if (before?.kind === 'approve') tell('approve-error', 1, payload.error.code);
        if (before?.kind === 'wait') tell('wait-error', 1, payload.error.code);
        break;
      case 'Compensate':
        tell('compensate', payload.attempt);
        break;
      case 'Compensated':
        tell('compensated', before?.attempt ?? 1);
        break;
      case 'CompensateFail':
        tell('compensate-error', payload.attempt, payload.code);
        break;
    }
  }
  return rows;
}
