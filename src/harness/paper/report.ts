import type { RunRecord } from '../records/record.js';
import { groupRecords } from '../records/summary.js';
import { correctTests, pairTests } from '../statistics/difference-tests.js';
import { type RowName, sameRow } from './baseline.js';
import { instanceMeans, type Measurement, measureCell } from './measurement.js';
import {
  costMeasure,
  type Measure,
  optimalityMeasure,
  optimalityOrZeroMeasure,
  type RowStage,
  reachedStages,
  spendingStages,
  successMeasure,
  timeMeasure,
  tokensMeasure,
} from './values.js';

/** Results of a planner in a variant after a stage, on each suite and on all. */
export interface PaperRow {
  readonly planner: string;
  /** True for plans that are faulty on purpose. */
  readonly synthetic: boolean;
  readonly variant: string;
  readonly method: string | null;
  readonly stage: RowStage;
  /** In the order of `suites`; if there are several, all together last. */
  readonly cells: readonly Measurement[];
}

/** A table: the measure and the rows. */
export interface PaperTable {
  /** Key of the measure. */
  readonly measure: string;
  readonly rows: readonly PaperRow[];
}

/** A line of the summary: one measure of one planner in a variant, compared with the baseline, on all suites. */
export interface SummaryLine extends Omit<PaperRow, 'cells'> {
  readonly measure: string;
  readonly cell: Measurement;
}

/** The tables of the paper, from records. */
export interface PaperReport {
  readonly schema: 'alas-jssp/paper-report@1';
  /** The planner that others are tested against; null for none. */
  readonly baseline: RowName | null;
  /** Seed of the intervals. */
  readonly seed: number;
  /** Number of records. */
  readonly records: number;
  /** The suites of the records, those of the paper first. */
  readonly suites: readonly string[];
  readonly tables: {
    readonly success: PaperTable;
    readonly optimality: PaperTable;
    /** Only planners that ran in several variants, each compared with its own variant `full`. */
    readonly ablation: PaperTable;
    readonly time: PaperTable;
    readonly tokens: PaperTable;
    readonly cost: PaperTable;
  };
  readonly summary: readonly SummaryLine[];
}

/** The baseline and the seed. */
export interface PaperOptions {
  readonly baseline?: RowName | null | undefined;
  /** Default 0. */
  readonly seed?: number | undefined;
}

/** The suites of the paper, in its order. */
const PAPER_SUITES: readonly string[] = ['dmu', 'ta', 'abz', 'swv', 'yn'];

/** Makes the tables of the paper from records, as `docs/reference/report.md` explains them. */
export function paperReport(
  records: readonly RunRecord[],
  { baseline = null, seed = 0 }: PaperOptions = {},
): PaperReport {
  const groups = groupRecords(records, () => null);
  const suites = suitesOf(records);
  // Testing a single suite twice would make every corrected p too large.
  const columns = suites.length > 1 ? [...suites, null] : suites;
  const against = (group: readonly RunRecord[]) =>
    baseline === null || sameRow(group[0], baseline)
      ? undefined
      : groups.find(([one]) => sameRow(one, baseline) && one.method === group[0].method);
  const make = (measure: Measure, rows: readonly UnmeasuredRow[]) =>
    tableOf(measure, rows, columns, seed);
  const reached = rowsOf(groups, reachedStages, against);
  const spent = rowsOf(groups, spendingStages, against);
  return {
    schema: 'alas-jssp/paper-report@1',
    baseline,
    seed,
    records: records.length,
    suites,
    tables: {
      success: make(successMeasure, reached),
      optimality: make(optimalityMeasure, reached),
      ablation: make(optimalityOrZeroMeasure, ablationRows(groups)),
      time: make(timeMeasure, spent),
      tokens: make(tokensMeasure, spent),
      cost: make(costMeasure, spent),
    },
    summary: summaryOf(
      rowsOf(groups, () => ['total'], against),
      seed,
    ),
  };
}

/** A row before its measurement. */
interface UnmeasuredRow {
  readonly group: readonly RunRecord[];
  readonly stage: RowStage;
  /** The records of its baseline. */
  readonly baseline: readonly RunRecord[] | undefined;
}

function rowsOf(
  groups: readonly RunRecord[][],
  stages: (group: readonly RunRecord[]) => readonly RowStage[],
  against: (group: readonly RunRecord[]) => readonly RunRecord[] | undefined,
): UnmeasuredRow[] {
  return groups.flatMap((group) =>
    stages(group).map((stage) => ({ group, stage, baseline: against(group) })),
  );
}

/** The final results of planners with several variants, compared with `full`. */
function ablationRows(groups: readonly RunRecord[][]): UnmeasuredRow[] {
  return groups.flatMap((group) => {
    const { planner, variant, method } = group[0];
    const siblings = groups.filter(([one]) => one.planner === planner && one.method === method);
    if (siblings.length < 2) return [];
    const full = siblings.find(([one]) => one.variant === 'full');
    return [{ group, stage: 'total', baseline: variant === 'full' ? undefined : full }];
  });
}

/** The rows of a table with their cells, in the order of `suites`; null is all suites together. */
function tableOf(
  measure: Measure,
  rows: readonly UnmeasuredRow[],
  suites: readonly (string | null)[],
  seed: number,
): PaperTable {
  const measured = rows.map((row) => measureRow(measure, row, suites, seed));
  const corrected = correctCells(measured.flat().map((cell) => ({ cell, measure })));
  return {
    measure: measure.key,
    rows: rows.map(({ group, stage }, index) => ({
      ...nameOf(group),
      stage,
      cells: corrected.slice(index * suites.length, (index + 1) * suites.length),
    })),
  };
}

/** Final results and total costs of each planner in each variant, on all suites. */
function summaryOf(rows: readonly UnmeasuredRow[], seed: number): SummaryLine[] {
  const measures = [successMeasure, optimalityMeasure, tokensMeasure, costMeasure, timeMeasure];
  const lines = rows.flatMap((row) =>
    measures.map((measure) => ({ row, measure, cell: measureRow(measure, row, [null], seed)[0] })),
  );
  const corrected = correctCells(lines);
  return lines.map(({ row, measure }, index) => ({
    ...nameOf(row.group),
    stage: row.stage,
    measure: measure.key,
    cell: corrected[index],
  }));
}

function measureRow(
  measure: Measure,
  { group, stage, baseline }: UnmeasuredRow,
  suites: readonly (string | null)[],
  seed: number,
): Measurement[] {
  return suites.map((suite) => {
    const own = of(suite, group);
    const cell = measureCell(suite, own, stage, measure, seed);
    if (baseline === undefined) return cell;
    const others = instanceMeans(of(suite, baseline), stage, measure);
    return { ...cell, baseline: pairTests(instanceMeans(own, stage, measure), others) };
  });
}

function correctCells(cells: readonly { cell: Measurement; measure: Measure }[]): Measurement[] {
  const corrected = correctTests(
    cells.map(({ cell: { baseline }, measure: { wants } }) => ({ baseline, wants })),
  );
  return cells.map(({ cell }, index) => ({ ...cell, baseline: corrected[index] }));
}

function nameOf(group: readonly RunRecord[]) {
  const { planner, variant, method } = group[0];
  return { planner, synthetic: group.some(({ synthetic }) => synthetic), variant, method };
}

function of(suite: string | null, records: readonly RunRecord[]): readonly RunRecord[] {
  return suite === null ? records : records.filter((record) => record.suite === suite);
}

function suitesOf(records: readonly RunRecord[]): string[] {
  const there = [...new Set(records.map(({ suite }) => suite))];
  const isOfPaper = (suite: string) => PAPER_SUITES.includes(suite);
  return [
    ...PAPER_SUITES.filter((suite) => there.includes(suite)),
    ...there.filter((suite) => !isOfPaper(suite)),
  ];
}
