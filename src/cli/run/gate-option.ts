import { Option } from 'commander';
import { parseLimits } from '../../harness/records/limits.js';

/** `--fail-on`, which turns a run or a comparison into a gate for CI. */
export function failOnOption(): Option {
  return new Option(
    '--fail-on <limits>',
    "exit with 1 if a limit is crossed, such as 'success<100,gap>+0.2'",
  )
    .argParser(parseLimits)
    .default([], 'no limits');
}
