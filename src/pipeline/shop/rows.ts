import { policy } from '../../lcrp/policy/make-policy.js';
import type { OpenPolicy } from '../../lcrp/policy/policy.js';
import type { RepairRow } from './row-names.js';
import type { ShopInstant } from './shop-values.js';

/** Time limit of a search over all operations that have not started, in seconds. */
const SEARCH_SECONDS = 2;

const REPAIR = ['lcrp', 'affected', 'right-shift'];

/** The largest number of methods of a row. */
export const MOST_ROW_METHODS = REPAIR.length + 1;

/**
 * The policy of a row in a shop. Every row keeps the limits and estimates of the shop; all rows except `due-dates`
 * also keep its objective.
 *
 * @param own the policy of the shop
 */
export function policyOfRow(own: OpenPolicy, row: RepairRow): OpenPolicy {
  const { objective, limits, estimates, approval } = own;
  const common = { objective, limits, estimates, approval };
  const budget = { seconds: SEARCH_SECONDS };
  switch (row) {
    case 'shop':
      return own;
    case 'due-dates': {
      const tardiness = 'total-weighted-tardiness';
      return policy({ ...common, objective: tardiness, methods: REPAIR, budget });
    }
    case 'few-moves':
      return policy('high-stability', { ...common, methods: ['postpone', ...REPAIR] });
    case 'do-nothing':
      return policy({ ...common, methods: ['affected', 'right-shift'] });
    case 'from-scratch':
      return policy({ ...common, methods: ['recompute', 'affected', 'right-shift'], budget });
  }
}

/** The policy that repairs an instant: the row chosen by its report, or else the policy of the shop. */
export function policyOfInstant(own: OpenPolicy, { row }: Pick<ShopInstant, 'row'>): OpenPolicy {
  return row === undefined ? own : policyOfRow(own, row);
}
