import { InputError } from '../core/errors.js';
import { lowerBound } from '../jssp/bounds.js';
import { instanceChecksum } from '../jssp/checksum.js';
import { type Instance, shareInstance } from '../jssp/instance.js';
import { type Bounds, benchmarkByChecksum, type InstanceSource } from '../jssp/suites.js';
import type { TaskBounds } from './task.js';

/** An instance of a run, identified but not held in memory. */
export interface RunInstance {
  readonly name: string;
  readonly suite: string;
  readonly sha256: string;
  /** Loads it into shared memory, with all that is known about its optimal makespan. */
  load(): { instance: Instance; bounds: TaskBounds };
}

/**
 * Finds out the checksum of every instance. Benchmarks come with theirs; files have to be read
 * for it, one after the other and not kept, so that a bad file is found before any work is done.
 *
 * @throws InputError what loading a source throws, `duplicate_instance` if two share a name;
 *   `load` throws `changed_instance` if a file has changed since
 */
export function identifyInstances(sources: readonly InstanceSource[]): RunInstance[] {
  refuseDuplicates(sources);
  return sources.map((source) => {
    const { name, suite } = source;
    const sha256 = source.sha256 ?? instanceChecksum(source.load());
    return { name, suite, sha256, load: () => loadInstance(source, sha256) };
  });
}

function loadInstance(source: InstanceSource, sha256: string) {
  const instance = source.load();
  if (source.sha256 === null && instanceChecksum(instance) !== sha256) {
    throw new InputError(
      'changed_instance',
      'the instance has changed since the run began',
      'leave the files of a run alone until it is finished',
      { file: source.path },
    );
  }
  const known = source.bounds ?? benchmarkByChecksum(sha256)?.bounds ?? null;
  return {
    instance: shareInstance({ ...instance, name: source.name }),
    bounds: bestBounds(instance, known),
  };
}

/** Our own bound where it is as good as that of the literature: it can be checked right here. */
function bestBounds(instance: Instance, known: Bounds | null): TaskBounds {
  const own = lowerBound(instance);
  const upper = known?.upper ?? null;
  return known !== null && known.lower > own.value
    ? {
        lower: known.lower,
        source: 'literature',
        proof: `best known lower bound of ${known.asOf}`,
        upper,
      }
    : { lower: own.value, source: 'own', proof: own.source, upper };
}

function refuseDuplicates(sources: readonly InstanceSource[]): void {
  const names = new Set<string>();
  for (const { name, path } of sources) {
    if (names.has(name)) {
      throw new InputError(
        'duplicate_instance',
        `there are two instances called ${name}`,
        'rename one of them: records tell instances by their names',
        { file: path },
        name,
      );
    }
    names.add(name);
  }
}
