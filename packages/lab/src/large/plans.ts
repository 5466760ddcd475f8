// Kept schedules as run folders (records.jsonl and schedules/), as `alas-jssp run --save-schedules` writes them. Plans of a
// hundred thousand operations are too large to be kept themselves.
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { replaceFile } from '@alas-jssp/core';
import { writePlanJson } from 'alas-jssp/jssp';
import { keptRecords, keptSchedule, planName } from '../campaign/kept-schedules.js';
import type { Benchmark } from '../search/benchmark.js';

/**
 * Writes the kept schedules of the sources into a folder of the same name in the target.
 *
 * @returns their number
 */
export function writePlans(folder: string, target: string, sources: readonly Benchmark[]): number {
  const home = join(target, basename(folder));
  const records = keptRecords(folder).filter(({ instance: name }) => {
    const source = sources.find((each) => each.name === name);
    const schedule = source && keptSchedule(folder, source);
    if (schedule === undefined) return false;
    mkdirSync(join(home, 'schedules'), { recursive: true });
    const plan = gzipSync(writePlanJson(schedule, { instance: name }));
    replaceFile(join(home, 'schedules', `${planName(name)}.gz`), plan);
    return true;
  });
  if (records.length === 0) return 0;
  replaceFile(
    join(home, 'records.jsonl'),
    records.map((each) => `${JSON.stringify(each)}\n`).join(''),
  );
  return records.length;
}
