import type { Instance } from '../../jssp/instance.js';
import { boundsFor } from '../../jssp/suites.js';
import type { KnownBounds } from '../../validator/index.js';

/** What the literature knows of an instance, as the validator takes it. */
export function knownBounds(instance: Instance): KnownBounds {
  const known = boundsFor(instance);
  if (known === null) return {};
  const source = `literature, ${known.asOf}`;
  return {
    lowerBound: { value: known.lower, source },
    upperBound: { value: known.upper, source },
  };
}
