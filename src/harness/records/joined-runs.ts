import { InputError } from '@alas-jssp/core/errors';
import { changedInstances, enumerate, expectedCells, type Manifest } from '../run/manifest.js';
import { specDifferences } from '../run/spec-differences.js';
import type { StoredRun } from '../run/stored-run.js';
import { type RunRecord, recordKey } from './record.js';

/** Several runs as one. */
export interface JoinedRuns {
  readonly records: readonly RunRecord[];
  /** Number of records of the finished runs. */
  readonly planned: number;
  readonly interrupted: boolean;
}

/** A run and its directory. */
export interface NamedRun extends StoredRun {
  readonly directory: string;
}

/**
 * Joins the records of several runs. What they share must agree: the numbers of an instance, its best known makespan,
 * and all settings that affect the results of a planner in a variant.
 *
 * @throws InputError `other_instance`, `other_bounds`, `other_settings` with the incompatible runs, or
 *   `duplicate_record` if two runs have the same record
 */
export function joinRuns(runs: readonly NamedRun[]): JoinedRuns {
  runs.forEach((run, index) => {
    for (const earlier of runs.slice(0, index)) refuseMisfit(earlier, run);
  });
  return {
    records: runs.flatMap(({ records }) => records),
    planned: runs.reduce((total, { manifest }) => total + [...expectedCells(manifest)].length, 0),
    interrupted: runs.some(({ manifest }) => manifest.outcome.interrupted),
  };
}

function refuseMisfit(one: NamedRun, other: NamedRun): void {
  const refuse = (code: string, problem: string) => {
    const runs = `${one.directory} and ${other.directory}`;
    throw new InputError(code, `${runs} ${problem}`, 'report them one by one', {}, other.directory);
  };
  const changed = changedInstances(one.manifest, other.manifest);
  if (changed.length > 0) refuse('other_instance', `have other numbers for ${enumerate(changed)}`);
  const bounds = new Map(one.records.map((record) => [record.instance, record.upper_bound]));
  const moved = other.records.find(
    ({ instance, upper_bound }) => (bounds.get(instance) ?? upper_bound) !== upper_bound,
  );
  if (moved !== undefined) {
    refuse('other_bounds', `were measured by other upper bounds for ${moved.instance}`);
  }
  const keys = new Set(one.records.map(recordKey));
  const twice = other.records.find((record) => keys.has(recordKey(record)));
  if (twice !== undefined) {
    const { planner, variant, instance } = twice;
    refuse('duplicate_record', `both have records of ${planner} (${variant}) on ${instance}`);
  }
  const differing = settingsOfBoth(one.manifest, other.manifest);
  if (differing !== null) refuse('other_settings', `have the same planner with other ${differing}`);
}

/** The first setting that differs between runs with a common planner and variant; null if none. */
function settingsOfBoth(one: Manifest, other: Manifest): string | null {
  const shares = (key: 'planners' | 'variants') =>
    one.spec[key].some((name) => (other.spec[key] as readonly string[]).includes(name));
  if (!shares('planners') || !shares('variants')) return null;
  const [difference] = specDifferences(one.spec, other.spec, ['results']);
  if (difference !== undefined) return difference.words;
  const keys = ['disruption', 'policy'] as const;
  return keys.find((key) => one.checksums?.[key] !== other.checksums?.[key]) ?? null;
}
