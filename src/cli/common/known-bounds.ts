import { packageVersion } from '../../core/package-version.js';
import type { Instance } from '../../jssp/instance.js';
import type { Schedule } from '../../jssp/schedule.js';
import { boundsFor } from '../../jssp/suites.js';
import { type Certificate, createCertificate, type KnownBounds } from '../../validator/index.js';

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

/**
 * The certificate of a schedule, made by this package.
 *
 * @throws AlasError as `createCertificate` does
 */
export function certify(schedule: Schedule, known: KnownBounds): Certificate {
  const createdWith = { package: 'alas-jssp', version: packageVersion(), node: process.version };
  return createCertificate(schedule, { ...known, createdWith });
}
