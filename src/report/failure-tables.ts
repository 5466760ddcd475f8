import type {
  FailedAnswer,
  FailureReport,
  PlannerFailures,
  ViolationClass,
} from '../harness/evaluation/failures.js';
import { type Column, columnsOf } from './columns.js';
import { change, clipped, counted, fixed, whole } from './format.js';
import type { TitledTable } from './paper-tables.js';
import { plannerText } from './planner-text.js';
import { type DocumentFormat, renderTable, type TableStyle } from './table.js';

/** The planner of the answers in a row. */
type Whose = Pick<PlannerFailures, 'planner' | 'synthetic' | 'variant' | 'topology'>;

/** The columns that identify planners; those with one value are hidden. */
function whoseColumns<Row extends Whose>(): Column<Row>[] {
  const column = columnsOf<Whose>();
  const differ = (key: keyof Whose) => (rows: readonly Whose[]) =>
    new Set(rows.map((row) => row[key])).size > 1;
  return [
    column('planner', (planner, row) => plannerText(String(planner), row), { align: 'left' }),
    column('variant', { when: differ('variant') }),
    column('topology', { when: (rows) => rows.some(({ topology }) => topology !== null) }),
  ];
}

const planner = columnsOf<PlannerFailures>();

/** A column with the share of answers that have an outcome, shown only if it occurs. */
function shareColumn(outcome: keyof PlannerFailures['outcomes']): Column<PlannerFailures> {
  const value = ({ outcomes, answers }: PlannerFailures) =>
    answers === 0 ? null : (100 * outcomes[outcome]) / answers;
  return planner.of(outcome, value, {
    header: `${outcome.replaceAll('_', ' ')} %`,
    format: fixed(1),
    when: (rows) => outcome === 'feasible' || rows.some(({ outcomes }) => outcomes[outcome] > 0),
  });
}

const outcomeColumns: readonly Column<PlannerFailures>[] = [
  ...whoseColumns<PlannerFailures>(),
  planner.of('models', ({ models }) => models.join(', '), {
    minor: 1,
    when: (rows) => rows.some(({ models }) => models.length > 0),
  }),
  planner('answers', whole),
  shareColumn('feasible'),
  shareColumn('wrong'),
  shareColumn('incomplete'),
  shareColumn('cut_off'),
  shareColumn('unreadable'),
  shareColumn('refused'),
  shareColumn('failed'),
  shareColumn('unjudged'),
  planner('missing', whole, {
    header: 'none recorded',
    minor: 3,
    when: (rows) => rows.some(({ missing }) => missing > 0),
  }),
  planner('repairs.by_model', (count, { repairs }) => `${count}/${repairs.asked}`, {
    header: 'repaired by model',
    minor: 2,
    when: (rows) => rows.some(({ repairs }) => repairs.asked > 0),
  }),
  planner('repairs.by_protocol', whole, {
    header: 'repaired by protocol',
    minor: 1,
    when: (rows) => rows.some(({ repairs: { asked, by_protocol } }) => asked + by_protocol > 0),
  }),
];

interface ViolationRow extends Whose, ViolationClass {
  readonly of: number;
}

const violation = columnsOf<ViolationRow>();

const violationColumns: readonly Column<ViolationRow>[] = [
  ...whoseColumns<ViolationRow>(),
  violation('code', { header: 'violation' }),
  violation.of('root_percent', (row) => percentOf(row.root_answers, row.of), {
    header: 'root cause in %',
    format: fixed(1),
  }),
  violation.of('answers_percent', (row) => percentOf(row.answers, row.of), {
    header: 'found in %',
    format: fixed(1),
  }),
  violation('root_causes', whole, { minor: 2 }),
  violation('violations', whole, { minor: 1 }),
];

const ofDecoding = {
  when: (rows: readonly PlannerFailures[]) => rows.some(({ decoding }) => decoding !== null),
};

const readColumns: readonly Column<PlannerFailures>[] = [
  ...whoseColumns<PlannerFailures>(),
  planner('decoding.read_percent', fixed(1), {
    header: 'operations read %',
    ...ofDecoding,
  }),
  planner.of('ignored', ({ decoding }) => listCounts(decoding?.ignored ?? {}), {
    header: 'passed over',
    format: clipped(50),
    align: 'left',
    minor: 4,
    ...ofDecoding,
  }),
  planner('claims.stated', whole, { header: 'claims' }),
  planner('claims.right', whole, { header: 'right' }),
  planner('claims.impossible', whole, { header: 'impossible' }),
  planner('claims.contradicted', whole, { header: 'own entries differ', minor: 3 }),
  planner('claims.compared', whole, { header: 'compared', minor: 2 }),
  planner('claims.median_percent', change(1), { header: 'claimed − true %' }),
];

const requestColumns: readonly Column<PlannerFailures>[] = [
  ...whoseColumns<PlannerFailures>(),
  planner('requests.sent', whole, { header: 'requests' }),
  planner('requests.rate_limited', whole, { header: 'too many (429)' }),
  planner('requests.timed_out', whole, { header: 'timed out' }),
  planner('requests.failed', whole, { header: 'failed' }),
  planner('requests.cut_off', whole, { header: 'cut off' }),
  planner('requests.refused', whole, { header: 'refused' }),
];

interface ErrorRow extends Whose {
  readonly answers: number;
  readonly reason: string;
}

const error = columnsOf<ErrorRow>();

const errorColumns: readonly Column<ErrorRow>[] = [
  ...whoseColumns<ErrorRow>(),
  error('answers', whole, { header: 'records' }),
  error('reason'),
];

const answer = columnsOf<FailedAnswer>();

const answerColumns: readonly Column<FailedAnswer>[] = [
  ...answer.hidden('suite'),
  answer('instance'),
  ...whoseColumns<FailedAnswer>(),
  answer('replicate', whole, { when: (rows) => rows.some(({ replicate }) => replicate > 0) }),
  answer('outcome', (value) => String(value).replaceAll('_', ' '), { align: 'left' }),
  answer.of('root_causes', ({ root_causes }) => listCounts(root_causes ?? {}), {
    format: clipped(40),
    align: 'left',
    minor: 2,
  }),
  answer('operations_read', whole, {
    header: 'read',
    minor: 3,
    when: (rows) => rows.some(({ operations_read }) => operations_read !== null),
  }),
  answer.of('violations', ({ violations }) => listCounts(violations ?? {}), { hidden: true }),
  ...answer.hidden('claimed_makespan'),
  answer('error', clipped(60), {
    align: 'left',
    minor: 3,
    when: (rows) => rows.some((row) => row.error !== null),
  }),
  answer.of('files', ({ files }) => files.join('; '), {
    header: 'answer',
    format: (value, { files }) =>
      files.length < 2 ? String(value) : `${files[0]} (first of ${files.length})`,
    // Aligned like numbers, because a partial path has no value.
    align: 'right',
    when: (rows) => rows.some(({ files }) => files.length > 0),
  }),
];

/** The tables of failures: outcomes, violations, reading and claims, requests, errors, and answers to look at. */
export function failureTables(
  { planners, answers }: FailureReport,
  format: DocumentFormat,
  style?: TableStyle,
): TitledTable[] {
  const look = { ...style, complete: '--json' };
  const table = <Row>(title: string, columns: readonly Column<Row>[], rows: readonly Row[]) =>
    rows.length === 0 ? [] : [{ title, text: renderTable(columns, rows, format, look) }];
  const whose = ({ planner, synthetic, variant, topology }: Whose) => {
    return { planner, synthetic, variant, topology };
  };
  const violations = planners.flatMap((row) =>
    row.violations.map((one) => ({ ...whose(row), ...one, of: row.answers })),
  );
  const read = planners.filter(({ decoding, claims }) => decoding !== null || claims.stated > 0);
  const errors = planners.flatMap((row) =>
    row.errors.map(({ reason, answers }) => {
      return { ...whose(row), answers, reason };
    }),
  );
  const order = new Map(planners.map((row, index) => [JSON.stringify(whose(row)), index]));
  const place = (one: Whose) => order.get(JSON.stringify(whose(one))) ?? 0;
  const examples = firstOfEach(answers).sort((a, b) => place(a) - place(b));
  return [
    ...table('Outcomes of the answers, before any repair', outcomeColumns, planners),
    ...table('Violations, in % of the answers, root causes first', violationColumns, violations),
    ...table('What could be read, and claimed makespans beside the true ones', readColumns, read),
    ...table(
      'Requests, and attempts that failed',
      requestColumns,
      planners.filter(({ requests }) => requests !== null),
    ),
    ...table('Errors', errorColumns, errors),
    ...table(
      `Answers to look at, one of each kind of ${counted(answers.length, 'failed answer')}`,
      answerColumns,
      examples,
    ),
  ];
}

/** The failed answers as CSV, one row each. */
export function failedAnswersCsv({ answers }: FailureReport): string {
  return renderTable(answerColumns, answers, 'csv');
}

/** The first answer with each outcome of each planner. */
function firstOfEach(answers: readonly FailedAnswer[]): FailedAnswer[] {
  const seen = new Set<string>();
  return answers.filter(({ planner, variant, topology, outcome }) => {
    const key = JSON.stringify([planner, variant, topology, outcome]);
    return !seen.has(key) && seen.add(key);
  });
}

function percentOf(part: number | null, whole: number): number | null {
  return part === null || whole === 0 ? null : (100 * part) / whole;
}

/** Counts in words, the largest first: `machine_overlap 3, wrong_duration 1`. */
function listCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
