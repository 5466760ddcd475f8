import { InputError } from '@alas-jssp/core/errors';
import { instanceChecksum } from '../../jssp/checksum.js';
import type { Instance } from '../../jssp/instance.js';
import { benchmarkByChecksum, type InstanceSource, resolveSources } from '../../jssp/suites.js';
import type { Manifest } from './manifest.js';
import { dueSources } from './sources.js';

/** A run and the files of its records. */
export interface RunSource {
  readonly directory: string;
  readonly manifest: Manifest;
  /**
   * The instance of that name, as it was planned.
   *
   * @throws InputError if it no longer exists or its numbers have changed
   */
  instance(name: string): Instance;
}

/** Opens a run to read its schedules. Instances are read on demand; the last one is cached. */
export function openRunSource(directory: string, manifest: Manifest): RunSource {
  let sources: Map<string, InstanceSource> | null = null;
  let last: Instance | null = null;
  const find = (name: string): Instance => {
    const listed = manifest.instances.find(({ instance }) => instance === name);
    if (listed === undefined) throw unknownInstance(name, directory);
    const known = benchmarkByChecksum(listed.sha256);
    if (known !== undefined) return { ...known.load(), name };
    const { suite, dueTightness } = manifest.spec;
    sources ??= new Map(
      dueSources(suite === null ? [] : resolveSources(suite), dueTightness).map((one) => [
        one.name,
        one,
      ]),
    );
    const source = sources.get(name);
    if (source === undefined) throw unknownInstance(name, directory);
    const instance = source.load();
    if (instanceChecksum(instance) === listed.sha256) return { ...instance, name };
    const hint = 'restore it to see its schedules';
    throw new InputError('changed_instance', `${name} has changed since the run`, hint, {
      file: source.path,
    });
  };
  return {
    directory,
    manifest,
    instance(name) {
      if (last?.name !== name) last = find(name);
      return last;
    },
  };
}

function unknownInstance(name: string, file: string): InputError {
  const hint = 'its schedules cannot be drawn without it';
  return new InputError('unknown_instance', `the instance ${name} is not found`, hint, { file });
}
