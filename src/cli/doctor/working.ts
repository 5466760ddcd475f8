// What works: each check does the real thing once, on something small.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { monotonicSeconds, systemClock } from '@alas-jssp/core/clock';
import { openSqliteStore } from '@alas-jssp/workflow';
import { resolveSource, resolveSources } from '../../jssp/suites.js';
import { optimize } from '../../search/optimize.js';
import { validate } from '../../validator/index.js';
import { broken, type Check, fine } from './check.js';

/** Suites whose instances are read one each: all of them would take a second. */
const SAMPLED_SUITES = ['mk', 'dpp', 'kacem', 'fattahi', 'behnke', 'hurink-vdata', 'tai-100x100'];

/** Reads benchmarks, which compares their checksums with the table. */
export function checkBenchmarks(isThorough: boolean): Check {
  const sources = [
    ...resolveSources('all'),
    ...(isThorough
      ? resolveSources('flexible,tai-100x100')
      : SAMPLED_SUITES.map((suite) => resolveSources(suite)[0])),
  ];
  for (const source of sources) source.load();
  const rest = isThorough ? '' : '; --thorough reads all';
  return fine('benchmarks', `${sources.length} read, checksums match${rest}`);
}

/** Searches a small shop in WebAssembly, and judges the schedule. */
export async function checkKernel(name: string, instanceName: string): Promise<Check> {
  const instance = resolveSource(instanceName).load();
  const begin = monotonicSeconds();
  const { schedule } = await optimize(instance, { budget: { iterations: 200 } });
  if (!validate(instance, schedule).valid) {
    return broken(name, `its schedule of ${instanceName} is infeasible`, REINSTALL);
  }
  const milliseconds = Math.round(1000 * (monotonicSeconds() - begin));
  return fine(name, `${instanceName} in ${milliseconds} ms`);
}

/** Searches a small shop in two threads. */
export async function checkThreads(): Promise<Check> {
  const instance = resolveSource('ft06').load();
  const { stats } = await optimize(instance, { budget: { iterations: 100 }, threads: 2 });
  if (stats.lost.length > 0) {
    return broken('threads', `${stats.lost.length} of 2 died: ${stats.lost[0]}`, REINSTALL);
  }
  return fine('threads', `${availableParallelism()} available, 2 started`);
}

/** Writes a log with SQLite, and reads it again. */
export function checkLog(): Check {
  let folder: string;
  try {
    folder = mkdtempSync(join(tmpdir(), 'alas-jssp-doctor-'));
  } catch (error) {
    const hint = 'set TMPDIR to a folder that can be written';
    return broken('log', (error as Error).message, hint);
  }
  try {
    const file = join(folder, 'doctor.db');
    openSqliteStore(file).close();
    const log = openSqliteStore(file, { mode: 'read' });
    const runs = log.runs().length;
    log.close();
    return runs === 0
      ? fine('log', 'SQLite wrote a file and read it')
      : broken('log', `a new log has ${runs} runs`, REINSTALL);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes a file where `run --out DIR` would write: into the folder, or into the nearest one that exists. */
export function checkOutput(directory: string): Check {
  let folder = resolve(directory);
  while (statSync(folder, { throwIfNoEntry: false }) === undefined && dirname(folder) !== folder)
    folder = dirname(folder);
  const own = mkdtempSync(join(folder, '.alas-jssp-doctor-'));
  try {
    writeFileSync(join(own, 'file'), 'written\n');
    return fine('output folder', `${folder} is writable`);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** A time before which this version did not exist: a clock that shows less is wrong. */
const RELEASED = Date.parse('2026-11-01T00:00:00Z');

/** The clocks by which logs are dated, and budgets measured. */
export function checkClock(now = systemClock.now()): Check {
  const shown = `${new Date(now).toISOString().slice(0, 19)}Z`;
  return now < RELEASED
    ? broken('clock', `${shown}, before this version existed`, 'set the clock of this machine')
    : fine('clock', shown);
}

/** The hint where a part of this package does not work. */
export const REINSTALL = 'install alas-jssp again: npm install alas-jssp';
