import { InputError } from '@alas-jssp/core/errors';
import { benchmarks, benchmarksOf } from '../benchmark-index.js';
import { parseBenchmark } from '../benchmark-numbers.js';
import type { Instance } from '../instance.js';
import { canonicalName } from '../names.js';
import { readSize, type Size } from './rows.js';
import type { FileSource } from './source.js';
import { parseStandard } from './standard.js';
import { parseTaillard } from './taillard.js';
import { isHeading, nextToken, notANumber, openTokens, type Tokens } from './tokens.js';

/** The numbers of a text, which may be incomplete, in the order of its layout. */
interface RawText extends Size {
  /** Durations, then machines from 1; or, in the standard format, pairs with machines from 0. */
  readonly layout: 'taillard' | 'standard';
  readonly numbers: readonly number[];
  /** The line of each number, from 1. */
  readonly lines: readonly number[];
}

/** The place of the text in its document. */
const PATH = '$.base_instance.raw_content';

/**
 * Reads the text of an instance, or finds the benchmark that begins with it: REALM-Bench keeps the first ten lines
 * only.
 *
 * @param names names of the instance in the file, such as `TA51.txt`, the best first
 * @throws InputError if the text is neither complete nor the beginning of a benchmark, or differs from the benchmark
 *   named in the file
 */
export function readRawText(text: string, names: readonly string[], source: FileSource): Instance {
  const bytes = new TextEncoder().encode(text);
  const raw = withLocation(source, () => scan(openTokens(bytes, undefined)));
  const named = names
    .map((name) => canonicalName(name.replace(/(\.\w+)?$/, '').replace(/_disrupted$/i, '')))
    .find((name) => name !== undefined);
  if (named !== undefined) return expectBenchmark(raw, named, source);
  if (raw.numbers.length >= 2 * raw.jobs * raw.machines) {
    const parse = raw.layout === 'taillard' ? parseTaillard : parseStandard;
    return withLocation(source, () => parse(bytes, { name: source.name }));
  }
  return findByBeginning(raw, source);
}

/** Reads the numbers after the header, in which Taillard's files have words and further numbers. */
function scan(tokens: Tokens): RawText {
  while (nextToken(tokens) === 'word' && !isHeading(tokens, 'Times'));
  const { jobs, machines } = readSize(tokens);
  let layout: RawText['layout'] = 'standard';
  let numbers: number[] = [];
  let lines: number[] = [];
  while (nextToken(tokens) !== 'end') {
    if (isHeading(tokens, 'Times') && layout === 'standard') {
      layout = 'taillard';
      numbers = [];
      lines = [];
    } else if (tokens.kind === 'integer') {
      numbers.push(tokens.value);
      lines.push(tokens.line);
    } else if (!isHeading(tokens, 'Machines') || numbers.length !== jobs * machines) {
      throw notANumber(tokens);
    }
  }
  return { jobs, machines, layout, numbers, lines };
}

function expectBenchmark(raw: RawText, name: string, source: FileSource): Instance {
  const benchmark = benchmarks().get(name);
  if (benchmark === undefined) throw new Error(`there is no benchmark ${name}`);
  const instance = parseBenchmark(benchmark, parseStandard);
  const hint = `correct it; or, if it is not ${name}, name no benchmark and give all of its numbers`;
  const location = { file: source.file, path: PATH };
  if (raw.jobs !== instance.jobs || raw.machines !== instance.machines) {
    const problem = `it has ${raw.jobs} jobs and ${raw.machines} machines, and ${name} ${instance.jobs} and ${instance.machines}`;
    throw new InputError('other_numbers', problem, hint, location);
  }
  const i = firstDifference(raw, instance);
  if (i >= 0) {
    const [is, due] = [raw.numbers[i], numberAt(instance, raw.layout, i) ?? 'nothing'];
    const problem = `line ${raw.lines[i]} differs from ${name}: ${is} stands where ${due} should be`;
    throw new InputError('other_numbers', problem, hint, location, is);
  }
  return { ...instance, name: source.name };
}

function findByBeginning(raw: RawText, source: FileSource): Instance {
  const found = (benchmarksOf('all') ?? [])
    .filter(({ jobs, machines }) => jobs === raw.jobs && machines === raw.machines)
    .map((benchmark) => parseBenchmark(benchmark, parseStandard))
    .filter((instance) => firstDifference(raw, instance) < 0);
  if (found.length === 1) return { ...found[0], name: source.name };
  const all = 2 * raw.jobs * raw.machines;
  throw new InputError(
    'missing_numbers',
    `it has ${raw.numbers.length} of ${all} numbers, and is the beginning of ${found.length === 0 ? 'no benchmark' : `${found.length} benchmarks`}`,
    'give all numbers of the instance, or name the benchmark in source_file',
    { file: source.file, path: PATH },
  );
}

/** The position of the first number that differs from the instance; −1 if there is none. */
function firstDifference({ numbers, layout }: RawText, instance: Instance): number {
  return numbers.findIndex((number, i) => number !== numberAt(instance, layout, i));
}

/** The number at a position of the instance's text; undefined after its end. */
function numberAt(
  { operations, machine, duration }: Instance,
  layout: RawText['layout'],
  i: number,
): number | undefined {
  if (layout === 'standard') return i % 2 === 0 ? machine[i >> 1] : duration[i >> 1];
  return i < operations ? duration[i] : machine[i - operations] + 1;
}

/** Reads from the text; errors get the location of the text in the document. */
function withLocation<T>({ file }: FileSource, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { code, problem, hint, location, value } = error;
    const line = location.line === undefined ? '' : `line ${location.line}: `;
    throw new InputError(code, `${line}${problem}`, hint, { file, path: PATH }, value);
  }
}
