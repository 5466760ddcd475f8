import { createRandom } from '@alas-jssp/core/random';
import { deriveSeed } from '@alas-jssp/core/seed';
import { type Instance, MAX_TIME } from '../../jssp/instance.js';
import { modeMachine, modesOf } from '../../jssp/shop-parts.js';
import type { NewAlternative } from '../kinds/alternative.js';
import type { AlternativeParameters } from './parameters.js';
import { expectedStarts } from './position.js';

/**
 * A further machine for a share of the operations, which takes longer by a factor and needs the same operators; known at
 * a time uniform up to the expected start of the operation. Operations without duration, and those that every machine
 * can do, get none.
 */
export function injectAlternatives(
  instance: Instance,
  reference: number,
  { rate, factor }: AlternativeParameters,
  seed: number,
): NewAlternative[] {
  const { operations, machines, duration, jobOf, jobOffset } = instance;
  const expected = expectedStarts(instance, reference);
  const random = createRandom(deriveSeed(seed, 'alternative'));
  const found: NewAlternative[] = [];
  for (let op = 0; op < operations; op++) {
    // Every operation draws the same number of random numbers, so that they do not depend on those of others.
    const isChosen = random.next() < rate;
    const at = Math.floor(random.next() * expected[op]);
    const share = random.next();
    if (!isChosen || duration[op] === 0) continue;
    const others = otherMachines(instance, op, machines);
    if (others.length === 0) continue;
    const machine = others[Math.floor(share * others.length)];
    const job = jobOf[op];
    const longer = Math.min(MAX_TIME, Math.max(1, Math.round(duration[op] * factor)));
    const step = op - jobOffset[job];
    found.push({ kind: 'alternative', at, job, step, machine, duration: longer });
  }
  return found;
}

/** The machines that cannot do an operation yet. */
function otherMachines(instance: Instance, op: number, machines: number): number[] {
  const [first, stop] = modesOf(instance, op);
  const known = new Set<number>();
  for (let mode = first; mode < stop; mode++) known.add(modeMachine(instance, mode));
  return Array.from({ length: machines }, (_, k) => k).filter((k) => !known.has(k));
}
