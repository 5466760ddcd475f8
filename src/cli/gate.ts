import { Option } from 'commander';
import { InputError } from '../core/errors.js';
import type { Comparison } from '../harness/compare.js';
import { type Crossing, crossedLimits } from '../harness/gate.js';
import { type Limit, parseLimits } from '../harness/limits.js';
import type { RunRecord } from '../harness/record.js';
import { renderComparison, renderCrossings } from '../report/comparison-table.js';
import type { Format } from '../report/table.js';
import { exitCode } from './exit-code.js';
import { print, tableStyle } from './output.js';

/** `--fail-on`, which turns a run or a comparison into a gate for CI. */
export function failOnOption(): Option {
  return new Option(
    '--fail-on <limits>',
    "exit with 1 if a limit is crossed, such as 'success<100,gap>+0.2'",
  )
    .argParser(parseLimits)
    .default([], 'no limits');
}

/** Refuses limits that speak of a baseline where there is none, before anything is run. */
export function requireBaseline(limits: readonly Limit[], given: boolean): void {
  const relative = limits.find(({ base }) => base !== 'zero');
  if (relative === undefined || given) return;
  throw new InputError(
    'no_baseline',
    `the limit '${relative.text}' is relative to a baseline, and there is none`,
    'name one with --baseline, or leave out the sign',
  );
}

/** What a gate found: the comparison, if there is a baseline, and the limits that were crossed. */
export interface GateResult {
  readonly comparison: Comparison | null;
  readonly crossings: readonly Crossing[];
}

/** Holds records against limits. */
export function checkGate(
  limits: readonly Limit[],
  records: readonly RunRecord[],
  comparison: Comparison | null,
): GateResult {
  return { comparison, crossings: crossedLimits(limits, records, comparison) };
}

/** Prints a comparison and the records behind crossed limits. */
export function printGate({ comparison, crossings }: GateResult, format: Format): void {
  if (comparison !== null) print(renderComparison(comparison, format, tableStyle()));
  if (crossings.length === 0) return;
  // One table is all that a program can read from stdout; people find the rows on stderr.
  if (format === 'csv') process.stderr.write(renderCrossings(crossings, 'table'));
  else print(`\n${renderCrossings(crossings, format, tableStyle())}`);
}

/** Says on stderr which limits were crossed, and returns the exit code that follows. */
export function gateExitCode({ crossings }: GateResult): number {
  for (const { message } of crossings) process.stderr.write(`limit crossed: ${message}\n`);
  return crossings.length > 0 ? exitCode.no : exitCode.done;
}
