// Schedules that a campaign keeps: a folder as `alas-jssp run --save-schedules` writes it (records.jsonl and
// schedules/), which any judge of runs can read, and beside it certificates/, which `alas-jssp verify` checks.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '@alas-jssp/core';
import { packageVersion } from '@alas-jssp/workflow';
import {
  createSchedule,
  findBenchmark,
  type InstanceSource,
  type Plan,
  parsePlan,
  type Schedule,
  writePlanJson,
} from 'alas-jssp/jssp';
import {
  type Certificate,
  createCertificate,
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
  upper_bound: number;
  bounds_as_of: string;
  sha256: string;
}

/**
 * Keeps a schedule of a benchmark in place of a worse one. Its certificate has the start times, the checksum of
 * the instance, and the bounds of the literature with the month they were taken.
 *
 * @param found how it was found: seed, threads, seconds, commit and the like
 * @returns whether it is better than the one that was kept
 * @throws AlasError `not_valid` if the validator refuses it, or it contradicts the lower bound
 */
export function keepSchedule(folder: string, schedule: Schedule, found: object): boolean {
  const source = benchmark(schedule.instance.name);
  const { name, bounds } = source;
  const all = keptRecords(folder);
  const before = all.find(({ instance }) => instance === name);
  if (before !== undefined && before.makespan <= schedule.makespan) return false;
  const literature = `literature, ${bounds.asOf}`;
  const certificate = createCertificate(schedule, {
    lowerBound: { value: bounds.lower, source: literature },
    upperBound: { value: bounds.upper, source: literature },
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
    upper_bound: bounds.upper,
    bounds_as_of: bounds.asOf,
    sha256: certificate.instance.sha256,
    ...found,
  };
  for (const part of ['schedules', 'certificates'])
    mkdirSync(join(folder, part), { recursive: true });
  replaceFile(planFile(folder, name), writePlanJson(schedule, { instance: name }));
  replaceFile(certificateFile(folder, name), `${JSON.stringify(certificate)}\n`);
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
  if (!existsSync(file)) return undefined;
  const { starts } = JSON.parse(readFileSync(file, 'utf8'));
  return createSchedule(source.load(), Int32Array.from(starts));
}

/** The records of a folder, one a benchmark. */
export function keptRecords(folder: string) {
  return readRows<KeptRecord>(join(folder, 'records.jsonl'));
}

/**
 * The faults of a folder, one line each: schedules that the validator refuses, certificates that do not hold or
 * are of another instance, numbers that differ between record, plan and certificate, files without a record, and,
 * where all are to be `below` the literature's upper bound, those that are not.
 */
export function keptProblems(folder: string, { below }: { below: boolean }) {
  const records = keptRecords(folder);
  const known = new Set(
    records.flatMap(({ instance }) => [planName(instance), `${instance}.json`]),
  );
  const strays = ['schedules', 'certificates'].flatMap((part) => filesOf(join(folder, part)));
  return [
    ...strays.filter((file) => !known.has(file)).map((file) => `${file}: no record names it`),
    ...records.flatMap((record) =>
      problemsOf(folder, record, below).map((problem) => `${record.instance}: ${problem}`),
    ),
  ];
}

function problemsOf(folder: string, record: KeptRecord, below: boolean) {
  const source = benchmark(record.instance);
  const { name, bounds } = source;
  const instance = source.load();
  let certificate: Certificate;
  let plan: Plan;
  try {
    certificate = JSON.parse(readFileSync(certificateFile(folder, name), 'utf8'));
    ({ plan } = parsePlan(readFileSync(planFile(folder, name)), undefined, instance));
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  const literature = `literature, ${bounds.asOf}`;
  const problems = verifyCertificate(certificate, instance, {
    lowerBound: { value: bounds.lower, source: literature },
    upperBound: { value: bounds.upper, source: literature },
  }).problems.slice();
  const report = validate(instance, plan);
  if (!report.valid) problems.push(`the plan is not feasible: ${report.violations[0].message}`);
  const refuse = (isFalse: boolean, problem: string) => isFalse && problems.push(problem);
  const { makespan, sha256, upper_bound, bounds_as_of } = record;
  refuse(report.makespan !== makespan, `the plan ends at ${report.makespan}, not at ${makespan}`);
  refuse(
    certificate.makespan !== makespan,
    `the certificate is for ${certificate.makespan}, not for ${makespan}`,
  );
  refuse(sha256 !== source.sha256, 'the checksum is that of another instance');
  const bound = certificate.upper_bound;
  refuse(
    bound?.value !== upper_bound || bound?.source !== `literature, ${bounds_as_of}`,
    `the certificate does not name the bound of ${upper_bound} (literature, ${bounds_as_of})`,
  );
  refuse(
    below && !(makespan < upper_bound),
    `${makespan} is not below the bound of ${upper_bound}`,
  );
  return problems;
}

/** The benchmark of a name; a schedule of anything else is not kept. */
function benchmark(name: string): Benchmark {
  const source = findBenchmark(name);
  if (source === undefined || source.bounds === null) throw new Error(`${name} is no benchmark`);
  return source as Benchmark;
}

function planName(name: string) {
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
