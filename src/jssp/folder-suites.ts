// Suites whose files are too large for the package: the user names the folder that holds them, and the checksums decide
// whether they are the published ones.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '@alas-jssp/core/errors';
import { type Benchmark, folderBenchmarks, folderSuiteNames } from './benchmark-index.js';
import { requireNumbers } from './benchmark-numbers.js';
import { readInstance } from './formats/read-instance.js';
import { instanceFileEnding, instanceName } from './formats/source.js';
import type { Instance } from './instance.js';
import { simplify } from './names.js';

/** A benchmark in a folder of the user's, not yet read. */
export interface FolderBenchmark extends Benchmark {
  load(): Instance;
}

const MAX_MISSING = 3;

/**
 * The benchmarks that `SUITE=FOLDER` denotes, in the order of the suite. Files have any format of instances and any usual
 * spelling of the names; loading fails unless the numbers are the published ones.
 *
 * @returns undefined unless the text begins with such a suite and an equals sign
 * @throws InputError `no_folder`, `missing_instances`
 */
export function benchmarksInFolder(spec: string): FolderBenchmark[] | undefined {
  const [, name = '', folder = ''] = /^([^=]*)=(.*)$/.exec(spec) ?? [];
  const suite = name.trim().toLowerCase();
  if (!folderSuiteNames.includes(suite)) return undefined;
  const files = filesByName(folder.trim(), suite);
  const members = [...folderBenchmarks().values()].filter((each) => each.suite === suite);
  const missing = members.filter((each) => !files.has(each.name));
  if (missing.length > 0) throw missingInstances(suite, folder, missing, members.length);
  return members.map((each) => {
    const path = files.get(each.name) ?? '';
    return Object.freeze({ ...each, path, load: () => loadFrom({ ...each, path }) });
  });
}

/**
 * The error for a suite without its folder, or for one of its instances; undefined for any other name.
 */
export function notIncluded(name: string): InputError | undefined {
  const wanted = simplify(name);
  const suite = folderSuiteNames.includes(wanted) ? wanted : folderBenchmarks().get(wanted)?.suite;
  if (suite === undefined) return undefined;
  return new InputError(
    'not_included',
    `the files of ${suite} are not in the package`,
    suite === wanted
      ? `name the folder that holds them: ${suite}=FOLDER`
      : `name the file of ${wanted}, or the folder of all: ${suite}=FOLDER`,
    {},
    name,
  );
}

function loadFrom(benchmark: Benchmark): Instance {
  const instance = { ...readInstance(benchmark.path), name: benchmark.name };
  requireNumbers(instance, benchmark);
  return instance;
}

/** The instance files of a folder by simplified name. */
function filesByName(folder: string, suite: string): ReadonlyMap<string, string> {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    const hint = `name the folder that holds the files of the suite: ${suite}=FOLDER`;
    throw new InputError(
      'no_folder',
      `"${folder}" is no folder that can be read`,
      hint,
      {},
      folder,
    );
  }
  const files = names.filter((name) => instanceFileEnding.test(name)).sort();
  return new Map(files.map((file) => [simplify(instanceName(file)), join(folder, file)]));
}

function missingInstances(
  suite: string,
  folder: string,
  missing: readonly Benchmark[],
  all: number,
): InputError {
  const names = missing.slice(0, MAX_MISSING).map(({ name }) => name);
  const more = missing.length > names.length ? ', …' : '';
  return new InputError(
    'missing_instances',
    `${folder} lacks ${missing.length} of the ${all} files of ${suite}: ${names.join(', ')}${more}`,
    `add them, such as ${names[0]}.txt or ${names[0]}.txt.gz, or name single files`,
    {},
    folder,
  );
}
