import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { failuresOf } from '../../harness/evaluation/failures.js';
import type { NamedRun } from '../../harness/records/joined-runs.js';
import type { RunRecord } from '../../harness/records/record.js';
import { failedAnswersCsv, failureTables } from '../../report/failure-tables.js';
import { titled } from '../../report/paper-tables.js';
import { renderJson } from '../../report/table.js';
import type { OutputOptions } from '../common/options.js';
import { print, remark } from '../common/output.js';
import type { Session } from '../common/session.js';
import { tableStyle } from '../common/tables.js';

/** `alas-jssp report --failures`: prints why plans failed and where their answers are. */
export async function reportFailures(
  session: Session,
  runs: readonly NamedRun[],
  { format }: OutputOptions,
): Promise<void> {
  const report = failuresOf(runs.flatMap(placeAnswers));
  if (format === 'json') {
    return print(session, renderJson({ schema: 'alas-jssp/failures@1', ...report }));
  }
  const { stdout, stderr } = session.host;
  const [look, stream] = format === 'csv' ? (['table', stderr] as const) : [format, stdout];
  const tables = failureTables(report, look, tableStyle(stream))
    .map((table) => titled(table, look))
    .join('\n');
  if (format !== 'csv') return print(session, tables);
  await print(session, failedAnswersCsv(report));
  remark(session, `\n${tables}`);
}

/** The records of a run, with paths of answers relative to the working directory. */
function placeAnswers({ directory, records }: NamedRun): RunRecord[] {
  const place = statSync(directory).isFile() ? dirname(directory) : directory;
  return records.map((record) => {
    if (record.llm === null) return record;
    const answer_files = record.llm.answer_files.map((file) => {
      const near = join(place, file);
      return near.startsWith('..') ? resolve(near) : near;
    });
    return { ...record, llm: { ...record.llm, answer_files } };
  });
}
