import type { Json, RunState } from '@alas-jssp/workflow';
import type { CallRecord } from './session/session-log.js';

/** The name and version of the JSON format of reports. */
export const GUARD_REPORT_SCHEMA = 'alas-jssp/guard-report@1';

/** The report of a session. */
export interface GuardReport {
  readonly schema: typeof GUARD_REPORT_SCHEMA;
  readonly session: string;
  /**
   * `open`: in progress. `committed`: the changes are kept. `taken-back`: nothing is left of it.
   * `incomplete`: something could not be taken back. `in-doubt`: it is unknown whether something is
   * left.
   */
  readonly status: 'open' | 'committed' | 'taken-back' | 'incomplete' | 'in-doubt';
  /** The reason for which it was taken back. */
  readonly reason?: string | undefined;
  readonly calls: readonly ReportedCall[];
  /** The numbers of the calls of which it is unknown whether they have acted. */
  readonly inDoubt: readonly number[];
  /** The numbers of the calls that still exist although the session was taken back. */
  readonly remaining: readonly number[];
}

/** A call in a report: without its input and answer, which the log holds. */
export type ReportedCall = Omit<CallRecord, 'input' | 'answer'>;

/** The report of a session from its state and its calls. */
export function reportOf(
  session: string,
  { end, stop }: RunState,
  calls: readonly CallRecord[],
): GuardReport {
  const numbers = (wanted: (record: CallRecord) => boolean) =>
    calls.filter(wanted).map(({ call }) => call);
  const isKept = end?.status === 'COMPLETED' || end?.would === 'COMPLETED';
  const inDoubt = numbers(({ status }) => status === 'in-doubt');
  const remaining = isKept
    ? []
    : numbers(({ status }) => end !== undefined && (status === 'undo-failed' || status === 'done'));
  const ended = isKept ? 'committed' : remaining.length > 0 ? 'incomplete' : 'taken-back';
  const status = end === undefined ? 'open' : inDoubt.length > 0 ? 'in-doubt' : ended;
  const reason = end?.error?.message ?? stop?.error.message;
  return {
    schema: GUARD_REPORT_SCHEMA,
    session,
    status,
    ...(reason !== undefined && !isKept && { reason }),
    calls: calls.map(({ input: _, answer: __, ...call }) => call),
    inDoubt,
    remaining,
  };
}

/** Whether a session left nothing that needs a person. */
export function isClean({ status }: GuardReport): boolean {
  return status === 'committed' || status === 'taken-back';
}

/** A report as JSON: keys without a value are left out. */
export function reportJson(report: GuardReport): Json {
  return JSON.parse(JSON.stringify(report)) as Json;
}
