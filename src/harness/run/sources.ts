import { InputError } from '@alas-jssp/core/errors';
import type { Bounds } from '../../jssp/benchmark-index.js';
import { lowerBound } from '../../jssp/bounds.js';
import { instanceChecksum } from '../../jssp/checksum.js';
import { withDueDates } from '../../jssp/generator.js';
import type { Instance } from '../../jssp/instance.js';
import type { Objective } from '../../jssp/objectives.js';
import { shareInstance } from '../../jssp/share-instance.js';
import { type InstanceSource, knownByChecksum, nameClash } from '../../jssp/suites.js';
import { tardinessBound } from '../../jssp/tardiness-bounds.js';
import type { RecordBounds } from '../records/record.js';

/** Bounds on the objective of an instance, in the keys of records. */
export interface SourceBounds extends RecordBounds {
  /** The argument that proves the lower bound, in words. */
  readonly proof: string;
}

/** An instance of a run, read and identified; only small ones stay in memory. */
export interface RunInstance {
  readonly name: string;
  readonly suite: string;
  readonly sha256: string;
  readonly jobs: number;
  readonly machines: number;
  readonly bounds: SourceBounds;
  /** The instance in shared memory. */
  load(): Instance;
}

/** Total operations of the instances that stay in memory: about 64 MB. */
export const KEPT_OPERATIONS = 4_000_000;

/**
 * Reads every instance, so that a bad file is found before any work starts. A run uses the contents read here: only
 * instances beyond the memory limit are read again when they are needed.
 *
 * @param check inspects every instance, and throws if the run cannot use it
 * @param keep operations that may stay in memory
 * @param objective the objective of the bounds
 * @throws InputError errors of loading a source, `name_clash` if two share a name; `load` throws `changed_instance` if
 *   a file has changed since
 */
export function identifyInstances(
  sources: readonly InstanceSource[],
  check: (instance: Instance) => void = () => {},
  keep = KEPT_OPERATIONS,
  objective: Objective = 'makespan',
): RunInstance[] {
  refuseNameClashes(sources);
  let kept = 0;
  return sources.map((source) => {
    const { name, suite } = source;
    const instance = shareInstance({ ...source.load(), name });
    if (objective !== 'makespan' && instance.due === null) throw noDueDates(name);
    check(instance);
    const isKept = kept + instance.operations <= keep;
    if (isKept) kept += instance.operations;
    const { jobs, machines } = instance;
    const sha256 = source.sha256 ?? instanceChecksum(instance);
    const known = source.bounds ?? knownByChecksum(sha256)?.bounds ?? null;
    const bounds =
      objective === 'makespan' ? bestBounds(instance, known) : boundsOfTardiness(instance);
    const load = isKept ? () => instance : () => readAgain(source, sha256);
    return { name, suite, sha256, jobs, machines, bounds, load };
  });
}

/** The computed bound if it is as strong as that of the literature, because it can be checked here. */
function bestBounds(instance: Instance, known: Bounds | null): SourceBounds {
  const own = lowerBound(instance);
  const upper_bound = known?.upper ?? null;
  return known !== null && known.lower > own.value
    ? {
        lower_bound: known.lower,
        lower_bound_source: 'literature',
        upper_bound,
        proof: `best known lower bound of ${known.asOf}`,
      }
    : {
        lower_bound: own.value,
        lower_bound_source: 'own',
        upper_bound,
        proof: own.source,
      };
}

/** Bounds of tardiness; the literature has none for these due dates. */
function boundsOfTardiness(instance: Instance): SourceBounds {
  const { value, source } = tardinessBound(instance);
  return { lower_bound: value, lower_bound_source: 'own', upper_bound: null, proof: source };
}

function noDueDates(name: string): InputError {
  return new InputError(
    'no_due_dates',
    `no job of ${name} has a due date, so that none can be late`,
    'add --due-tightness 1.3, or take instances that have due dates',
    {},
    name,
  );
}

/**
 * Sources with due dates and weights, also for files without them.
 *
 * @param tightness see {@link withDueDates}; null to leave them unchanged
 */
export function dueSources(
  sources: readonly InstanceSource[],
  tightness: number | null,
): readonly InstanceSource[] {
  if (tightness === null) return sources;
  const load = (source: InstanceSource) => {
    const instance = source.load();
    return instance.due === null ? withDueDates(instance, tightness) : instance;
  };
  // The checksum covers the due dates.
  return sources.map((source) => ({
    ...source,
    sha256: null,
    bounds: source.bounds ?? knownByChecksum(source.sha256 ?? '')?.bounds ?? null,
    load: () => load(source),
  }));
}

function readAgain(source: InstanceSource, sha256: string): Instance {
  const instance = source.load();
  if (source.sha256 === null && instanceChecksum(instance) !== sha256) {
    throw new InputError(
      'changed_instance',
      'the instance has changed since the run began',
      'leave the files of a run alone until it is finished',
      { file: source.path },
    );
  }
  return shareInstance({ ...instance, name: source.name });
}

function refuseNameClashes(sources: readonly InstanceSource[]): void {
  const seen = new Map<string, InstanceSource>();
  for (const source of sources) {
    const other = seen.get(source.name);
    if (other !== undefined) throw nameClash(other, source);
    seen.set(source.name, source);
  }
}
