import { dispatch } from '../../search/construct/dispatch.js';
import { findRule, ruleId } from '../../search/construct/rules.js';
import { madeAtOnce, type RepairMethod } from '../task.js';

/** The rule of `dispatch` if none is named. */
const DEFAULT_RULE = 'mwkr';

/**
 * Re-dispatching: what was planned is forgotten, and a priority rule schedules everything that has
 * not started anew, without delay. Feasible but for deadlines. Does not heed the policy.
 *
 * @param rule the name of a rule; the method is called `dispatch:RULE` then
 * @throws InputError `unknown_rule`; `repair` throws `no_due_dates` if the rule needs due dates and
 *   the instance has none
 */
export function dispatchAnew(rule?: string): RepairMethod {
  const found = findRule(rule ?? DEFAULT_RULE);
  return {
    name: rule === undefined ? 'dispatch' : `dispatch:${ruleId(found)}`,
    repair: ({ instance }, _policy, { seed }) =>
      madeAtOnce(dispatch(instance, { rule: found, seed }), 'recompute'),
  };
}
