import type { ShopList } from '../../jssp/shop-timing/lists.js';
import type { ShopTimer } from '../../jssp/shop-timing/timer.js';
import { findRule } from '../construct/rules.js';
import { listByRule, priorityOf } from './shop-rules.js';

/** Rules whose lists are the first ones of a search. */
const RULES = ['MWKR', 'MOPNR', 'SPT', 'FDD/MWKR', 'EST', 'random'];

/** Lists of several rules, each without and with patience; of one rule in large shops. The timer contains the last one. */
export function* firstLists(timer: ShopTimer, seed: number): Generator<ShopList, void> {
  const { instance } = timer.table;
  const most = instance.operations > 2000 ? 1 : RULES.length;
  for (const name of RULES.slice(0, most)) {
    const priority = priorityOf(instance, findRule(name), seed);
    yield listByRule(timer, priority, false);
    if (most > 1) yield listByRule(timer, priority, true);
  }
}
