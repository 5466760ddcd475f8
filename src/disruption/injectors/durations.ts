import { logNormal } from '@alas-jssp/core/distributions';
import { createRandom, type Random } from '@alas-jssp/core/random';
import { deriveSeed } from '@alas-jssp/core/seed';
import { type Instance, MAX_TIME } from '../../jssp/instance.js';
import type { DurationChange } from '../kinds/duration.js';
import type { DurationParameters } from './parameters.js';
import { expectedStarts } from './position.js';

/**
 * Changed durations for a share of the operations, each known at a time uniform up to the expected start of the
 * operation: a few meet running operations, some come too late. A duration stays at least 1, operations without
 * duration are unchanged, and a factor that rounds to the same duration is no event.
 */
export function injectDurations(
  instance: Instance,
  reference: number,
  parameters: DurationParameters,
  seed: number,
): DurationChange[] {
  const { operations, duration, jobOf, jobOffset } = instance;
  const expected = expectedStarts(instance, reference);
  const random = createRandom(deriveSeed(seed, 'duration'));
  const changes: DurationChange[] = [];
  for (let op = 0; op < operations; op++) {
    // Every operation draws the same number of random numbers, so that they do not depend on those of others.
    const isChanged = random.next() < parameters.rate;
    const factor = drawFactor(random, parameters);
    const at = Math.floor(random.next() * (expected[op] + duration[op] / 2));
    const changed = Math.min(MAX_TIME, Math.max(1, Math.round(duration[op] * factor)));
    if (!isChanged || duration[op] === 0 || changed === duration[op]) continue;
    const job = jobOf[op];
    changes.push({ kind: 'duration', at, job, step: op - jobOffset[job], duration: changed });
  }
  return changes;
}

function drawFactor(random: Random, { distribution, spread }: DurationParameters): number {
  if (distribution === 'lognormal') return logNormal(random, spread);
  return 1 + spread * (2 * random.next() - 1);
}
