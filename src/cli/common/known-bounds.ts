import type { Instance } from '../../jssp/instance.js';
import { boundsFor } from '../../jssp/suites.js';
import type { KnownBounds } from '../../validator/index.js';

/** Bounds of an instance in the literature, as the validator takes them. */
export function knownBounds(instance: Instance): KnownBounds {
  const known = boundsFor(instance);
  if (known === null) return {};
  const source = `literature, ${known.asOf}`;
  return {
    lowerBound: { value: known.lower, source },
    upperBound: { value: known.upper, source },
  };
}
