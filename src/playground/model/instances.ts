import { benchmarks } from 'playground-benchmarks';
import {
  generateFlexible,
  generateRandom,
  InputError,
  type Instance,
  instanceChecksum,
  parseInstance,
} from '../../browser/index.js';
import { refuseLargeShop, refuseLongText } from './limits.js';
import type { LiteratureBounds } from './play-state.js';

/** An instance and what is known about it. */
export interface LoadedInstance {
  readonly instance: Instance;
  readonly known: LiteratureBounds | null;
}

/** The names of the benchmarks in this page. */
export const benchmarkNames: readonly string[] = benchmarks.map(({ name }) => name);

const byName = new Map(benchmarks.map((benchmark) => [benchmark.name, benchmark]));

/**
 * Reads a benchmark of this page.
 *
 * @throws InputError `unknown_instance`
 */
export function openBenchmark(name: string): LoadedInstance {
  const benchmark = byName.get(name);
  if (benchmark === undefined) {
    throw new InputError(
      'unknown_instance',
      `this page has no benchmark ${name}`,
      'paste its text',
    );
  }
  const { file, text, lower, upper, asOf } = benchmark;
  const instance = parseInstance(text, { file, name });
  return { instance, known: { lower, upper, asOf } };
}

/** The checksums of the benchmarks, by which a pasted one is recognized. */
const checksums = new Map<string, string>();

function knownBounds(instance: Instance): LiteratureBounds | null {
  if (checksums.size === 0) {
    for (const { name } of benchmarks) {
      checksums.set(instanceChecksum(openBenchmark(name).instance), name);
    }
  }
  const { lower, upper, asOf } = byName.get(checksums.get(instanceChecksum(instance)) ?? '') ?? {};
  if (lower === undefined || upper === undefined || asOf === undefined) return null;
  return { lower, upper, asOf };
}

/**
 * Reads an instance from a text in any format of docs/reference/formats.md.
 *
 * @param file the name of the file, if the text is from one: `.fjs` marks flexible job shops
 * @throws InputError with line and hint; `too_large`
 */
export function readInstanceText(text: string, file?: string): LoadedInstance {
  refuseLongText(text);
  if (text.trim() === '') throw new InputError('empty', 'the text is empty', 'paste an instance');
  let instance: Instance;
  try {
    instance = parseInstance(text, file === undefined ? {} : { file });
  } catch (error) {
    throw withoutFile(error, file);
  }
  refuseLargeShop(instance.operations);
  return { instance, known: knownBounds(instance) };
}

/** The same error without the name of the file, which the page shows elsewhere, and with the word `line`. */
export function withoutFile(error: unknown, file?: string): unknown {
  if (!(error instanceof InputError)) return error;
  const { code, problem, hint, location, value, facts } = error;
  const { line, path } = location;
  const place = line === undefined ? (path === undefined ? '' : `${path}: `) : `line ${line}: `;
  if (place === '' && file === undefined) return error;
  return Object.assign(new InputError(code, `${place}${problem}`, hint, {}, value, facts), {
    line,
  });
}

/** Numbers that determine a random instance. */
export interface GenerateRequest {
  readonly jobs: number;
  readonly machines: number;
  readonly seed: number;
  readonly isFlexible: boolean;
}

/**
 * Generates a random instance.
 *
 * @throws InputError if a number is out of range; `too_large`
 */
export function generateInstance({
  jobs,
  machines,
  seed,
  isFlexible,
}: GenerateRequest): LoadedInstance {
  for (const [name, value] of Object.entries({ jobs, machines })) {
    if (Number.isInteger(value) && value >= 1) continue;
    throw new InputError('bad_number', `${name} is not a whole number from 1`, 'give another one');
  }
  if (!Number.isInteger(seed)) {
    throw new InputError('bad_number', 'the seed is not a whole number', 'give another one');
  }
  refuseLargeShop(jobs * machines);
  const name = `${isFlexible ? 'flexible' : 'random'} ${jobs} × ${machines}, seed ${seed}`;
  const instance = isFlexible
    ? generateFlexible({ jobs, machines, seed, name })
    : generateRandom({ jobs, machines, seed, name });
  return { instance, known: null };
}
