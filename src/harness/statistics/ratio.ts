import { createRandom } from '@alas-jssp/core/random';
import { quantileSorted } from 'simple-statistics';
import { type BootstrapOptions, type Interval, RESAMPLES } from './bootstrap.js';
import { sum } from './descriptive.js';

/** A part and the whole that it is measured against, of one instance. */
export interface PartOfWhole {
  readonly part: number;
  readonly whole: number;
}

/** The sum of the parts over the sum of the wholes; null if that is not above 0. */
export function ratioOfSums(values: readonly PartOfWhole[]): number | null {
  const whole = sum(values.map((one) => one.whole));
  return whole > 0 ? sum(values.map(({ part }) => part)) / whole : null;
}

/**
 * The 95 % interval of {@link ratioOfSums} by the bootstrap over instances (percentile method, as `clusterBootstrap`).
 *
 * @returns null with fewer than two instances, if all parts are 0, or if too many resamples have no whole
 */
export function ratioBootstrap(
  values: readonly PartOfWhole[],
  { seed, resamples = RESAMPLES }: BootstrapOptions,
): Interval | null {
  if (values.length < 2 || values.every(({ part }) => part === 0)) return null;
  const random = createRandom(seed);
  const ratios: number[] = [];
  for (let k = 0; k < resamples; k++) {
    let part = 0;
    let whole = 0;
    for (let draw = 0; draw < values.length; draw++) {
      const drawn = values[random.integer(0, values.length - 1)];
      part += drawn.part;
      whole += drawn.whole;
    }
    if (whole > 0) ratios.push(part / whole);
  }
  if (ratios.length < LEAST_DEFINED * resamples) return null;
  const sorted = ratios.sort((a, b) => a - b);
  return { low: quantileSorted(sorted, 0.025), high: quantileSorted(sorted, 0.975) };
}

/** Share of the resamples that must have a whole. */
const LEAST_DEFINED = 0.95;
