import { basename } from 'node:path';
import { errorLine } from '@alas-jssp/core/errors';
import { packageVersion } from '@alas-jssp/core/package-version';
import { type ListedRun, listRuns, openLog } from '@alas-jssp/workflow';
import { attribution } from '../../../harness/attribution/attribution.js';
import { evaluate } from '../../../harness/evaluation/evaluate.js';
import { failuresOf } from '../../../harness/evaluation/failures.js';
import { joinRuns, type NamedRun } from '../../../harness/records/joined-runs.js';
import type { RunRecord } from '../../../harness/records/record.js';
import { summarize } from '../../../harness/records/summary.js';
import { savedFiles } from '../../../harness/run/file-names.js';
import { expectedCells } from '../../../harness/run/manifest.js';
import { openRunSource } from '../../../harness/run/run-source.js';
import { sum } from '../../../harness/statistics/descriptive.js';
import { attributionFindings } from '../../attribution-tables.js';
import { collectExecution, collectShop } from './collect-execution.js';
import { collectLog } from './collect-log.js';
import { collectRecord } from './collect-record.js';
import { createAnswerReader } from './conversation-view.js';
import type {
  DetailLink,
  PageContents,
  PageData,
  PageDetail,
  RecordRow,
  RunView,
} from './page-data.js';

/** Sources of a page of results. */
export interface PageSources {
  readonly runs: readonly NamedRun[];
  /** Log files besides those that the manifests of the runs name. */
  readonly logs: readonly string[];
}

/** A record, its run, and the key of its detail. */
interface KeyedRecord {
  readonly key: string;
  readonly record: RunRecord;
  readonly run: NamedRun;
}

/** A run of a log, and the key of its detail. */
interface KeyedLog {
  readonly key: string;
  readonly file: string;
  readonly run: ListedRun;
}

/**
 * Collects a page of runs and logs: its data at once, each detail on demand. A file that cannot be read adds a line to
 * `problems` of the page or of its detail.
 *
 * @throws InputError as {@link joinRuns} if the runs are incompatible
 */
export function collectRuns({ runs, logs }: PageSources): PageContents {
  const joined = runs.length === 0 ? null : joinRuns(runs);
  const records = keyRecords(runs);
  const problems: string[] = [];
  const named = runs.flatMap(({ manifest }) => manifest.spec.log ?? []);
  const logged = keyLogs([...new Set([...named, ...logs])], problems);
  // Shops in the logs of runs are the executions of their records.
  const shops = logged.filter(({ file, run }) => run.workflow === 'shop' && !named.includes(file));
  const data = {
    schema: 'alas-jssp/page@1' as const,
    title: titleOf(runs, logs),
    version: packageVersion(),
    home: runs.length > 0 ? '#/' : logged.length === 1 ? `#/log/${logged[0].key}` : '#/log',
    runs: runs.map(viewRun),
    records: records.map(viewRecord),
    summary: joined && summarize(joined.records, joined.planned, joined.interrupted),
    evaluation: joined && evaluate(joined.records),
    attribution: joined && viewAttribution(joined.records),
    failures: joined && failuresOf(joined.records),
    executions: [
      ...records.filter(({ record }) => record.disruption !== null).map(linkExecution),
      ...shops.map(linkLog),
    ],
    logs: logged.map(linkLog),
    problems,
  };
  return { data, details: collectDetails(runs, records, logged, shops) };
}

/** The attribution of records in figures and in words. */
function viewAttribution(records: readonly RunRecord[]): PageData['attribution'] {
  const report = attribution(records);
  return report && { ...report, findings: attributionFindings(report) };
}

/** The runs that a title names, unless there is only one more. */
const MOST_NAMED = 5;

function titleOf(runs: readonly NamedRun[], logs: readonly string[]): string {
  const names = [...runs.map(({ directory }) => directory), ...logs].map((path) => basename(path));
  const more = names.length - MOST_NAMED;
  const shown = more > 1 ? [...names.slice(0, MOST_NAMED), `and ${more} more`] : names;
  return `${runs.length > 0 ? 'Results of' : 'Log'} ${shown.join(', ')}`;
}

/** Keys are the names of saved files; equal names of different runs get a number appended. */
function keyRecords(runs: readonly NamedRun[]): KeyedRecord[] {
  const keys = uniqueKeys();
  return runs.flatMap((run) =>
    run.records.map((record) => {
      const name = basename(savedFiles('', record).schedule, '.json');
      return { key: keys(name), record, run };
    }),
  );
}

/** Makes unique keys of names. */
function uniqueKeys(): (name: string) => string {
  const seen = new Set<string>();
  return (name) => {
    const plain = name.replaceAll(/[^A-Za-z0-9._-]+/g, '-');
    let key = plain;
    for (let count = 2; seen.has(key); count++) key = `${plain}-${count}`;
    seen.add(key);
    return key;
  };
}

function keyLogs(files: readonly string[], problems: string[]): KeyedLog[] {
  const keys = uniqueKeys();
  return files.flatMap((file) => {
    try {
      const log = openLog(file);
      try {
        return listRuns(log).map((run) => ({ key: keys(run.runId), file, run }));
      } finally {
        log.close();
      }
    } catch (error) {
      problems.push(`the log is left out: ${errorLine(error)}`);
      return [];
    }
  });
}

function viewRun({ directory, manifest, records }: NamedRun): RunView {
  const { command, version, outcome, machine } = manifest;
  return {
    directory,
    command,
    version,
    started: outcome.started,
    finished: outcome.finished,
    planned: [...expectedCells(manifest)].length,
    records: records.length,
    machine: `${machine.os}, ${machine.cpus} × ${machine.model}, Node ${machine.node}`,
  };
}

function viewRecord({ key, record }: KeyedRecord): RecordRow {
  const { instance, suite, jobs, machines, planner, variant, method, replicate, status } = record;
  const { makespan, gap_percent, lower_bound, upper_bound, proven_optimal, cost_usd } = record;
  return {
    key,
    instance,
    suite,
    jobs,
    machines,
    planner,
    variant,
    method,
    replicate,
    status,
    makespan,
    gap_percent,
    lower_bound,
    upper_bound,
    proven_optimal,
    cost_usd,
    error: record.error,
    synthetic: record.synthetic,
    violations: record.violations && sum(Object.values(record.violations)),
    seconds: record.seconds.total,
  };
}

function linkExecution({ key, record }: KeyedRecord): DetailLink {
  const { instance, planner, variant, method, replicate, disruption } = record;
  const steps = disruption?.steps ?? [];
  const title = [instance, planner, variant, method, `replicate ${replicate}`].join(' · ');
  return { key, title, about: `${steps.length} repairs` };
}

function linkLog({ key, file, run }: KeyedLog): DetailLink {
  const about = `${run.workflow ?? 'no workflow'}, ${run.status}, ${run.entries} entries, in ${file}`;
  return { key, title: run.runId, about };
}

function* collectDetails(
  runs: readonly NamedRun[],
  records: readonly KeyedRecord[],
  logs: readonly KeyedLog[],
  shops: readonly KeyedLog[],
): Generator<PageDetail> {
  const sources = new Map(
    runs.map((run) => {
      const source = openRunSource(run.directory, run.manifest);
      return [run, { source, answers: createAnswerReader(run.directory) }] as const;
    }),
  );
  for (const { key, record, run } of records) {
    const opened = sources.get(run);
    if (opened === undefined) continue;
    const { source, answers } = opened;
    yield { kind: 'record', key, detail: collectRecord(record, source, answers) };
    const execution = collectExecution(record, source);
    if (execution !== null) yield { kind: 'execution', key, detail: execution };
  }
  for (const { key, file, run } of shops) {
    yield { kind: 'execution', key, detail: collectShop(file, run.runId) };
  }
  for (const { key, file, run } of logs)
    yield { kind: 'log', key, detail: readLogDetail(file, run) };
}

function readLogDetail(file: string, run: ListedRun) {
  try {
    const log = openLog(file);
    try {
      return collectLog(file, run, log.read({ runId: run.runId }));
    } finally {
      log.close();
    }
  } catch (error) {
    return { ...collectLog(file, run, []), problems: [errorLine(error)] };
  }
}
