import { dispatch } from '../../search/construct/dispatch.js';
import { findRule, ruleId } from '../../search/construct/rules.js';
import { type RepairMethod, singlePhaseResult } from '../task.js';

/** The default rule of `dispatch`. */
const DEFAULT_RULE = 'mwkr';

/**
 * Re-dispatching: discards the plan and schedules everything that has not started by a priority rule, without delay.
 * Feasible except for deadlines. Ignores the policy.
 *
 * @param rule the name of a rule; the method is then called `dispatch:RULE`
 * @throws InputError `unknown_rule`; `repair` throws `no_due_dates` if the rule needs due dates and the instance has
 *   none
 */
export function dispatchMethod(rule?: string): RepairMethod {
  const found = findRule(rule ?? DEFAULT_RULE);
  return {
    name: rule === undefined ? 'dispatch' : `dispatch:${ruleId(found)}`,
    repair: ({ instance }, _policy, { seed }) =>
      singlePhaseResult(dispatch(instance, { rule: found, seed }), 'recompute'),
  };
}
