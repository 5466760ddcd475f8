import type { RunRecord } from '../records/record.js';
import { attributeRecords } from './attributed-records.js';
import { type EdgeRow, edgeRows } from './edge-agreement.js';
import { type ShareRow, shareRows } from './shares.js';
import { type GainRow, gainRows } from './stage-gains.js';

/** Who made the final schedules: shares of plan and machinery, kept machine orders, and gains of the stages. */
export interface AttributionReport {
  readonly shares: readonly ShareRow[];
  readonly edges: readonly EdgeRow[];
  readonly gains: readonly GainRow[];
  /** Records that have no controls to compare with. */
  readonly left_out: number;
}

/** Settings of an attribution. */
export interface AttributionOptions {
  /** Seed of the intervals; default 0. */
  readonly seed?: number | undefined;
}

/**
 * Attributes the final schedules of runs with `attribution` to plan, repair and search; `docs/how-to/attribution.md`
 * defines every figure.
 *
 * @returns null if no record has what it takes
 */
export function attribution(
  records: readonly RunRecord[],
  { seed = 0 }: AttributionOptions = {},
): AttributionReport | null {
  const { attributed, left_out } = attributeRecords(records);
  if (attributed.length === 0) return null;
  return {
    shares: shareRows(attributed, seed),
    edges: edgeRows(attributed),
    gains: gainRows(attributed, seed),
    left_out,
  };
}
