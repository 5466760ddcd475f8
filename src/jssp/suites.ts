import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { InputError } from '@alas-jssp/core/errors';
import { nearestNames } from '@alas-jssp/core/nearest-names';
import { once } from '@alas-jssp/core/once';
import { globSync, isDynamicPattern } from 'tinyglobby';
import {
  type Benchmark,
  type Bounds,
  benchmarks,
  benchmarksOf,
  folderBenchmarks,
  paperNames,
  suiteNames,
} from './benchmark-index.js';
import { instanceChecksum } from './checksum.js';
import { benchmarksInFolder, notIncluded } from './folder-suites.js';
import { reportReadingNotes } from './formats/exchange/reading-notes.js';
import { readInstance } from './formats/read-instance.js';
import { instanceFileEnding, instanceName } from './formats/source.js';
import type { Instance } from './instance.js';
import { loadBenchmark } from './load-benchmark.js';
import { canonicalName } from './names.js';

/** An instance that has been found but not yet read. */
export interface InstanceSource {
  /** Canonical name of a benchmark, or the file's name without its ending. */
  readonly name: string;
  /** Suite of a benchmark, or the name of the directory that holds the file. */
  readonly suite: string;
  readonly path: string;
  /** Null for a file: {@link boundsFor} finds them after it is loaded. */
  readonly bounds: Bounds | null;
  /** Null for a file. */
  readonly sha256: string | null;
  /**
   * Reads the instance.
   *
   * @throws InputError if the file is invalid, or if the checksum of a benchmark's file does not match
   */
  load(): Instance;
}

/** The limit of suggestions for an unknown name. */
const MAX_SUGGESTIONS = 3;

/**
 * Finds the instances of a specification: a suite, an instance name in any usual spelling, a file, a directory (its
 * instance files, without subdirectories), a glob, a suite whose files are not in the package with the folder that holds
 * them (`tai-100x1000=FOLDER`), or several of them separated by commas. A name with a dot or a slash
 * denotes the file if it exists. Instances are in the order given, files of a directory or glob in natural order, each
 * of them once.
 *
 * @throws InputError if a name is unknown, a directory or glob has no instance file, a folder lacks instances of its
 *   suite, or two different files would have the same instance name
 */
export function resolveSources(spec: string): InstanceSource[] {
  const parts = isPath(spec) ? [spec] : splitList(spec);
  if (parts.length === 0) throw unknownSpec(spec);
  const found = new Map<string, InstanceSource>();
  for (const source of parts.flatMap(resolvePart)) {
    const other = found.get(source.name);
    if (other === undefined) found.set(source.name, source);
    else if (resolve(other.path) !== resolve(source.path)) throw nameClash(other, source);
  }
  return [...found.values()];
}

/**
 * Finds the single instance of a name or a file.
 *
 * @throws InputError as {@link resolveSources} does, and if there are several
 */
export function resolveSource(spec: string): InstanceSource {
  const sources = resolveSources(spec);
  if (sources.length > 1) {
    const [{ name, path, sha256 }] = sources;
    throw new InputError(
      'several_instances',
      `${spec} denotes ${sources.length} instances`,
      `name one of them, such as ${sha256 === null ? path : name}`,
      {},
      spec,
    );
  }
  return sources[0];
}

/** The benchmark of a name, in any usual spelling; undefined if there is none. */
export function findBenchmark(name: string): InstanceSource | undefined {
  return benchmarkSources().get(canonicalName(name) ?? '');
}

/** The source of a benchmark; loading fails if the numbers in its file have been changed. */
export function benchmarkSource(benchmark: Benchmark): InstanceSource {
  const { name, suite, path, bounds, sha256 } = benchmark;
  return Object.freeze({ name, suite, path, bounds, sha256, load: () => loadBenchmark(benchmark) });
}

/** The benchmark with that {@link instanceChecksum}; undefined if there is none. */
export function benchmarkByChecksum(sha256: string): InstanceSource | undefined {
  return sourcesByChecksum().get(sha256);
}

/**
 * Best known bounds of an instance, regardless of its origin: those of the benchmark with the same numbers, or null if
 * there is none.
 */
export function boundsFor(instance: Instance): Bounds | null {
  return knownByChecksum(instanceChecksum(instance))?.bounds ?? null;
}

/**
 * The name and bounds of the benchmark with that {@link instanceChecksum}, whether its file is in the package or not;
 * undefined if there is none.
 */
export function knownByChecksum(
  sha256: string,
): Pick<InstanceSource, 'name' | 'bounds'> | undefined {
  return benchmarkByChecksum(sha256) ?? folderBenchmarksByChecksum().get(sha256);
}

const folderBenchmarksByChecksum = once(
  () => new Map([...folderBenchmarks().values()].map((each) => [each.sha256, each])),
);

const benchmarkSources = once(
  (): ReadonlyMap<string, InstanceSource> =>
    new Map(Array.from(benchmarks(), ([name, entry]) => [name, benchmarkSource(entry)])),
);

/** A classic benchmark comes before the flexible one with the same numbers (hurink-sdata). */
const sourcesByChecksum = once(() => indexSources((source) => source.sha256));
const sourcesByPath = once(() => indexSources((source) => source.path));

function indexSources<K>(key: (source: InstanceSource) => K): ReadonlyMap<K, InstanceSource> {
  const sources = Array.from(benchmarkSources().values()).toReversed();
  return new Map(sources.map((source) => [key(source), source]));
}

/** The source of a file; a file of the benchmarks folder is the benchmark itself. */
function fileSource(path: string): InstanceSource {
  const absolute = resolve(path);
  return (
    sourcesByPath().get(absolute) ??
    Object.freeze({
      name: instanceName(path),
      suite: basename(dirname(absolute)) || 'custom',
      path,
      bounds: null,
      sha256: null,
      load: () => reportReadingNotes(readInstance(path), path),
    })
  );
}

function resolvePart(part: string): InstanceSource[] {
  const members = benchmarksOf(part.toLowerCase());
  if (members !== undefined) return members.flatMap(({ name }) => findBenchmark(name) ?? []);
  const inFolder = isPath(part) ? undefined : benchmarksInFolder(part);
  if (inFolder !== undefined) return inFolder;
  if (/[./\\]/.test(part) && isPath(part)) return resolvePath(part);
  const benchmark = findBenchmark(part);
  if (benchmark !== undefined) return [benchmark];
  if (isPath(part)) return resolvePath(part);
  if (isDynamicPattern(part)) {
    return filesOf(part, globSync(part, { absolute: isAbsolute(part), expandDirectories: false }));
  }
  throw notIncluded(part) ?? unknownSpec(part);
}

function resolvePath(path: string): InstanceSource[] {
  if (!statSync(path).isDirectory()) return [fileSource(path)];
  const files = readdirSync(path, { withFileTypes: true }).filter((entry) => !entry.isDirectory());
  return filesOf(
    path,
    files.map((entry) => join(path, entry.name)),
  );
}

function filesOf(spec: string, paths: readonly string[]): InstanceSource[] {
  const files = paths.filter((path) => instanceFileEnding.test(path)).sort();
  if (files.length === 0) {
    throw new InputError(
      'no_instances',
      `${spec} holds no instance file`,
      'instance files end in .txt, .jsp, .jssp, .std, .fjs or .json, and may be compressed (.gz)',
      {},
      spec,
    );
  }
  // Natural order, la2 before la10; names that it treats as equal (1 and 01) are in code point order.
  const { compare } = new Intl.Collator('en', { numeric: true });
  return files.sort((a, b) => compare(a, b)).map(fileSource);
}

/** Splits at commas, except inside the braces of a glob. */
function splitList(spec: string): string[] {
  const parts = spec.match(/(?:\{[^}]*\}|[^,])+/g) ?? [];
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function isPath(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A list of names may be an invalid path: too long, or with a file in place of a directory.
    return false;
  }
}

/** The error for two instances that records could not distinguish. */
export function nameClash(one: InstanceSource, other: InstanceSource): InputError {
  return new InputError(
    'name_clash',
    `${one.path} and ${other.path} are both called ${one.name}`,
    'rename one of the files, or run them separately: records identify instances by name',
    {},
    one.name,
  );
}

/** The most similar names, at most one for each instance. */
function nearestSpellings(word: string, known: readonly string[]): string[] {
  const found = new Map<string, string>();
  for (const spelling of nearestNames(word, known, known.length)) {
    const name = canonicalName(spelling) ?? spelling;
    if (!found.has(name)) found.set(name, spelling);
  }
  return [...found.values()].slice(0, MAX_SUGGESTIONS);
}

function unknownSpec(spec: string): InputError {
  const known = [...suiteNames, ...benchmarks().keys(), ...paperNames().keys()];
  const nearest = nearestSpellings(instanceName(spec), known);
  return new InputError(
    'unknown_instance',
    `no suite, instance, file or directory is called "${spec}"`,
    nearest.length > 0
      ? `did you mean ${nearest.join(', ')}?`
      : `give a suite (${suiteNames.join(', ')}), an instance such as ft06, or an existing file`,
    {},
    spec,
  );
}
