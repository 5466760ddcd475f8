import type { StageRow } from '../harness/records/stage-summary.js';
import type { Cell, Column, Tone } from './columns.js';
import { formatSeconds, percent, whole } from './format.js';
import { type Format, renderTable, type TableStyle } from './table.js';

const WORDS = { plan: 'planner alone', repair: 'after repair', optimize: 'after optimize' };

const stageColumns: readonly Column<StageRow>[] = [
  { key: 'planner', header: 'planner', value: ({ planner }) => planner },
  { key: 'variant', header: 'variant', value: ({ variant }) => variant },
  {
    key: 'stage',
    header: 'stage',
    value: ({ stage }) => stage,
    format: (_, { stage }) => WORDS[stage],
    align: 'left',
  },
  { key: 'records', header: 'records', value: ({ records }) => records, hidden: true },
  { key: 'ran', minor: 4, header: 'ran', value: ({ ran }) => ran, format: whole },
  {
    key: 'feasible',
    header: 'feasible',
    value: ({ feasible }) => feasible,
    format: (feasible, { records }) => (feasible === null ? '–' : `${feasible}/${records}`),
    tone: toneOf,
  },
  { key: 'gap_percent', header: 'gap %', value: (row) => row.gap_percent, format: percent(2) },
  {
    key: 'geometric_gap_percent',
    minor: 3,
    header: 'geo gap %',
    value: (row) => row.geometric_gap_percent,
    format: percent(2),
  },
  {
    key: 'tokens_input',
    minor: 1,
    header: 'tokens in',
    value: ({ tokens }) => tokens.input,
    format: tokens,
  },
  {
    key: 'tokens_output',
    minor: 1,
    header: 'tokens out',
    value: ({ tokens }) => tokens.output,
    format: tokens,
  },
  { key: 'cost_usd', header: 'cost $', value: (row) => row.cost_usd, format: percent(4) },
  {
    key: 'seconds',
    minor: 2,
    header: 'time',
    value: ({ seconds }) => seconds,
    format: formatSeconds,
  },
];

/** Writes the stages of planners that ask a model, one row for each. */
export function renderStages(
  rows: readonly StageRow[],
  format: Exclude<Format, 'json'>,
  style?: TableStyle,
): string {
  return renderTable(stageColumns, rows, format, style);
}

function toneOf({ feasible, records }: StageRow): Tone {
  if (feasible === null) return 'plain';
  return feasible === records ? 'good' : 'bad';
}

/** Tokens; a tilde where some of them are estimated. */
function tokens(value: Cell, { tokens: { estimated } }: StageRow): string {
  return `${estimated ? '~' : ''}${value}`;
}
