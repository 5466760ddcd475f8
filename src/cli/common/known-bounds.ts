import { packageVersion } from '@alas-jssp/core/package-version';
import type { Instance } from '../../jssp/instance.js';
import type { Schedule } from '../../jssp/schedule.js';
import { boundsFor } from '../../jssp/suites.js';
import { type Certificate, createCertificate, type KnownBounds } from '../../validator/index.js';

/** The literature's bounds of an instance, for the validator. */
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
 * A certificate of a schedule that names this package as its author.
 *
 * @throws AlasError as `createCertificate` does
 */
export function certify(schedule: Schedule, known: KnownBounds): Certificate {
  const createdWith = { package: 'alas-jssp', version: packageVersion(), node: process.version };
  return createCertificate(schedule, { ...known, createdWith });
}
