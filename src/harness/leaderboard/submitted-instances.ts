import { benchmarksOf } from '../../jssp/benchmark-index.js';
import { findBenchmark, type InstanceSource } from '../../jssp/suites.js';
import type { Manifest } from '../run/manifest.js';
import { MANIFEST } from '../run/stored-run.js';
import type { FaultList } from './faults.js';

/**
 * The benchmarks of a submission by their names: only instances of the package with its very numbers are accepted, so
 * that no file outside of the submission is read.
 */
export function submittedInstances(
  { spec, instances }: Manifest,
  faults: FaultList,
): Map<string, InstanceSource> {
  const found = new Map<string, InstanceSource>();
  for (const { instance, sha256 } of instances) {
    const source = findBenchmark(instance);
    const fault = (problem: string) => faults.add(MANIFEST, null, problem);
    if (found.has(instance)) fault(`the instance ${instance} is listed twice`);
    else if (source === undefined) fault(`the instance ${instance} is no benchmark of the package`);
    else if (source.sha256 !== sha256) fault(`the instance ${instance} has other numbers`);
    else found.set(instance, source);
  }
  const listed = new Set(instances.map(({ instance }) => instance));
  for (const part of (spec.suite ?? '').split(',').map((text) => text.trim())) {
    if (part === '') continue;
    const members = namesOf(part);
    if (members === undefined) faults.add(MANIFEST, null, `${part} is no suite of the package`);
    for (const name of members ?? []) {
      if (!listed.has(name)) {
        faults.add(MANIFEST, null, `the instance ${name} of the suite ${part} is missing`);
      }
    }
  }
  return found;
}

/** The names of the instances of a suite, or of a benchmark; undefined if there is none. */
function namesOf(part: string): string[] | undefined {
  const suite = benchmarksOf(part.toLowerCase())?.map(({ name }) => name);
  if (suite !== undefined) return suite;
  const name = findBenchmark(part)?.name;
  return name === undefined ? undefined : [name];
}
