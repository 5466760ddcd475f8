import { InputError } from '@alas-jssp/core/errors';
import { type OpenOptions, openPlan } from '@alas-jssp/living-plan';
import { type Shop, shopOf } from './follow-shop.js';
import { createShopMemory, type ShopMemory } from './shop-memory.js';
import { shopHandlers } from './shop-steps.js';
import type { ShopKind } from './shop-values.js';
import { type NewShop, readyShop, requireSamePlan, type ShopWatch } from './start-shop.js';
import { shopReader } from './story.js';

/** The log of a shop and how to run it. */
export interface ShopOptions extends Partial<NewShop>, OpenOptions<ShopKind>, ShopWatch {
  /** The id of its run. If the log has a shop of that id, it is resumed. Default `shop`. */
  readonly runId?: string | undefined;
}

/**
 * Opens a shop in a log, as `openPlan` does. If the log has no run `runId`, a new shop is started, which needs
 * `schedule`.
 *
 * @throws InputError as `readyShop` does; `no_schedule` if there is neither a shop nor a schedule;
 *   `other_instance` if the shop has another instance or plan than `schedule`
 * @throws AlasError `run_owned` if another process owns the run
 */
export async function openShop(options: ShopOptions): Promise<Shop> {
  const { store, runId = 'shop', find, schedule } = options;
  let memory: ShopMemory | undefined;
  const plan = await openPlan(shopReader, runId, options, (story) => {
    if (story !== undefined) {
      requireSamePlan(story, schedule);
      memory = createShopMemory(store, find);
      return { memory, registry: shopHandlers({ ...options, memory }) };
    }
    if (schedule === undefined) {
      const problem = `the log has no shop ${runId}, and there is no schedule for one`;
      throw new InputError('no_schedule', problem, 'give the schedule to follow');
    }
    const ready = readyShop(store, { ...options, schedule }, options);
    ready.memory.open(runId, ready.input, schedule.instance);
    ({ memory } = ready);
    return { memory, registry: ready.registry, start: ready };
  });
  return shopOf(plan, memory as ShopMemory);
}
