import { exponential } from '@alas-jssp/core/distributions';
import { createRandom } from '@alas-jssp/core/random';
import { deriveSeed } from '@alas-jssp/core/seed';
import { type Instance, MAX_TIME } from '../../jssp/instance.js';
import type { Delay } from '../kinds/delay.js';
import type { DelayParameters } from './parameters.js';
import { expectedStarts } from './position.js';

/**
 * Late material for a share of the operations: by an exponential time after the expected start of the operation, known
 * at a time uniform up to then.
 */
export function injectDelays(
  instance: Instance,
  reference: number,
  { rate, mean }: DelayParameters,
  seed: number,
): Delay[] {
  const { operations, jobOf, jobOffset } = instance;
  const expected = expectedStarts(instance, reference);
  const random = createRandom(deriveSeed(seed, 'delay'));
  const delays: Delay[] = [];
  for (let op = 0; op < operations; op++) {
    const isLate = random.next() < rate;
    const at = Math.floor(random.next() * expected[op]);
    const until = Math.ceil(expected[op] + exponential(random, mean * reference));
    if (!isLate || until > MAX_TIME) continue;
    const job = jobOf[op];
    delays.push({ kind: 'delay', at, job, step: op - jobOffset[job], until });
  }
  return delays;
}
