import type { Comparison } from '../../harness/records/compare.js';
import { type Crossing, crossedLimits } from '../../harness/records/gate.js';
import type { Limit } from '../../harness/records/limits.js';
import type { RunRecord } from '../../harness/records/record.js';
import { renderComparison, renderCrossings } from '../../report/comparison-table.js';
import { counted } from '../../report/format.js';
import type { Format, TableStyle } from '../../report/table.js';
import { exitCode, type Session } from '../common/session.js';

/** The result of a gate: the comparison, if there is a baseline, and the limits that were crossed. */
export interface GateResult {
  readonly limits: readonly Limit[];
  readonly comparison: Comparison | null;
  readonly crossings: readonly Crossing[];
}

/** Checks records against limits. */
export function checkGate(
  limits: readonly Limit[],
  records: readonly RunRecord[],
  comparison: Comparison | null,
): GateResult {
  return { limits, comparison, crossings: crossedLimits(limits, records, comparison) };
}

/** The comparison and the records behind crossed limits as text; empty without either. */
export function renderGate(
  { comparison, crossings }: GateResult,
  format: Exclude<Format, 'csv' | 'json'>,
  style?: TableStyle,
): string {
  return [
    ...(comparison === null ? [] : [renderComparison(comparison, format, style)]),
    ...(crossings.length === 0 ? [] : [renderCrossings(crossings, format, style)]),
  ].join('\n');
}

/** The crossed limits in words; empty without limits. */
export function describeLimits({ limits, crossings }: GateResult): string[] {
  if (limits.length === 0) return [];
  const crossed = new Set(crossings.map(({ limit }) => limit.text)).size;
  return [`${crossed === 0 ? 'no limit' : counted(crossed, 'limit')} crossed`];
}

/** Prints crossed limits on stderr and returns the exit code. */
export function gateExitCode(session: Session, { crossings }: GateResult): number {
  for (const { message } of crossings) session.host.stderr.write(`limit crossed: ${message}\n`);
  return crossings.length > 0 ? exitCode.no : exitCode.done;
}
