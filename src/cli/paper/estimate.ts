import {
  type ExperimentEstimate,
  estimateExperiments,
  totalOf,
} from '../../harness/paper/paper-estimate.js';
import { findItems } from '../../harness/paper/presets/presets.js';
import type { CostEstimate, Range } from '../../harness/run/estimate.js';
import { PRICES, type Prices } from '../../llm/price-table.js';
import { readPrices } from '../../llm/prices.js';
import { columnsOf } from '../../report/columns.js';
import { clipped, formatFixed, formatSeconds, NOTHING } from '../../report/format.js';
import { remark } from '../common/output.js';
import type { Session } from '../common/session.js';
import { printRows } from '../common/tables.js';
import type { PaperCommandOptions } from './paper-options.js';
import { checkPlanners, setupFor } from './setup.js';

/** Models that the paper's experiments are estimated for unless the user names others. */
export const USUAL_MODELS: readonly string[] = ['openai:gpt-4o', 'anthropic:claude-sonnet-4-6'];

/** Prints the costs of the experiments of rows: each once, although rows share them. */
export async function estimateItems(
  session: Session,
  names: readonly string[],
  options: PaperCommandOptions,
): Promise<void> {
  const { planner = USUAL_MODELS, format, threads } = options;
  checkPlanners(planner);
  const items = findItems(names);
  const experiments = [...new Set(items.flatMap((item) => item.experiments ?? []))];
  if (experiments.length === 0) {
    remark(session, 'these rows ask no model: there is no cost');
  }
  const setup = setupFor(items[0], { ...options, planner: [...planner] });
  const estimates = await estimateExperiments(experiments, setup, pricesOf(options));
  const rows = [...estimates];
  if (rows.length > 1) {
    rows.push({ experiment: 'total', planner: '', costs: totalOf(estimates) });
  }
  await printRows(session, format, columns, rows, documentOf(estimates, threads));
  if (experiments.length > 0) remark(session, WORDS);
  const isUnknown = estimates.some(({ costs }) => costs?.usd === null);
  if (isUnknown) remark(session, 'the price of a model is unknown: give it with --prices FILE');
}

const WORDS =
  'nothing was sent; token counts are estimates, within a third; reasoning tokens are extra';

/** The prices of models. */
export function pricesOf({ prices }: PaperCommandOptions): Prices {
  return prices === undefined ? PRICES : readPrices(prices);
}

/** A range in words; one number if both ends are equal. */
export function rangeText(range: Range | null | undefined, write: (n: number) => string): string {
  if (!range) return NOTHING;
  const [least, most] = range.map(write);
  return least === most ? least : `${least}–${most}`;
}

/** US dollars in words. */
export function dollarText(usd: number): string {
  return formatFixed(usd, usd < 1 ? 4 : 2);
}

const column = columnsOf<ExperimentEstimate>();

/** Two columns for programs, and one for people, of a range. */
function range(
  key: string,
  header: string,
  pick: (costs: CostEstimate) => Range | null,
  write: (n: number) => string,
) {
  const of = ({ costs }: ExperimentEstimate) => (costs === null ? null : pick(costs));
  return [
    column.of(`least_${key}`, (row) => of(row)?.[0] ?? null, { hidden: true }),
    column.of(`most_${key}`, (row) => of(row)?.[1] ?? null, {
      header,
      format: (_, row) => rangeText(of(row), write),
    }),
  ];
}

const columns = [
  column('experiment'),
  column('planner', clipped(40), { align: 'left' }),
  ...range('requests', 'requests', ({ requests }) => requests, String),
  ...range('tokens_in', 'tokens in', ({ input }) => input, String),
  ...range('tokens_out', 'tokens out', ({ output }) => output, String),
  ...range('usd', 'cost $', ({ usd }) => usd, dollarText),
  column.of('at_most_usd', ({ costs }) => costs?.mostUsd ?? null, {
    header: 'at most $',
    format: (value) => (typeof value === 'number' ? dollarText(value) : NOTHING),
  }),
  ...range('seconds', 'time', ({ seconds }) => seconds, formatSeconds),
];

function documentOf(estimates: readonly ExperimentEstimate[], threads: number): unknown {
  const span = (range: Range | null) => range && { least: range[0], most: range[1] };
  const plain = (costs: CostEstimate | null) =>
    costs && {
      requests: span(costs.requests),
      tokens: { input: span(costs.input), output: span(costs.output) },
      cost_usd: span(costs.usd),
      at_most_usd: costs.mostUsd,
      seconds: span(costs.seconds),
    };
  return {
    schema: 'alas-jssp/paper-estimate@1',
    threads,
    experiments: estimates.map(({ costs, ...rest }) => ({ ...rest, ...plain(costs) })),
    total: plain(totalOf(estimates)),
  };
}
