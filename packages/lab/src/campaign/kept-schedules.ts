// Schedules that a campaign keeps: a folder as `alas-jssp run --save-schedules` writes it (records.jsonl and
// schedules/), which any judge of runs can read, and beside it certificates/, which `alas-jssp verify` checks.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readBytes, replaceFile } from '@alas-jssp/core';
import { packageVersion } from '@alas-jssp/workflow';
import {
  type Bounds,
  createSchedule,
  findBenchmark,
  type Instance,
  type InstanceSource,
  instanceChecksum,
  parsePlan,
  type Schedule,
  writePlanJson,
} from 'alas-jssp/jssp';
import {
  type Certificate,
  createCertificate,
  type KnownBounds,
  validate,
  verifyCertificate,
} from 'alas-jssp/validator';
import type { Benchmark } from '../search/benchmark.js';
import { readRows } from '../search/rows.js';

const VARIANT = 'campaign';

/** What a folder says of a schedule that it keeps. */
interface KeptRecord {
  instance: string;
  makespan: number;
  /** Null for an instance that the literature does not know. */
  upper_bound: number | null;
  bounds_as_of: string;
  sha256: string;
}

/** What is written of a schedule. Large ones have no plan beside the certificate, which is compressed. */
type KeptForm = 'plan and certificate' | 'compressed certificate';

/**
 * Keeps a schedule of a benchmark in place of a worse one. Its certificate has the start times, the checksum of
 * the instance, and the bounds of the literature with the month they were taken.
 *
 * @param found how it was found: seed, threads, seconds, commit and the like
 * @returns whether it is better than the one that was kept
 * @throws AlasError `not_valid` if the validator refuses it, or it contradicts the lower bound
 */
export function keepSchedule(
  folder: string,
  schedule: Schedule,
  found: object,
  source = benchmark(schedule.instance.name),
  form: KeptForm = 'plan and certificate',
): boolean {
  const { name, bounds } = source;
  const all = keptRecords(folder);
  const before = all.find(({ instance }) => instance === name);
  if (before !== undefined && before.makespan <= schedule.makespan) return false;
  const certificate = createCertificate(schedule, {
    ...literatureOf(bounds),
    createdWith: { package: 'alas-jssp', version: packageVersion(), node: process.version },
  });
  const record: KeptRecord & Record<string, unknown> = {
    schema: 'alas-jssp/kept-schedule@1',
    instance: name,
    suite: source.suite,
    planner: 'search',
    variant: VARIANT,
    replicate: 0,
    feasible: true,
    makespan: schedule.makespan,
    lower_bound: bounds.lower,
    upper_bound: Number.isNaN(bounds.upper) ? null : bounds.upper,
    bounds_as_of: bounds.asOf,
    sha256: certificate.instance.sha256,
    ...found,
  };
  const text = `${JSON.stringify(certificate)}\n`;
  mkdirSync(join(folder, 'certificates'), { recursive: true });
  if (form === 'compressed certificate') {
    replaceFile(`${certificateFile(folder, name)}.gz`, gzipSync(text, { level: 9 }));
  } else {
    mkdirSync(join(folder, 'schedules'), { recursive: true });
    replaceFile(planFile(folder, name), writePlanJson(schedule, { instance: name }));
    replaceFile(certificateFile(folder, name), text);
  }
  const others = all.filter(({ instance }) => instance !== name);
  const records = [...others, record].sort((a, b) => (a.instance < b.instance ? -1 : 1));
  replaceFile(
    join(folder, 'records.jsonl'),
    records.map((each) => `${JSON.stringify(each)}\n`).join(''),
  );
  return true;
}

/** The schedule that is kept of a benchmark; undefined if there is none. */
export function keptSchedule(folder: string, source: InstanceSource) {
  const file = certificateFile(folder, source.name);
  if (!existsSync(file) && !existsSync(`${file}.gz`)) return undefined;
  const { starts } = keptCertificate(folder, source.name);
  return createSchedule(source.load(), Int32Array.from(starts));
}

/** The certificate that is kept of a benchmark, compressed or not. */
function keptCertificate(folder: string, name: string): Certificate {
  const plain = certificateFile(folder, name);
  const file = existsSync(`${plain}.gz`) ? `${plain}.gz` : plain;
  return JSON.parse(Buffer.from(readBytes(file)).toString('utf8'));
}

/** The bounds of the literature as certificates name them; none for instances that it does not know. */
function literatureOf({ lower, upper, asOf }: Bounds): KnownBounds {
  const source = `literature, ${asOf}`;
  if (Number.isNaN(upper)) return {};
  return { lowerBound: { value: lower, source }, upperBound: { value: upper, source } };
}

/** The records of a folder, one a benchmark. */
export function keptRecords(folder: string) {
  return readRows<KeptRecord>(join(folder, 'records.jsonl'));
}

/**
 * The faults of a folder, one line each: schedules that the validator refuses, certificates that do not hold or
 * are of another instance, numbers that differ between record, plan and certificate, files without a record, and,
 * where all are to be `below` the literature's upper bound, those that are not. Records without a source are passed over.
 */
export function keptProblems(
  folder: string,
  {
    below,
    sourceOf = benchmark,
  }: { below: boolean; sourceOf?: (name: string) => Benchmark | undefined },
) {
  const records = keptRecords(folder);
  const known = new Set(
    records.flatMap(({ instance }) => [
      planName(instance),
      `${instance}.json`,
      `${instance}.json.gz`,
    ]),
  );
  const strays = ['schedules', 'certificates'].flatMap((part) => filesOf(join(folder, part)));
  return [
    ...strays.filter((file) => !known.has(file)).map((file) => `${file}: no record names it`),
    ...records.flatMap((record) => {
      const source = sourceOf(record.instance);
      const problems = source === undefined ? [] : problemsOf(folder, record, source, below);
      return problems.map((problem) => `${record.instance}: ${problem}`);
    }),
  ];
}

function problemsOf(folder: string, record: KeptRecord, source: Benchmark, below: boolean) {
  const { name, bounds } = source;
  const instance = source.load();
  const problems: string[] = [];
  const refuse = (isFalse: boolean, problem: string) => isFalse && problems.push(problem);
  const { makespan, sha256, upper_bound, bounds_as_of } = record;
  let certificate: Certificate;
  try {
    certificate = keptCertificate(folder, name);
    problems.push(...planProblems(folder, record, instance));
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  problems.push(...verifyCertificate(certificate, instance, literatureOf(bounds)).problems);
  refuse(
    certificate.makespan !== makespan,
    `the certificate is for ${certificate.makespan}, not for ${makespan}`,
  );
  refuse(sha256 !== instanceChecksum(instance), 'the checksum is that of another instance');
  const bound = certificate.upper_bound;
  const literature = upper_bound === null ? undefined : `literature, ${bounds_as_of}`;
  refuse(
    (bound?.value ?? null) !== upper_bound || bound?.source !== literature,
    `the certificate does not name the bound of ${upper_bound} (literature, ${bounds_as_of})`,
  );
  refuse(
    below && !(upper_bound !== null && makespan < upper_bound),
    `${makespan} is not below the bound of ${upper_bound}`,
  );
  return problems;
}

/** What is wrong with a plan; a compressed certificate has none beside it. */
function planProblems(
  folder: string,
  { instance: name, makespan }: KeptRecord,
  instance: Instance,
) {
  const file = planFile(folder, name);
  if (!existsSync(file) && existsSync(`${certificateFile(folder, name)}.gz`)) return [];
  const report = validate(instance, parsePlan(readFileSync(file), undefined, instance).plan);
  if (!report.valid) return [`the plan is not feasible: ${report.violations[0].message}`];
  if (report.makespan === makespan) return [];
  return [`the plan ends at ${report.makespan}, not at ${makespan}`];
}

/** The benchmark of a name; a schedule of anything else is not kept. */
function benchmark(name: string): Benchmark {
  const source = findBenchmark(name);
  if (source === undefined || source.bounds === null) throw new Error(`${name} is no benchmark`);
  return source as Benchmark;
}

/** The file of a plan, as runs call it. */
export function planName(name: string) {
  return `${name}__search__${VARIANT}__0.json`;
}

function planFile(folder: string, name: string) {
  return join(folder, 'schedules', planName(name));
}

function certificateFile(folder: string, name: string) {
  return join(folder, 'certificates', `${name}.json`);
}

function filesOf(folder: string) {
  return existsSync(folder) ? readdirSync(folder) : [];
}
