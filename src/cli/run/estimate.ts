import type {
  CostEstimate,
  EstimateContext,
  PlannerEstimate,
  Range,
  RunEstimate,
} from '../../harness/run/estimate.js';
import { fillRunSpec, layOver } from '../../harness/run/fill-spec.js';
import type { RunSpec } from '../../harness/run/spec.js';
import { readManifest } from '../../harness/run/stored-run.js';
import { columnsOf } from '../../report/columns.js';
import { clipped, counted, formatFixed, formatSeconds, NOTHING } from '../../report/format.js';
import type { Format } from '../../report/table.js';
import { remark } from '../common/output.js';
import { createProgressDisplay, silentDisplay } from '../common/progress.js';
import { exitCode, type Session } from '../common/session.js';
import { printRows } from '../common/tables.js';
import type { RunCommandOptions } from './run-options.js';

/** Prints the preview that one of these options requests; prompts are text unless a format is given. */
export async function preview(
  session: Session,
  spec: RunSpec,
  { estimate, resume, out, format }: RunCommandOptions,
  isFormatGiven: boolean,
): Promise<number> {
  if (estimate) {
    const place = { out: resume ?? (out || undefined), resume: resume !== undefined };
    return printEstimate(session, spec, place, format);
  }
  const { showRunPrompts } = await import('../plans/show-prompt.js');
  const before = resume === undefined ? spec : layOver(readManifest(resume).spec, spec);
  await showRunPrompts(session, fillRunSpec(before), isFormatGiven ? format : 'table');
  return exitCode.done;
}

async function printEstimate(
  session: Session,
  spec: RunSpec,
  context: EstimateContext,
  format: Format,
): Promise<number> {
  const display = session.quiet ? silentDisplay : createProgressDisplay(session.host.stderr);
  const onProgress: EstimateContext['onProgress'] = (at) => display.update({ ...at, kept: 0 });
  // The estimator is loaded only if used, to keep the help fast.
  const { estimateRun } = await import('../../harness/run/estimate.js');
  const estimate = await estimateRun(spec, { ...context, onProgress }).finally(display.stop);
  const { planners, total } = estimate;
  const rows = [...planners];
  if (planners.length > 1) rows.push({ ...total, planner: 'total', unfit: [] });
  await printRows(session, format, columns, rows, documentOf(estimate));
  for (const line of remarksOn(estimate)) remark(session, line);
  return exitCode.done;
}

function remarksOn({ planners, total, exceeded, speed }: RunEstimate): string[] {
  if (planners.length === 0) return ['no planner asks a model: there is no cost'];
  const { tokensPerSecond, secondsEach } = speed;
  return [
    'nothing was sent; token counts are estimates, within a third. Reasoning tokens are extra:',
    '"at most" is the price if every answer is as long as max-output allows',
    `time: within the set limits, if a model starts after ${secondsEach} s and writes ${tokensPerSecond} tokens a second`,
    ...(total.usd === null ? ['the price of a model is unknown: give it with --prices FILE'] : []),
    ...planners.flatMap(({ planner, unfit }) =>
      unfit.length === 0
        ? []
        : [`${counted(unfit.length, 'instance')} skipped, too large for ${planner}: ${unfit[0]} …`],
    ),
    ...exceeded.map((limit) => `${limit} may be too small for the whole run`),
  ];
}

const column = columnsOf<PlannerEstimate>();

/** Two hidden columns for the ends of a range, and one with both for tables. */
function range(
  key: string,
  pick: (row: CostEstimate) => Range | null,
  write: (n: number) => string,
) {
  const show = (value: Range | null) => {
    if (value === null) return NOTHING;
    const [least, most] = value.map(write);
    return least === most ? least : `${least}–${most}`;
  };
  return [
    column.of(`least_${key}`, (row) => pick(row)?.[0] ?? null, { hidden: true }),
    column.of(`most_${key}`, (row) => pick(row)?.[1] ?? null, {
      header: key === 'usd' ? 'cost $' : key.replaceAll('_', ' ').replace('seconds', 'time'),
      format: (_, row) => show(pick(row)),
    }),
  ];
}

const dollars = (usd: number) => formatFixed(usd, usd < 1 ? 4 : 2);

const columns = [
  column('planner', clipped(40), { align: 'left' }),
  column('plans', String),
  ...range('requests', ({ requests }) => requests, String),
  ...range('tokens_in', ({ input }) => input, String),
  ...range('tokens_out', ({ output }) => output, String),
  ...range('usd', ({ usd }) => usd, dollars),
  column.of('at_most_usd', ({ mostUsd }) => mostUsd, {
    header: 'at most $',
    format: (value) => (typeof value === 'number' ? dollars(value) : NOTHING),
  }),
  ...range('seconds', ({ seconds }) => seconds, formatSeconds),
];

function spanOf([least, most]: Range) {
  return { least, most };
}

function documentOf({ planners, total, exceeded, spec }: RunEstimate): unknown {
  const plain = ({ plans, requests, input, output, usd, mostUsd, seconds }: CostEstimate) => ({
    plans,
    requests: spanOf(requests),
    tokens: { input: spanOf(input), output: spanOf(output) },
    cost_usd: usd && spanOf(usd),
    at_most_usd: mostUsd,
    seconds: spanOf(seconds),
  });
  return {
    schema: 'alas-jssp/estimate@1',
    spec,
    planners: planners.map(({ planner, unfit, ...costs }) => ({ planner, ...plain(costs), unfit })),
    total: plain(total),
    exceeded,
  };
}
