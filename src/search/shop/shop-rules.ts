import { AlasError } from '@alas-jssp/core/errors';
import { createInstance, type Instance } from '../../jssp/instance.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { modesOf } from '../../jssp/shop-parts.js';
import { type ShopList, withModes } from '../../jssp/shop-timing/lists.js';
import { createShopTimer, type ShopTimer } from '../../jssp/shop-timing/timer.js';
import type { Priority, Rule } from '../construct/rules/rule.js';
import { dispatchList } from './dispatch-list.js';
import { listByJobs } from './list-by-jobs.js';

/**
 * The schedule of a dispatching rule for a shop with any features. Where the rule runs into a dead end because of
 * maximum lags, job comes after job in the list.
 *
 * @throws AlasError `none_found` if frozen starts or maximum lags cannot be kept in this way, or at all
 */
export function dispatchShop(
  instance: Instance,
  rule: Rule,
  isPatient: boolean,
  seed: number,
): Schedule {
  const timer = createShopTimer(instance);
  const priority = priorityOf(instance, rule, seed);
  const list = listByRule(timer, priority, isPatient);
  if (timer.time(list.order, list.modes) > 0) {
    throw new AlasError(
      'none_found',
      `the rule ${rule.name} finds no schedule of ${instance.name} that keeps every frozen start and every greatest waiting time`,
      rule.name,
    );
  }
  return createSchedule(withModes(instance, list.modes), timer.start.slice());
}

/** The list of a rule; the timer contains it afterwards. */
export function listByRule(timer: ShopTimer, priority: Priority, isPatient: boolean): ShopList {
  return dispatchList(timer, priority, isPatient) ?? listByJobs(timer, priority);
}

/** The order that a rule gives to operations, which it sees with the mean duration of their modes. */
export function priorityOf(instance: Instance, rule: Rule, seed: number): Priority {
  return rule.prioritize(inMeanModes(instance), seed);
}

/** The classic shop with mean durations, in chains. */
function inMeanModes(instance: Instance): Instance {
  const { name, machines, jobOffset, machine, release, due, weight } = instance;
  const duration = instance.duration.map((_, op) => {
    const [first, stop] = modesOf(instance, op);
    let sum = 0;
    for (let mode = first; mode < stop; mode++) {
      sum += instance.modes?.duration[mode] ?? instance.duration[op];
    }
    return Math.round(sum / (stop - first));
  });
  return createInstance({ name, machines, jobOffset, machine, duration, release, due, weight });
}
