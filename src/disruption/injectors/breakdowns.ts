import { exponential } from '@alas-jssp/core/distributions';
import { createRandom } from '@alas-jssp/core/random';
import { deriveSeed } from '@alas-jssp/core/seed';
import { type Instance, MAX_TIME } from '../../jssp/instance.js';
import type { Breakdown } from '../kinds/breakdown.js';
import type { BreakdownParameters } from './parameters.js';

/** The time span of breakdowns in reference makespans: schedules are longer than lower bounds. */
const HORIZON = 2;

/**
 * Alternating exponential up and down times on each machine, as in Holthaus 1999 (Scheduling in job shops with machine
 * breakdowns, Computers & Industrial Engineering 36); time advances also while a machine is idle. Each machine has its
 * own random numbers.
 */
export function injectBreakdowns(
  { machines }: Instance,
  reference: number,
  { mtbf, mttr, resumable }: BreakdownParameters,
  seed: number,
): Breakdown[] {
  const breakdowns: Breakdown[] = [];
  for (let machine = 0; machine < machines; machine++) {
    const random = createRandom(deriveSeed(seed, 'breakdown', machine));
    const end = Math.min(HORIZON * reference, MAX_TIME);
    for (let time = 0; ; ) {
      const from = time + Math.round(exponential(random, mtbf * reference));
      const to = from + Math.max(1, Math.round(exponential(random, mttr * reference)));
      const goesOn = random.next() < resumable;
      if (from >= end || to > MAX_TIME) break;
      breakdowns.push({ kind: 'breakdown', at: from, machine, from, to, resumable: goesOn });
      time = to;
    }
  }
  return breakdowns;
}
