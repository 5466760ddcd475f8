import { InputError } from '@alas-jssp/core/errors';
import { InvalidArgumentError } from 'commander';
import { attribution } from '../../harness/attribution/attribution.js';
import { type Evaluation, evaluate } from '../../harness/evaluation/evaluate.js';
import type { TestFamily } from '../../harness/evaluation/planner-tests.js';
import type { JoinedRuns } from '../../harness/records/joined-runs.js';
import { summarize } from '../../harness/records/summary.js';
import {
  type AttributionTableName,
  attributionFindings,
  attributionTables,
} from '../../report/attribution-tables.js';
import {
  type EvaluationTableName,
  evaluationTables,
  type NamedTable,
} from '../../report/evaluation-tables.js';
import { counted } from '../../report/format.js';
import { titled } from '../../report/paper-tables.js';
import { renderStages } from '../../report/stage-table.js';
import { renderSummary } from '../../report/summary-table.js';
import { syntheticRemarks } from '../../report/synthetic-remarks.js';
import { type DocumentFormat, renderJson, type TableStyle } from '../../report/table.js';
import type { OutputOptions } from '../common/options.js';
import { print, remark } from '../common/output.js';
import type { Session } from '../common/session.js';
import { printMore, tableStyle } from '../common/tables.js';

/** Settings of the general report. */
export interface StatisticsOptions extends OutputOptions {
  seed: number;
  horizon?: number;
  targets?: number[];
  table?: string;
  family?: TestFamily;
}

/** Most rows of the table of best schedules that are printed without a request. */
const MOST_BEST = 20;

/** Tables that are printed by default; the others need `--table`. */
const SHOWN: readonly EvaluationTableName[] = ['anytime', 'profile', 'differences', 'best'];

/** Tables of runs with `--attribution`. */
const ATTRIBUTED: readonly AttributionTableName[] = ['attribution', 'edges', 'gains'];

/** The default of `alas-jssp report`: the summary and the default statistics. */
export async function reportStatistics(
  session: Session,
  { records, planned, interrupted }: JoinedRuns,
  options: StatisticsOptions,
): Promise<void> {
  const { format, seed, horizon, targets, family } = options;
  const summary = summarize(records, planned, interrupted);
  const statistics = evaluate(records, { seed, horizon, targets, family });
  const attributed = attribution(records, { seed });
  if (format === 'json') {
    const schema = 'alas-jssp/report@1';
    const data = { ...summary, schema, statistics, attribution: attributed };
    return print(session, renderJson(data));
  }
  const made = evaluationTables(statistics);
  const tables: Record<string, NamedTable> = {
    summary: {
      title: 'Summary',
      rows: summary.suites.length,
      render: (...look) => renderSummary(summary, ...look),
    },
    stages: {
      title: 'Stages of planners that ask a model',
      rows: summary.stages.length,
      render: (...look) => renderStages(summary.stages, ...look),
    },
    ...(attributed === null ? {} : attributionTables(attributed)),
    ...made,
  };
  const style = tableStyle(session.host.stdout);
  if (options.table !== undefined) {
    const { title, render } = tableOf(tables, options.table);
    const text = render(format, style);
    await print(session, format === 'csv' ? text : titled({ title, text }, format));
    if (options.table !== 'attribution' || attributed === null) return;
    for (const line of attributionFindings(attributed)) remark(session, line);
    return;
  }
  await print(session, renderSummary(summary, format, style));
  const wanted = ['stages', ...ATTRIBUTED, ...SHOWN].flatMap((name) => tables[name] ?? []);
  for (const { title, rows, render } of wanted) {
    if (rows === 0 || (rows > MOST_BEST && render === made.best.render)) continue;
    const show = (look: DocumentFormat, of: TableStyle) =>
      titled({ title, text: render(look, of) }, look);
    await printMore(session, format, show);
  }
  for (const line of remarksOf(statistics)) remark(session, line);
  for (const line of syntheticRemarks(summary)) remark(session, line);
  if (attributed === null) return;
  for (const line of attributionFindings(attributed)) remark(session, line);
}

function tableOf(tables: Readonly<Record<string, NamedTable>>, name: string): NamedTable {
  const table = Object.hasOwn(tables, name) ? tables[name] : undefined;
  if (table !== undefined) return table;
  const isAttribution = ATTRIBUTED.some((one) => one === name);
  const hint = isAttribution
    ? 'give a run with --attribution'
    : `name one of ${Object.keys(tables).join(', ')}`;
  throw new InputError('no_table', `unknown table '${name}'`, hint, {}, name);
}

/** Facts of the statistics that are in no table. */
function remarksOf({ anytime, best }: Evaluation): string[] {
  const { executed, without_reference } = anytime.left_out;
  const refuted = best.flatMap((one) => one.refuted);
  return [
    ...(executed === 0
      ? []
      : [
          `${counted(executed, 'record')} of executions: in the summary only, because their best is unknown`,
        ]),
    ...(without_reference === 0
      ? []
      : [
          `${counted(without_reference, 'record')} of instances without any solution: not measured`,
        ]),
    ...(best.length <= MOST_BEST
      ? []
      : [`the best schedules of ${best.length} instances: --table best`]),
    ...refuted.map(
      ({ instance, planner, claimed_lower_bound, value }) =>
        `contradiction: ${planner} states a lower bound of ${claimed_lower_bound} for ${instance}, but a schedule has ${value}`,
    ),
  ];
}

/** Parses percentages separated by commas. */
export function percentages(text: string): number[] {
  const values = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (values.every((value) => value >= 0 && Number.isFinite(value))) return values;
  throw new InvalidArgumentError('targets are percentages of 0 or more, separated by commas.');
}
