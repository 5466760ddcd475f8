import { sha256 } from '@alas-jssp/core/sha256';
import { benchmarkByChecksum, boundsFor, findBenchmark } from '../../jssp/suites.js';
import { verifyCertificate } from '../../validator/index.js';
import { SCHEDULES } from '../run/file-names.js';
import { expectedCells, type Manifest } from '../run/manifest.js';
import { RECORDS } from '../run/stored-run.js';
import { groupBy } from '../statistics/descriptive.js';
import { CERTIFICATES, checkChecksums } from './checksums.js';
import type { LeaderboardEntry, LeaderboardResult } from './entry.js';
import { createFaultList, type FaultList, type SubmissionFault } from './faults.js';
import { judgeRecord, scheduleFile, withBounds } from './judge-record.js';
import { parseSubmittedJson } from './parse-submitted.js';
import { openSubmission, type SubmissionFolder } from './submission-folder.js';
import { submittedInstances } from './submitted-instances.js';
import {
  plannersOfRun,
  readSubmittedManifest,
  readSubmittedRecords,
  type SubmittedRecord,
} from './submitted-run.js';

/** Facts about a submission that its folder does not hold. */
export interface SubmissionOptions {
  readonly by?: string | undefined;
  readonly links?: readonly string[] | undefined;
  /** Accepts records without schedules, which are then not judged; default false. */
  readonly withoutSchedules?: boolean | undefined;
}

/** The verdict on a submission. */
export interface SubmissionCheck {
  /** The first faults; none if it holds. */
  readonly faults: readonly SubmissionFault[];
  /** Number of all faults. */
  readonly total: number;
  /** Null if it does not hold. */
  readonly entry: LeaderboardEntry | null;
}

/**
 * Checks a submission to the leaderboard, a folder that `alas-jssp run --save-schedules` wrote: the validator judges
 * every schedule again, and no record may claim more than its schedule and the known bounds show.
 *
 * @throws InputError `no_submission` if it is not a directory
 */
export function checkSubmission(
  directory: string,
  options: SubmissionOptions = {},
): SubmissionCheck {
  const { withoutSchedules = false } = options;
  const folder = openSubmission(directory);
  const faults = createFaultList();
  checkChecksums(folder, faults, !withoutSchedules);
  const manifest = readSubmittedManifest(folder, faults);
  let entry: LeaderboardEntry | null = null;
  if (manifest !== undefined) {
    const records = readSubmittedRecords(folder, manifest, faults);
    const results = judge(folder, manifest, records, !withoutSchedules, faults);
    if (faults.total() === 0) entry = createEntry(folder, manifest, results, options);
  }
  return { faults: faults.listed(), total: faults.total(), entry };
}

function judge(
  folder: SubmissionFolder,
  manifest: Manifest,
  records: readonly SubmittedRecord[],
  saved: boolean,
  faults: FaultList,
): LeaderboardResult[] {
  const sources = submittedInstances(manifest, faults);
  const results: LeaderboardResult[] = [];
  const run = { spec: manifest.spec, saved };
  for (const [name, some] of groupBy(records, ({ record }) => record.instance)) {
    const source = sources.get(name);
    if (source === undefined) continue;
    const problem = withBounds({ ...source.load(), name }, source.sha256 ?? '');
    for (const one of some) results.push(judgeRecord(folder, one, problem, run, faults));
  }
  if (saved) {
    const files = new Set([...expectedCells(manifest)].map((cell) => scheduleFile(folder, cell)));
    const there = faults.attempt(SCHEDULES, null, () => folder.list(SCHEDULES)) ?? [];
    for (const file of there.map((one) => `${SCHEDULES}/${one}`)) {
      if (!files.has(file)) faults.add(file, null, 'there is no record of this schedule');
    }
  }
  const certificates = faults.attempt(CERTIFICATES, null, () => folder.list(CERTIFICATES)) ?? [];
  for (const file of certificates) checkCertificate(folder, `${CERTIFICATES}/${file}`, faults);
  return results;
}

/** Checks a certificate, which is optional, against the benchmark that it names. */
function checkCertificate(folder: SubmissionFolder, file: string, faults: FaultList): void {
  faults.attempt(file, null, () => {
    const certificate = parseSubmittedJson(folder.read(file) ?? new Uint8Array());
    const { instance } = (certificate ?? {}) as { instance?: { name?: unknown; sha256?: unknown } };
    const source =
      benchmarkByChecksum(String(instance?.sha256)) ?? findBenchmark(String(instance?.name));
    if (source === undefined) {
      faults.add(file, null, 'it is of no benchmark of the package');
      return;
    }
    const loaded = source.load();
    const known = boundsFor(loaded);
    const bound = (value: number) => ({ value, source: `literature, ${known?.asOf}` });
    const bounds =
      known === null ? {} : { lowerBound: bound(known.lower), upperBound: bound(known.upper) };
    const { problems } = verifyCertificate(certificate, loaded, bounds);
    for (const problem of problems) faults.add(file, null, problem);
  });
}

function createEntry(
  folder: SubmissionFolder,
  manifest: Manifest,
  results: readonly LeaderboardResult[],
  { by, links, withoutSchedules = false }: SubmissionOptions,
): LeaderboardEntry {
  const { spec, version, commit, command, machine, outcome } = manifest;
  const costs = results.map(({ cost_usd }) => cost_usd);
  return {
    schema: 'alas-jssp/leaderboard-entry@1',
    planners: plannersOfRun(manifest),
    by: by ?? null,
    links: [...(links ?? [])],
    version,
    commit,
    command,
    date: outcome.finished ?? outcome.started,
    machine,
    threads: spec.limits.threads,
    time_limit_seconds: spec.limits.seconds,
    suite: spec.suite,
    replicates: spec.replicates,
    seed: spec.seed,
    repair: spec.repair,
    optimize: spec.optimize,
    schedules: withoutSchedules ? 'none' : 'judged',
    records_sha256: sha256(folder.read(RECORDS) ?? ''),
    tokens: {
      input: results.reduce((total, { tokens }) => total + tokens.input, 0),
      output: results.reduce((total, { tokens }) => total + tokens.output, 0),
      estimated: results.some(({ tokens }) => tokens.estimated),
    },
    cost_usd: costs.includes(null)
      ? null
      : costs.reduce<number>((total, cost) => total + (cost ?? 0), 0),
    results: [...results],
  };
}
