import type { Estimate, FaultRow, StudyReport, VariantRow } from '../harness/study/report.js';
import type { RoundRow } from '../harness/study/rounds.js';
import { type CellValue, type Column, columnsOf } from './columns.js';
import { fixed, formatFixed, NOTHING, whole } from './format.js';
import type { TitledTable } from './paper-tables.js';
import { plannerText } from './planner-text.js';
import { type Format, renderTable, type TableStyle } from './table.js';

const fault = columnsOf<FaultRow>();
const ms = fixed(2);

/** Columns of the classes of faults, also those of CSV. */
const faultColumns: readonly Column<FaultRow>[] = [
  fault('fault', (value) => String(value ?? 'all'), { align: 'left' }),
  fault('plans', whole, { minor: 3 }),
  fault('by_validator', whole, { header: 'validator' }),
  fault('by_planner', whole, {
    header: 'planner',
    when: (rows) => rows.some(({ by_planner }) => by_planner !== null),
  }),
  fault('by_neither', whole, { header: 'neither' }),
  fault('repaired', whole),
  fault('blindly_repaired', whole, { header: 'blindly', minor: 4 }),
  fault('edited_operations.mean', interval('edited_operations'), { header: 'edited' }),
  fault('edit_radius.mean', interval('edit_radius'), { header: 'radius' }),
  fault('edit_radius.most', whole, { header: 'most', minor: 5 }),
  fault('edit_radius.unreached', whole, { header: 'unreached', minor: 6 }),
  fault('growth_percent.mean', interval('growth_percent'), { header: 'growth %' }),
  fault('milliseconds.validate', ms, { header: 'validate ms', minor: 2 }),
  fault('milliseconds.repair', ms, { header: 'repair ms', minor: 1 }),
  ...fault.hidden(
    'edited_operations.low',
    'edited_operations.high',
    'edit_radius.low',
    'edit_radius.high',
    'growth_percent.low',
    'growth_percent.high',
  ),
];

const variant = columnsOf<VariantRow>();

const variantColumns: readonly Column<VariantRow>[] = [
  variant('suite', (value) => String(value ?? 'all'), { align: 'left' }),
  variant('variant'),
  variant('plans', whole),
  variant('success_percent.mean', interval('success_percent', 1), { header: 'success %' }),
  variant.of('success_mark', ({ success }) => success?.mark ?? '', { header: '' }),
  variant('growth_percent.mean', interval('growth_percent'), { header: 'growth %' }),
  variant.of('growth_mark', ({ growth }) => growth?.mark ?? '', { header: '' }),
  variant('edited_operations.mean', interval('edited_operations', 1), { header: 'edited' }),
  variant('milliseconds.validate', ms, { header: 'validate ms' }),
  variant('milliseconds.repair', ms, { header: 'repair ms' }),
];

const round = columnsOf<RoundRow>();

const roundColumns: readonly Column<RoundRow>[] = [
  round('planner', (planner, row) => plannerText(String(planner), row), { align: 'left' }),
  round('variant'),
  round('round', whole),
  round('records', whole),
  round('ran', whole),
  round('wrong', whole),
  round('error_percent', fixed(1), { header: 'error %' }),
  round('violations', fixed(1)),
  round('edited_operations', fixed(1), { header: 'edited' }),
  round('edit_radius', fixed(1), { header: 'radius' }),
];

/** A column format: a mean, followed by its interval. */
function interval<Row, Key extends keyof Row>(key: Key, digits = 2) {
  return (value: CellValue, row: Row): string => {
    if (value === null) return NOTHING;
    const { low, high } = row[key] as Estimate;
    const text = formatFixed(Number(value), digits);
    if (low === null || high === null) return text;
    return `${text} [${formatFixed(low, digits)}, ${formatFixed(high, digits)}]`;
  };
}

/** The tables of a study: faults, variants, and the error rate for each repair iteration. */
export function studyTables(
  report: StudyReport,
  format: Exclude<Format, 'json'>,
  style?: TableStyle,
): TitledTable[] {
  const { classes, variants, rounds, schedules, faults } = report;
  const injected = `${faults} faults of each class in each of ${schedules} valid schedules`;
  const tables = [
    {
      title: `Detection and containment: ${injected}`,
      text: renderTable(faultColumns, classes, format, style),
    },
    {
      title: 'The same plans in each variant, without a search',
      text: renderTable(variantColumns, variants, format, style),
    },
  ];
  return rounds.length === 0 ? tables : [...tables, roundsTable(rounds, format, style)];
}

/** The error rate for each repair iteration, from records alone. */
export function roundsTable(
  rounds: readonly RoundRow[],
  format: Exclude<Format, 'json'>,
  style?: TableStyle,
): TitledTable {
  const text = renderTable(roundColumns, rounds, format, style);
  return { title: 'Error rate for each repair iteration of the runs', text };
}

/** The classes of faults as CSV. */
export function studyCsv({ classes }: StudyReport): string {
  return renderTable(faultColumns, classes, 'csv');
}
