import type { Run } from './context.js';
import type { Failure, Remaining, RunStatus } from './payloads.js';
import { bodyOutput } from './references.js';

/** How a run ended, or what it waits for. */
export interface RunResult {
  readonly runId: string;
  readonly status: RunStatus;
  /** Null unless the status is COMPLETED. */
  readonly output: unknown;
  /** What made it fail; undefined for runs that completed or wait. */
  readonly error?: Failure | undefined;
  /** What is still there of a run that did not complete. */
  readonly remaining: readonly Remaining[];
  /** Entries in its log. */
  readonly versions: number;
}

/** The result of a run that has ended or waits. */
export function resultOf(run: Run): RunResult {
  const { runId, state, root } = run;
  const { status, error, remaining = [] } = state.end ?? { status: 'WAITING' as const };
  const output = status === 'COMPLETED' ? bodyOutput(run, root).value() : null;
  return { runId, status, output, error, remaining, versions: state.versions };
}
