import {
  type Column,
  columnsOf,
  type Format,
  fixed,
  printMore,
  printRows,
  renderTable,
  type Session,
  whole,
} from 'alas-jssp/command-line';
import {
  type LeaderboardRow,
  leaderboardOf,
  type RealmFaultRow,
  type RefusalRow,
} from '../realm/suites/leaderboard.js';
import type { RealmRecord } from '../realm/suites/realm-record.js';
import { meanColumnsOf } from './mean-columns.js';

/** Prints the leaderboard of records of suites: planners, refusals, broken rules. */
export async function printLeaderboard(
  session: Session,
  records: readonly RealmRecord[],
  format: Format,
): Promise<void> {
  const board = leaderboardOf(records);
  const { rows, refusals, violations } = board;
  await printRows(session, format, columns, rows, board);
  if (format === 'json') return;
  if (refusals.length > 0) {
    await printMore(session, format, (as, style) =>
      renderTable(refusalColumns, refusals, as, style),
    );
  }
  if (violations.length > 0) {
    await printMore(session, format, (as, style) =>
      renderTable(faultColumns, violations, as, style),
    );
  }
}

const row = columnsOf<LeaderboardRow>();
const meanColumns = meanColumnsOf<LeaderboardRow>();
const stated = {
  when: (rows: readonly { readonly completed: string }[]) =>
    rows.some(({ completed }) => completed !== ''),
};
const columns: Column<LeaderboardRow>[] = [
  row('suite'),
  row('completed', { ...stated, minor: 4 }),
  row('stage', { when: (rows) => rows.some(({ stage }) => stage !== 'plan') }),
  row('planner'),
  row('team', { when: (rows) => rows.some(({ team }) => team !== '') }),
  row('instances', whole, { minor: 3 }),
  row('refused', whole, { when: (rows) => rows.some(({ refused }) => refused > 0) }),
  row('distinct', {
    ...whole,
    when: (rows) => rows.some((one) => one.distinct !== one.instances - one.refused),
  }),
  row('plans', whole),
  row('impossible', whole, {
    header: 'no plan exists',
    when: (rows) => rows.some(({ impossible }) => impossible > 0),
  }),
  row('proven', whole, { header: 'optimum known', minor: 1 }),
  row('claimed', whole, { minor: 2 }),
  row('right_claims', whole, { header: 'right claims', minor: 2 }),
  row('valid', whole, { minor: 4 }),
  ...meanColumns('valid_share', '% valid', 0),
  row('optimal', whole),
  ...meanColumns('gap_percent', 'gap %', 1),
  row('repaired', whole),
  ...meanColumns('repaired_share', '% repaired', 0, { minor: 6 }),
  ...meanColumns('edit_radius', 'edit radius', 2, { minor: 5 }),
  ...meanColumns('gap_repaired_percent', 'gap % repaired', 1),
  row('tokens', whole, { minor: 2 }),
  row('cost_usd', fixed(4), { header: 'USD', minor: 3 }),
  row('seconds', fixed(2), { minor: 1 }),
];

const refusal = columnsOf<RefusalRow>();
const refusalColumns = [
  refusal('suite'),
  refusal('completed', stated),
  refusal('code', { header: 'refused because' }),
  refusal('instances', whole),
  refusal('example'),
];

const fault = columnsOf<RealmFaultRow>();
const faultColumns = [
  fault('suite'),
  fault('planner'),
  fault('code', { header: 'broken rule' }),
  fault('plans', whole),
  fault('violations', whole),
];
