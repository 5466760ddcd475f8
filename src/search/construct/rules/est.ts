import { byKeys } from './keys.js';
import { type Rule, SELS } from './rule.js';

/**
 * Among operations that could start at different times, EST takes one that could start first. In active generation such
 * a machine never waits while it has work, so the result is the non-delay schedule, in which all candidates could start
 * now and only their numbers decide. So the rule needs no keys.
 */
export const est: Rule = {
  name: 'EST',
  description: 'earliest possible start first (the active schedule is the non-delay one)',
  source: SELS,
  needsDueDates: false,
  prioritize: ({ operations }) => byKeys(new Float64Array(operations)),
};
