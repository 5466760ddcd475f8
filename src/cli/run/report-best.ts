import { join } from 'node:path';
import { type BestSchedule, bestSchedules } from '../../harness/evaluation/best-schedules.js';
import type { NamedRun } from '../../harness/records/joined-runs.js';
import { fileNamePart } from '../../harness/run/file-names.js';
import { ensureDirectory } from '../../harness/run/run-directory.js';
import { writeInstanceJson } from '../../jssp/formats/instance-json.js';
import { writePlanJson } from '../../jssp/formats/plan-json.js';
import { benchmarkByChecksum } from '../../jssp/suites.js';
import { columnsOf } from '../../report/columns.js';
import { counted, whole } from '../../report/format.js';
import type { Format } from '../../report/table.js';
import { verifyCertificate } from '../../validator/index.js';
import { writeOutput } from '../common/files.js';
import { certify, knownBounds } from '../common/known-bounds.js';
import { printError, remark } from '../common/output.js';
import { exitCode, type Session } from '../common/session.js';
import { printRows } from '../common/tables.js';

/** A written schedule with the claims of its certificate. */
interface WrittenBest {
  readonly instance: string;
  readonly objective: string;
  readonly value: number;
  /** Lower bound of the makespan; null under another objective. */
  readonly lower_bound: number | null;
  readonly upper_bound: number | null;
  /** How optimality is proven: `recomputed`, `source` or `none`. */
  readonly optimality: string;
  readonly planner: string;
  readonly variant: string;
  readonly replicate: number;
  readonly plan: string;
  readonly certificate: string;
  /** File of the instance, for verifying the certificate; null for a benchmark. */
  readonly instance_file: string | null;
}

const column = columnsOf<WrittenBest>();

const columns = [
  column('instance'),
  column('objective', { when: (rows) => rows.some(({ objective }) => objective !== 'makespan') }),
  column('value', whole),
  column('lower_bound', whole, { header: 'lower', minor: 3 }),
  column('upper_bound', whole, { header: 'upper', minor: 2 }),
  column('optimality', (how) => (how === 'none' ? '' : `optimal (${how})`), { align: 'left' }),
  column('planner'),
  ...column.hidden('variant', 'replicate', 'plan', 'instance_file'),
  column('certificate', { minor: 1 }),
];

/**
 * `alas-jssp report --best`: writes the best saved schedule of each instance, with a checked certificate.
 *
 * @returns the exit code: 1 if there is no schedule, or one that contradicts its record
 */
export async function writeBest(
  session: Session,
  runs: readonly NamedRun[],
  directory: string,
  format: Format,
): Promise<number> {
  ensureDirectory(directory, 'the best schedules need');
  const { schedules, missing, refused } = bestSchedules(runs);
  const written = schedules.map((one) => write(directory, one));
  await printRows(session, format, columns, written, {
    schema: 'alas-jssp/best@1',
    best: written,
    missing,
    refused,
  });
  const lesser = schedules.filter(({ value, best }) => value > best).length;
  if (lesser > 0) {
    remark(session, `${counted(lesser, 'schedule')} with better ones that were not saved`);
  }
  if (missing.length > 0) {
    remark(session, `${counted(missing.length, 'schedule')} not saved: run with --save-schedules`);
  }
  for (const line of refused) printError(session, line);
  remark(session, `${counted(written.length, 'schedule')} in ${directory}`);
  return written.length === 0 || refused.length > 0 ? exitCode.no : exitCode.done;
}

function write(directory: string, { record, value, schedule }: BestSchedule): WrittenBest {
  const { instance } = schedule;
  const known = knownBounds(instance);
  const certificate = certify(schedule, known);
  const { optimality } = verifyCertificate(certificate, instance, known);
  const { objective } = record;
  const parts = objective === 'makespan' ? [record.instance] : [record.instance, objective];
  const name = join(directory, parts.map(fileNamePart).join('__'));
  const files = { plan: `${name}.plan.json`, certificate: `${name}.certificate.json` };
  writeOutput(files.plan, writePlanJson(schedule, { instance: record.instance }));
  writeOutput(files.certificate, `${JSON.stringify(certificate)}\n`);
  const isBenchmark = benchmarkByChecksum(certificate.instance.sha256) !== undefined;
  const instance_file = isBenchmark ? null : `${name}.instance.json`;
  if (instance_file !== null) writeOutput(instance_file, writeInstanceJson(instance));
  const isMakespan = objective === 'makespan';
  const { planner, variant, replicate } = record;
  return {
    instance: record.instance,
    objective,
    value,
    lower_bound: isMakespan ? (certificate.lower_bound?.value ?? null) : null,
    upper_bound: isMakespan ? (certificate.upper_bound?.value ?? null) : null,
    optimality: isMakespan ? optimality : 'none',
    planner,
    variant,
    replicate,
    ...files,
    instance_file,
  };
}
