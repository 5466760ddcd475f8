import type { StageRow } from '../harness/records/stage-summary.js';
import { type CellValue, columnsOf, type Tone } from './columns.js';
import { fixed, formatSeconds, NOTHING, whole } from './format.js';
import { type Format, renderTable, type TableStyle } from './table.js';

const WORDS = { plan: 'planner alone', repair: 'after repair', optimize: 'after optimize' };

/** For stages in which models repaired their plans. */
const ofModels = {
  minor: 2,
  when: (rows: readonly StageRow[]) => rows.some(({ repairs }) => (repairs?.asked ?? 0) > 0),
};

const column = columnsOf<StageRow>();

const stageColumns = [
  column('planner'),
  column('variant'),
  column('stage', (_, { stage }) => WORDS[stage], { align: 'left' }),
  column('records', { hidden: true }),
  column('ran', whole, { minor: 4 }),
  column('feasible', ofRecords, { tone: toneOf }),
  column('repairs.by_model', ofAsked, { header: 'by model', ...ofModels }),
  column('repairs.by_protocol', (count) => (count === null ? '' : String(count)), {
    header: 'by protocol',
    ...ofModels,
  }),
  column('gap_percent', fixed(2)),
  column('geometric_gap_percent', fixed(2), { header: 'geo gap %', minor: 3 }),
  column('tokens.input', tokens, { header: 'tokens in', minor: 1 }),
  column('tokens.output', tokens, { header: 'tokens out', minor: 1 }),
  column('cost_usd', fixed(4), { header: 'cost $' }),
  column('seconds', formatSeconds, { header: 'time', minor: 2 }),
];

/** Writes the stages of planners that ask a model, one row for each. */
export function renderStages(
  rows: readonly StageRow[],
  format: Exclude<Format, 'json'>,
  style?: TableStyle,
): string {
  return renderTable(stageColumns, rows, format, style);
}

function ofRecords(feasible: CellValue, { records }: StageRow): string {
  return feasible === null ? NOTHING : `${feasible}/${records}`;
}

/** Plans that a model repaired, out of those that it was asked to repair. */
function ofAsked(count: CellValue, { repairs }: StageRow): string {
  return repairs === null ? '' : `${count}/${repairs.asked}`;
}

function toneOf({ feasible, records }: StageRow): Tone {
  if (feasible === null) return 'plain';
  return feasible === records ? 'good' : 'bad';
}

/** Tokens; a tilde if some of them are estimates. */
function tokens(value: CellValue, { tokens: { estimated } }: StageRow): string {
  return `${estimated ? '~' : ''}${value}`;
}
