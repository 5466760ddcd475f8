import { policy } from '../../lcrp/policy/make-policy.js';
import type { OpenPolicy } from '../../lcrp/policy/policy.js';
import type { RepairRow } from './row-names.js';
import type { Happening } from './shop-values.js';

/** Seconds that a search over all that has not started may take. */
const SEARCH_SECONDS = 2;

const REPAIR = ['lcrp', 'affected', 'right-shift'];

/** Methods of a row, at most. */
export const MOST_ROW_METHODS = REPAIR.length + 1;

/**
 * The policy of a row in a shop. The limits and estimates of the shop hold in each; all rows but `due-dates` have the
 * objective of the shop, too.
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

/** The policy by which an instant is repaired: that of the row that its report chose, or of the shop. */
export function policyOfInstant(own: OpenPolicy, { row }: Pick<Happening, 'row'>): OpenPolicy {
  return row === undefined ? own : policyOfRow(own, row);
}
