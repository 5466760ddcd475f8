import {
  type ExperimentEstimate,
  estimateExperiments,
  totalOf,
} from '../../harness/paper/paper-estimate.js';
import { type PaperItem, statusOf } from '../../harness/paper/presets/paper-item.js';
import { findItems } from '../../harness/paper/presets/presets.js';
import type { CostEstimate } from '../../harness/run/estimate.js';
import { modelOf } from '../../llm/model-of.js';
import { isModelSpec } from '../../llm/planner-spec.js';
import { type Column, columnsOf } from '../../report/columns.js';
import { formatSeconds, NOTHING } from '../../report/format.js';
import { remark } from '../common/output.js';
import type { Session } from '../common/session.js';
import { printRows } from '../common/tables.js';
import { dollarText, pricesOf, rangeText, USUAL_MODELS } from './estimate.js';
import type { PaperCommandOptions } from './paper-options.js';
import { asTyped, checkPlanners, setupFor } from './setup.js';

/** A row of the list. */
interface ListedItem {
  readonly item: PaperItem;
  readonly command: string;
  /** The costs of its experiments by planner; null if it has none, or if nothing is known about them. */
  readonly costs: Readonly<Record<string, CostEstimate | null>>;
}

/** Prints the tables and figures of the papers. */
export async function listItems(
  session: Session,
  names: readonly string[],
  options: PaperCommandOptions,
): Promise<void> {
  const { planner: planners = USUAL_MODELS, format } = options;
  checkPlanners(planners);
  const items = findItems(names.length === 0 ? ['all'] : names);
  const experiments = [...new Set(items.flatMap((item) => item.experiments ?? []))];
  const setup = setupFor(items[0], { ...options, planner: [...planners] });
  const estimates = await estimateExperiments(experiments, setup, pricesOf(options));
  const rows = items.map((item) => listed(item, planners, estimates));
  const schema = 'alas-jssp/paper-list@1';
  const document = { schema, rows: rows.map((row) => plain(row, options)) };
  await printRows(session, format, columnsFor(planners), rows, document);
  remark(
    session,
    `costs of ${options.threads} threads; rows that share an experiment ask once: --estimate has the sum`,
  );
}

function listed(
  item: PaperItem,
  planners: readonly string[],
  estimates: readonly ExperimentEstimate[],
): ListedItem {
  const { experiments = [] } = item;
  const costsOf = (planner: string) =>
    experiments.length === 0
      ? null
      : totalOf(
          estimates.filter(
            (one) => one.planner === planner && experiments.includes(one.experiment),
          ),
        );
  const costs = Object.fromEntries(planners.map((planner) => [planner, costsOf(planner)]));
  return { item, command: commandOf(item), costs };
}

function commandOf(item: PaperItem): string {
  const command = `npx alas-jssp paper ${item.id}`;
  const commands = {
    'without a key': command,
    'in part without a key': command,
    'with a key': `${command} --planner MODEL`,
    not: '',
  };
  return commands[statusOf(item)];
}

function plain({ item, command, costs }: ListedItem, options: PaperCommandOptions) {
  const { id, paper, title, kind, note, seconds = null, keyless, asking, experiments = [] } = item;
  const setup = setupFor(item, { ...options, planner: options.planner ?? ['MODEL'] });
  return {
    id,
    paper,
    title,
    kind,
    status: statusOf(item),
    note,
    command: command === '' ? null : command,
    seconds,
    without_key: (keyless?.(setup) ?? []).map(asTyped),
    with_key: (asking?.(setup) ?? []).map(asTyped),
    experiments,
    estimates: Object.entries(costs).flatMap(([planner, one]) =>
      one === null ? [] : [{ planner, cost_usd: one.usd, seconds: one.seconds }],
    ),
  };
}

const column = columnsOf<ListedItem>();

/** The columns, with the costs of each planner. */
function columnsFor(planners: readonly string[]): Column<ListedItem>[] {
  const timeOf = ({ costs }: ListedItem) => Object.values(costs)[0]?.seconds;
  return [
    column.of('row', ({ item }) => item.id),
    column.of('title', ({ item }) => item.title),
    column.of('kind', ({ item }) => item.kind, { minor: 2 }),
    column.of('status', ({ item }) => statusOf(item)),
    column.of('seconds', ({ item }) => item.seconds ?? null, {
      header: 'time without a key',
      format: (value) => (typeof value === 'number' ? formatSeconds(value) : NOTHING),
      minor: 1,
    }),
    column.of('most_seconds', (row) => timeOf(row)?.[1] ?? null, {
      header: 'with a key',
      format: (_, row) => rangeText(timeOf(row), formatSeconds),
      minor: 4,
    }),
    ...planners.map((planner) =>
      column.of(`usd_${planner}`, ({ costs }) => costs[planner]?.usd?.[1] ?? null, {
        header: `${isModelSpec(planner) ? modelOf(planner).model : planner} $`,
        format: (_, { costs }) => rangeText(costs[planner]?.usd, dollarText),
        minor: 3,
      }),
    ),
    column.of('command', ({ command }) => command, { minor: 5 }),
    column.of('note', ({ item }) => item.note, { minor: 6 }),
  ];
}
