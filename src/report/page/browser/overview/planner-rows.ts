import type { PageData } from '../../views/page-data.js';

type PageSummary = NonNullable<PageData['summary']>;
type PageEvaluation = NonNullable<PageData['evaluation']>;

/** Averages of a planner on a suite. */
export type PlannerSummary = PageSummary['suites'][number];
/** Anytime measures of a planner on a suite. */
type AnytimeLine = PageEvaluation['anytime']['rows'][number];
/** Two planners on a suite. */
export type TestLine = PageEvaluation['tests'][number]['rows'][number];

/** A planner on a suite, with its averages and its anytime measures; null if there are none. */
export interface PlannerRow {
  readonly name: string;
  /** Whether its plans are faulty on purpose, so that it is not compared with the others. */
  readonly isSynthetic: boolean;
  readonly summary: PlannerSummary;
  readonly anytime: AnytimeLine | null;
}

/** Names planners, with the variant if there are several. */
export function namer({
  summary,
}: PageData): (planner: { readonly planner: string; readonly variant: string }) => string {
  const variants = new Set(summary?.overall.map(({ variant }) => variant));
  return ({ planner, variant }) => (variants.size > 1 ? `${planner}, ${variant}` : planner);
}

/** All suites, in the order of the records. */
export function suitesOf({ summary }: PageData): string[] {
  return [...new Set(summary?.suites.flatMap(({ suite }) => suite ?? []))];
}

/** The suite of the statistics: null (all of them) only if there are several. */
function suiteKey(data: PageData, suite: string | null): string | null {
  const suites = suitesOf(data);
  return suite === null && suites.length === 1 ? suites[0] : suite;
}

/** Planners whose plans are faulty on purpose. */
export function syntheticPlanners({ records }: PageData): ReadonlySet<string> {
  return new Set(records.filter(({ synthetic }) => synthetic).map(({ planner }) => planner));
}

/** Planners on a suite, or on all (null), without executed schedules; best first. */
export function plannerRows(data: PageData, suite: string | null): PlannerRow[] {
  const { summary, evaluation } = data;
  const lines = (suite === null ? summary?.overall : summary?.suites) ?? [];
  const key = suiteKey(data, suite);
  const synthetic = syntheticPlanners(data);
  return lines
    .filter((line) => line.suite === suite && line.method === null)
    .map((line) => ({
      name: namer(data)(line),
      isSynthetic: synthetic.has(line.planner),
      summary: line,
      anytime:
        evaluation?.anytime.rows.find(
          ({ suite, planner, variant }) =>
            suite === key && planner === line.planner && variant === line.variant,
        ) ?? null,
    }))
    .sort((a, b) => gapOf(a) - gapOf(b));
}

function gapOf({ anytime }: PlannerRow): number {
  return anytime?.final_gap_percent ?? Number.POSITIVE_INFINITY;
}

/** Executions on a suite, or on all (null). */
export function executionRows({ summary }: PageData, suite: string | null): PlannerSummary[] {
  const lines = (suite === null ? summary?.overall : summary?.suites) ?? [];
  return lines.filter((line) => line.suite === suite && line.method !== null);
}

/** Tests between planners on a suite, by the final gap. */
export function testRows(data: PageData, suite: string | null): readonly TestLine[] {
  const key = suiteKey(data, suite);
  const tests = data.evaluation?.tests.find(({ measure }) => measure === 'final_gap_percent');
  return tests?.rows.filter((row) => row.suite === key) ?? [];
}
