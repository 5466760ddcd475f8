// The targets of the fuzzer: all parsers of foreign input, and the service.
import type { FuzzTarget } from '../target.js';
import * as answers from './answers.js';
import * as exchange from './exchange.js';
import * as service from './service.js';
import * as shops from './shops.js';
import * as workflows from './workflows.js';

// The errors of the parsers are those of this module, also where it is bundled.
export { tryInput } from '../target.js';

/** All targets, in the order of their runs. */
export const targets: readonly FuzzTarget[] = [
  shops,
  exchange,
  answers,
  workflows,
  service,
].flatMap((family) => Object.values(family).filter(isTarget));

function isTarget(value: unknown): value is FuzzTarget {
  return typeof value === 'object' && value !== null && 'seeds' in value && 'run' in value;
}
