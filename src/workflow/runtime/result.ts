import type { Run } from './context.js';
import type { Failure, Remaining, RunStatus } from './payloads.js';
import { bodyOutput, outputOf } from './references.js';

/** How a run ended, or what it waits for. */
export interface RunResult {
  readonly runId: string;
  readonly status: RunStatus;
  /** Null unless the status is COMPLETED. */
  readonly output: unknown;
  /** The failure that ended it; undefined for runs that completed or wait. */
  readonly error?: Failure | undefined;
  /** Effects that still stand of a run that did not complete. */
  readonly remaining: readonly Remaining[];
  /** Entries in its log. */
  readonly versions: number;
  /** The output of a node of the workflow itself; undefined if it did not come to an end. */
  outputOf(nodeId: string): unknown;
}

/** The result of a run that has ended or waits. */
export function resultOf(run: Run): RunResult {
  const { runId, state, root } = run;
  const { status, error, remaining = [] } = state.end ?? { status: 'WAITING' as const };
  const output = status === 'COMPLETED' ? bodyOutput(run, root).value() : null;
  const { versions } = state;
  const known = (nodeId: string) => outputOf(run, root, nodeId)?.value();
  return { runId, status, output, error, remaining, versions, outputOf: known };
}
