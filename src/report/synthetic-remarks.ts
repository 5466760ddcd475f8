import type { RunSummary, SummaryRow } from '../harness/records/summary.js';
import { plannerText } from './planner-text.js';

/**
 * Explains faulty plans that end ahead of the plans of real planners: the repair reorders what it rebuilds, while a
 * feasible plan is not repaired.
 */
export function syntheticRemarks({ overall }: Pick<RunSummary, 'overall'>): string[] {
  return overall.flatMap((row) => {
    if (!row.synthetic || row.repaired === 0) return [];
    const behind = overall.filter((other) => isAhead(row, other)).map(({ planner }) => planner);
    if (behind.length === 0) return [];
    const who = plannerText(row.planner, row);
    return [
      `${who} ends ahead of ${behind.join(', ')}: repair also improves the plans that it changes, and feasible plans are not repaired`,
    ];
  });
}

/** Whether a row ends with a smaller gap than that of a real planner on the same records. */
function isAhead(row: SummaryRow, other: SummaryRow): boolean {
  const keys = ['suite', 'variant', 'method', 'objective', 'measured'] as const;
  return (
    !other.synthetic &&
    keys.every((key) => row[key] === other[key]) &&
    row.gap_percent !== null &&
    other.gap_percent !== null &&
    row.gap_percent < other.gap_percent
  );
}
