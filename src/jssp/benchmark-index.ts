import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { once } from '@alas-jssp/core/once';

/** Best known bounds on the optimal makespan; equal when the optimum is proven. */
export interface Bounds {
  readonly lower: number;
  readonly upper: number;
  /** The month or year of the lookup, such as `2026-08`. */
  readonly asOf: string;
}

/** An entry of the repository's index of benchmark instances. */
export interface Benchmark {
  readonly name: string;
  readonly suite: string;
  readonly jobs: number;
  readonly machines: number;
  readonly operations: number;
  /** M, the number of modes: more than operations where these have alternatives. */
  readonly modes: number;
  /** Sum of all durations; of operations with alternatives the shortest. */
  readonly totalWork: number;
  readonly bounds: Bounds;
  /** As computed by {@link instanceChecksum}. */
  readonly sha256: string;
  /** Absolute path of the file: in standard format or, of a flexible job shop, in `.fjs`; of added suites in any format. */
  readonly path: string;
}

/** The folders of `benchmarks/`, in the order in which suites are listed. */
const benchmarkSuites = ['dmu', 'ta', 'abz', 'swv', 'yn', 'ft', 'la', 'orb'] as const;

/** The folders of flexible job shops, in the order in which suites are listed. */
const flexibleSuites = [
  'mk',
  'dpp',
  'mt',
  'setb4',
  'seti5',
  'kacem',
  'fattahi',
  'behnke',
  'hurink-edata',
  'hurink-rdata',
  'hurink-sdata',
  'hurink-vdata',
] as const;

/** The folders of large job shops, in the order in which suites are listed. */
const largeSuites = ['tai-100x100'] as const;

/**
 * Suites with their table of checksums in their own folder: `npm run suite -- benchmarks/NAME` writes it, and an entry
 * here adds the suite.
 */
const ownSuites: readonly string[] = [
  // New suites come last.
];

/** Suites of large job shops whose sizes, checksums and bounds are in `benchmarks/`, but not their files. */
const folderSuites = ['tai-100x1000'] as const;

/**
 * All benchmark instances by canonical name, in the order of {@link benchmarkSuites}, {@link flexibleSuites},
 * {@link largeSuites} and {@link ownSuites}.
 */
export const benchmarks = once(
  (): ReadonlyMap<string, Benchmark> =>
    new Map([
      ...benchmarksIn('checksums.csv', benchmarkSuites, 'txt'),
      ...benchmarksIn('flexible-checksums.csv', flexibleSuites, 'fjs.gz'),
      ...benchmarksIn('large-checksums.csv', largeSuites, 'txt.gz'),
      ...ownSuites.flatMap((suite) => benchmarksIn(`${suite}/checksums.csv`, [suite], 'txt')),
    ]),
);

/** The instances of suites whose files the user has to provide, by name; their paths name no file. */
export const folderBenchmarks = once(
  (): ReadonlyMap<string, Benchmark> =>
    new Map(benchmarksIn('large-checksums.csv', folderSuites, 'txt.gz')),
);

function benchmarksIn(
  table: string,
  suites: readonly string[],
  ending: string,
): (readonly [string, Benchmark])[] {
  const rows = readTable<ChecksumRow>(table);
  return suites.flatMap((suite) => {
    const bounds = readBounds(suite);
    return rows
      .filter((row) => row.suite === suite)
      .map((row) => [row.instance, toBenchmark(row, bounds, ending)] as const);
  });
}

/** Canonical names by the names of the ALAS paper, in the paper's order. */
export const paperNames = once(
  (): ReadonlyMap<string, string> =>
    new Map(readTable<PaperNameRow>('paper.csv').map((row) => [row.paper_name, row.instance])),
);

const suites: Readonly<Record<string, () => readonly Benchmark[]>> = {
  ...Object.fromEntries(benchmarkSuites.map((suite) => [suite, () => membersOf([suite])])),
  classic: () => membersOf(['dmu', 'ta', 'abz', 'swv', 'yn']),
  all: () => membersOf(benchmarkSuites),
  paper: () => [...paperNames().values()].flatMap((name) => benchmarks().get(name) ?? []),
  ...Object.fromEntries(flexibleSuites.map((suite) => [suite, () => membersOf([suite])])),
  flexible: () => membersOf(flexibleSuites),
  ...Object.fromEntries(largeSuites.map((suite) => [suite, () => membersOf([suite])])),
  ...Object.fromEntries(ownSuites.map((suite) => [suite, () => membersOf([suite])])),
};

/**
 * The names of the suites: the eight folders of classic job shops, `classic` (the first five of them, 189 instances),
 * `all` (242), `paper` (the 45 instances of the ALAS paper, in its order), the twelve folders of flexible job shops,
 * `flexible` (all 402 of these) and `tai-100x100`.
 */
export const suiteNames: readonly string[] = Object.keys(suites);

/** The suites whose files are not in the package: `SUITE=FOLDER` names their instances. */
export const folderSuiteNames: readonly string[] = folderSuites;

/** The benchmarks of a suite; undefined if there is no such suite. */
export function benchmarksOf(suite: string): readonly Benchmark[] | undefined {
  return Object.hasOwn(suites, suite) ? suites[suite]() : undefined;
}

function membersOf(wanted: readonly string[]): readonly Benchmark[] {
  return [...benchmarks().values()].filter(({ suite }) => wanted.includes(suite));
}

type ChecksumRow = Record<
  'instance' | 'suite' | 'jobs' | 'machines' | 'operations' | 'total_work' | 'sha256',
  string
> & {
  readonly modes?: string;
  /** The name of the file; default: that of the instance with the ending of its table. */
  readonly file?: string;
};
type BoundsRow = Record<'instance' | 'lower_bound' | 'upper_bound' | 'as_of', string>;
type PaperNameRow = Record<'paper_name' | 'instance', string>;

function toBenchmark(
  row: ChecksumRow,
  allBounds: ReadonlyMap<string, Bounds>,
  ending: string,
): Benchmark {
  const { instance: name, suite, sha256 } = row;
  const bounds = allBounds.get(name);
  if (bounds === undefined) throw new Error(`benchmarks/${suite}/bounds.csv lacks ${name}`);
  return {
    name,
    suite,
    jobs: Number(row.jobs),
    machines: Number(row.machines),
    operations: Number(row.operations),
    modes: Number(row.modes ?? row.operations),
    totalWork: Number(row.total_work),
    bounds,
    sha256,
    path: benchmarkPath(`${suite}/${row.file ?? `${name}.${ending}`}`),
  };
}

function readBounds(suite: string): ReadonlyMap<string, Bounds> {
  return new Map(
    readTable<BoundsRow>(`${suite}/bounds.csv`).map((row) => [
      row.instance,
      { lower: Number(row.lower_bound), upper: Number(row.upper_bound), asOf: row.as_of },
    ]),
  );
}

/** The rows of a bundled table: commas, a header, no quotation marks. */
function readTable<Row>(file: string): Row[] {
  const [header, ...rows] = readFileSync(benchmarkPath(file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
  return rows.map((cells) => Object.fromEntries(header.map((key, i) => [key, cells[i]])) as Row);
}

function benchmarkPath(file: string): string {
  return join(folder(), file);
}

/** The absolute path of `benchmarks/`, which packages that bundle this module name among their imports. */
const folder = once((): string => dirname(createRequire(import.meta.url).resolve('#benchmarks')));
