import { AlasError } from '@alas-jssp/core/errors';
import { createRandom, type Random } from '@alas-jssp/core/random';
import type { Instance } from '../../jssp/instance.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { type ShopList, withModes } from '../../jssp/shop-timing/lists.js';
import { createShopTimer, type ShopTimer } from '../../jssp/shop-timing/timer.js';
import { listJobs } from './list-by-jobs.js';

/** Random lists that may have no schedule, before job comes after job. */
const TRIES = 20;

/**
 * The schedule of a random list with random modes, of a shop with any features.
 *
 * @throws AlasError `none_found` if frozen starts or maximum lags are missed every time
 */
export function randomShopSchedule(instance: Instance, seed: number | string): Schedule {
  const random = createRandom(seed);
  const timer = createShopTimer(instance);
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const { order, modes } = randomList(timer, random);
    if (timer.time(order, modes) > 0) continue;
    return createSchedule(withModes(instance, modes), timer.start.slice());
  }
  const jobs = Array.from({ length: instance.jobs }, (_, job) => job);
  const { order, modes } = listJobs(timer, random.shuffle(jobs));
  if (timer.time(order, modes) > 0) {
    throw new AlasError(
      'none_found',
      `no random schedule of ${instance.name} keeps every frozen start and every greatest waiting time`,
    );
  }
  return createSchedule(withModes(instance, modes), timer.start.slice());
}

/** Operations in a random order of the jobs, in random modes. */
function randomList({ table }: ShopTimer, random: Random): ShopList {
  const { jobOf, jobOffset } = table.instance;
  const next = jobOffset.slice();
  const order = random.shuffle(Int32Array.from(jobOf));
  for (let i = 0; i < order.length; i++) order[i] = next[order[i]]++;
  const modes = Int32Array.from({ length: table.operations }, (_, op) =>
    random.integer(table.modeOffset[op], table.modeOffset[op + 1] - 1),
  );
  return { order, modes };
}
