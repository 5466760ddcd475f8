// Solves of benchmarks as lines of JSON.
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Seconds and objective values of the improvements of a solve. */
export type Trace = [seconds: number, value: number][];

/** A recorded solve of a benchmark. */
export interface SolveRow {
  instance: string;
  budget_seconds: number;
  threads: number;
  /** Missing in the rows of CP-SAT. */
  seed?: number;
  makespan: number;
  upper_bound: number;
  gap_percent: number;
  status: string;
  seconds: number;
  processor_seconds?: number;
  iterations: number;
  trace: Trace;
  commit: string | null;
  machine: string;
  solved_at?: string;
  /** Of a campaign: the makespan of the schedule that the search started from. */
  started_from?: number | null;
}

/** The lines of a file; one that was not written to its end is passed over. */
export function readRows<Row = SolveRow>(file: string): Row[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}

/** The lines of all files of a folder that are solves of the search for a set of instances. */
export function readFolder(folder: string) {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return files
    .filter((name) => name !== 'cp-sat.jsonl' && name !== 'open.jsonl')
    .flatMap((name) => readRows<SolveRow>(join(folder, name)));
}

/** Appends a line, after the end of one that was broken off. */
export function appendRow(file: string, row: object) {
  mkdirSync(dirname(file), { recursive: true });
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const isBroken = text !== '' && !text.endsWith('\n');
  appendFileSync(file, `${isBroken ? '\n' : ''}${JSON.stringify(row)}\n`);
}

/** The last commit that changed what solves; null where there is none. */
export function searchCommit() {
  try {
    const args = ['log', '-1', '--format=%H', '--', 'src/search', 'src/jssp', 'src/core'];
    return execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return null;
  }
}

/** A makespan above the best known one, in percent of that. */
export function gapOf(makespan: number, upper: number) {
  return (100 * (makespan - upper)) / upper;
}

/** The makespan of a solve after so many seconds; NaN if it had none by then. */
export function makespanAfter({ trace }: { trace: Trace }, seconds: number) {
  return trace.findLast(([when]) => when <= seconds)?.[1] ?? Number.NaN;
}

/**
 * The improvements without most of those that gain less than a thousandth of the last value: large shops have thousands.
 * What is left at any time is at most a thousandth worse than what was reached by then.
 */
export function thinTrace(trace: Trace): Trace {
  const last = trace.at(-1)?.[1] ?? 0;
  const thousandths = (value: number) => Math.floor((1000 * value) / last);
  return trace.filter(
    ([, value], i) => i === 0 || thousandths(value) !== thousandths(trace[i + 1]?.[1] ?? 0),
  );
}
