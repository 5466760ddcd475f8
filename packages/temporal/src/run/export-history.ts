import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createMemoryStore, exportLog } from '@alas-jssp/workflow';
import type { LogEntry } from '@alas-jssp/workflow/interpreter';
import type { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { type InjectedSinks, Worker } from '@temporalio/worker';
import { AlasError, InputError } from 'alas-jssp';
import { installRuntime } from '../telemetry/runtime.js';
import { workflowCode } from '../workflow-code.js';
import type { LogSinks } from './memory-log.js';

/** The parts of a server's history that link the chain of histories. */
interface ChainedHistory {
  readonly events?:
    | readonly {
        readonly workflowExecutionStartedEventAttributes?:
          | {
              readonly continuedExecutionRunId?: string | null | undefined;
              readonly workflowType?: { readonly name?: string | null | undefined } | null;
            }
          | null
          | undefined;
      }[]
    | null
    | undefined;
}

/**
 * The log entries in a history: the run is replayed from it, and nothing is called.
 *
 * @param history as the server returns it, or as `temporal workflow show --output json` writes it
 * @param dataConverter of payloads that are encrypted or stored elsewhere
 * @throws InputError `bad_history` for an input that is not the history of a run; the replay's
 *   `DeterminismViolationError` for a history of other code
 */
export async function exportHistory(
  history: unknown,
  dataConverter?: DataConverter,
): Promise<LogEntry[]> {
  requireHistory(history);
  installRuntime();
  const entries: LogEntry[] = [];
  // Objects from the sandbox belong to another realm.
  const fn = (_: unknown, written: readonly LogEntry[]) => {
    entries.push(...(JSON.parse(JSON.stringify(written)) as LogEntry[]));
  };
  const sinks: InjectedSinks<LogSinks> = { alasLog: { entries: { fn, callDuringReplay: true } } };
  const { workflowBundle } = await workflowCode(false);
  const bundle = workflowBundle as { code: string };
  const code = `var __alasExports=true;${bundle.code}`;
  const converter = dataConverter === undefined ? {} : { dataConverter };
  await Worker.runReplayHistory({ workflowBundle: { code }, sinks, ...converter }, history);
  return entries;
}

/** The hint of errors: how to get a history. */
export const HISTORY_HINT = 'write one with temporal workflow show -w RUN --output json';

function requireHistory(history: unknown): void {
  const { events } = (history ?? {}) as ChainedHistory;
  const [first] = Array.isArray(events) ? (events as NonNullable<typeof events>) : [];
  const type = first?.workflowExecutionStartedEventAttributes?.workflowType?.name;
  if (type === 'alasRun') return;
  const problem = type
    ? `it is the history of ${type}, not of a run (alasRun)`
    : 'it is no history';
  throw new InputError('bad_history', problem, HISTORY_HINT);
}

/**
 * The log of a run, from all its histories. Needs no worker.
 *
 * @throws AlasError `no_run`; `unknown_key`; `lost_history` if the server keeps the first of them no longer
 */
export async function exportRun(client: Client, runId: string): Promise<LogEntry[]> {
  const parts: LogEntry[][] = [];
  for (let execution: string | undefined; ; ) {
    const handle = client.workflow.getHandle(runId, execution);
    let history: ChainedHistory;
    try {
      // A description is encrypted like a history; a client without the key gets one line of error.
      const { type } = await handle.describe();
      if (type !== 'alasRun') {
        throw new AlasError(
          'no_run',
          `${runId} is no run of a workflow but of type ${type}`,
          runId,
        );
      }
      history = await handle.fetchHistory();
    } catch (error) {
      if (error instanceof AlasError) throw error;
      const code = execution === undefined ? 'no_run' : 'lost_history';
      const why = (error as Error).message;
      throw new AlasError(code, `the server has no history of ${runId}: ${why}`);
    }
    const entries = await exportHistory(history, client.options.dataConverter);
    if (entries.length === 0 && parts.length === 0) {
      throw new AlasError('no_run', `the run ${runId} did not begin: it has no log`, runId);
    }
    parts.unshift(entries);
    if (entries[0] === undefined || entries[0].version === 0) return parts.flat();
    const [first] = history.events ?? [];
    const before = first?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId;
    execution = before === '' || before == null ? undefined : before;
    if (execution === undefined) {
      const message = `${runId} began in another history, which is not known`;
      throw new AlasError('lost_history', message, runId);
    }
  }
}

/** Writes the log of a run in the format of `alas-jssp log`, with the same hashes as in any log. */
export async function writeLog(entries: readonly LogEntry[], file: string): Promise<void> {
  const store = createMemoryStore();
  store.append(entries);
  await pipeline(exportLog(store), createWriteStream(file));
}
