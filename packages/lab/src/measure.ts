// What all benchmarks share: measuring with tinybench, a table on stdout, results as JSON.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname } from 'node:path';
import { Bench } from 'tinybench';

/** A function to measure, with the number of operations that one call processes. */
export interface MeasuredCase {
  name: string;
  operations: number;
  run: () => unknown;
  target?: string | undefined;
}

/**
 * Measures functions one after the other and prints one line each: the median of its samples.
 *
 *   `operations` is how many job-shop operations one call works on
 *
 * @param options seconds for each case, at least one sample in any event
 * @returns one row a case
 */
export async function measure(
  title: string,
  cases: readonly MeasuredCase[],
  { seconds = 1 }: { seconds?: number } = {},
): Promise<object[]> {
  const bench = new Bench({
    time: 1000 * seconds,
    warmupTime: 300 * seconds,
    warmupIterations: 1,
    iterations: 3,
  });
  for (const { name, run } of cases) bench.add(name, run);
  await bench.run();
  console.log(`\n${title}`);
  return cases.map(({ name, operations, target }, index) => {
    const { result } = bench.tasks[index];
    if (result.state === 'errored') throw result.error;
    if (result.state !== 'completed') throw new Error(`${name}: ${result.state}`);
    const { latency } = result;
    const perCall = latency.p50 / 1000;
    const row = {
      title,
      name,
      operations,
      samples: latency.samplesCount,
      median_seconds: perCall,
      p75_seconds: latency.p75 / 1000,
      operations_per_second: operations / perCall,
      target: target ?? null,
    };
    console.log(
      `  ${name.padEnd(44)} ${amount(perCall * 1000, 'ms')}  ${amount(operations / perCall / 1e6, 'M op/s')}${target ? `   target ${target}` : ''}`,
    );
    return row;
  });
}

/** The median of numbers. */
export function median(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

function amount(value: number, unit: string) {
  return `${value.toPrecision(3).padStart(9)} ${unit}`;
}

/** Writes rows as JSON where `--json FILE` asks for it, with the machine and the commit. */
export function save(rows: object[]) {
  const at = process.argv.indexOf('--json');
  if (at < 0) return;
  const file = process.argv[at + 1];
  const { model } = cpus()[0];
  const facts = {
    commit: describeCommit(),
    node: process.version,
    cpu: model,
    cpus: cpus().length,
  };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `${JSON.stringify({ schema: 'alas-jssp/bench@1', ...facts, rows }, null, 2)}\n`,
  );
}

/** The commit that is checked out; null where there is none. */
export function describeCommit() {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return null;
  }
}

/** Ends the process with one line on stderr. */
export function endWithError(error: unknown) {
  console.error(error instanceof Error ? error.message.split('\n')[0] : String(error));
  process.exit(2);
}
