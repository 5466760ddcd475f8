import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type NamedAlgorithm, namedAlgorithms } from '../../harness/paper/named-algorithms.js';
import type { NamedRun } from '../../harness/records/joined-runs.js';
import { columnsOf } from '../../report/columns.js';
import { clipped, counted, NOTHING, whole } from '../../report/format.js';
import type { OutputOptions } from '../common/options.js';
import { remark } from '../common/output.js';
import type { Session } from '../common/session.js';
import { printRows } from '../common/tables.js';

/** `alas-jssp report --algorithms`: prints the algorithms that models name, beside what their plans are worth. */
export async function reportAlgorithms(
  session: Session,
  runs: readonly NamedRun[],
  { format }: OutputOptions,
): Promise<void> {
  const found = runs.map(({ directory, records }) =>
    namedAlgorithms(statSync(directory).isFile() ? dirname(directory) : directory, records),
  );
  const rows = found.flatMap(({ named }) => named);
  const silent = found.reduce((sum, one) => sum + one.silent, 0);
  const document = { schema: 'alas-jssp/algorithms@1', algorithms: rows, silent };
  await printRows(session, format, columns, rows, document);
  if (silent > 0)
    remark(session, `${counted(silent, 'answer')} of single models name no algorithm`);
}

const column = columnsOf<NamedAlgorithm>();
const orNothing = (value: Parameters<typeof whole>[0]) => (value === null ? NOTHING : whole(value));

const columns = [
  column('planner', clipped(40), { align: 'left' }),
  column('instance'),
  column('replicate', whole, { minor: 1 }),
  column('algorithm'),
  column('params'),
  column('claimed_makespan', orNothing, { header: 'claimed' }),
  column('makespan', orNothing, { header: 'makespan if feasible' }),
  column('upper_bound', orNothing, { header: 'best known' }),
];
