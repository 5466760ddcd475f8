import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { deriveSeed, InputError, parseJson, readBytes } from '@alas-jssp/core';
import { SUITE_READERS } from './readers.js';
import type { RealmCompletions, RealmSuite, SuiteInstance, SuiteReader } from './suite.js';

/** An instance of a suite, and where it comes from. */
export interface LoadedInstance extends SuiteInstance {
  readonly origin: 'published' | 'generated';
}

/**
 * Reads the published instances of a suite from a directory: the files of its folder (`P1/…`), or those whose names begin
 * with `p1_`, at any depth. A malformed file and a repeated name are refused by name.
 *
 * @throws InputError `no_instances` if there are none
 */
export function loadSuite(
  suite: RealmSuite,
  directory: string,
  given: RealmCompletions,
): LoadedInstance[] {
  const reader = SUITE_READERS[suite];
  const files = filesOf(suite, directory);
  const taken = new Set<string>();
  return files.map((file): LoadedInstance => {
    const loaded = readOrRefuse(reader, file, given);
    if (!taken.has(loaded.name)) {
      taken.add(loaded.name);
      return { ...loaded, origin: 'published' };
    }
    const message = `there is another ${loaded.name} before ${file}`;
    const refused = [{ code: 'repeated_instance' as const, message }];
    return { ...loaded, name: file, problem: null, refused, origin: 'published' };
  });
}

function readOrRefuse(reader: SuiteReader, file: string, given: RealmCompletions): SuiteInstance {
  try {
    return reader.read(parseJson(readBytes(file), file), file, given);
  } catch (error) {
    if (!(error instanceof InputError) || error.code === 'bad_complete') throw error;
    const refused = [{ code: 'unreadable' as const, message: error.message }];
    return { name: file, problem: null, completed: {}, contradictions: [], refused };
  }
}

/** The files of a suite, sorted by name, so that instances come in the same order everywhere. */
function filesOf(suite: RealmSuite, directory: string): string[] {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    const hint = 'give the directory of the published files, such as REALM-Bench/datasets';
    throw new InputError('no_directory', 'this is no directory', hint, { file: directory });
  }
  const prefix = suite.slice('realm-'.length);
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.toLowerCase().endsWith('.json'))
    .filter((name) => name.split('/').at(-1)?.toLowerCase().startsWith(`${prefix}_`))
    .toSorted();
  if (names.length > 0) return names.map((name) => join(directory, name));
  const hint = `give a directory with files ${prefix}_*.json, such as datasets/${prefix.toUpperCase()} of REALM-Bench`;
  throw new InputError('no_instances', `there are no instances of ${suite}`, hint, {
    file: directory,
  });
}

/**
 * Instances of our own, of the same kind as the published ones. Each depends on the seed and its number only.
 *
 * @throws InputError `not_generated` if none can be made
 */
export function generateSuite(
  suite: RealmSuite,
  count: number,
  seed: number,
  given: RealmCompletions,
): LoadedInstance[] {
  const reader = SUITE_READERS[suite];
  const { generate } = reader;
  if (generate === undefined) {
    const hint = 'give --data with the directory of the published files';
    throw new InputError(
      'not_generated',
      `no instances of ${suite} are made here`,
      hint,
      {},
      suite,
    );
  }
  return Array.from({ length: count }, (_, at) => {
    const name = `${suite}-${seed}-${at + 1}`;
    const value = generate(name, deriveSeed(suite, seed, at, 'instance'));
    return { ...reader.read(value, undefined, given), origin: 'generated' };
  });
}
