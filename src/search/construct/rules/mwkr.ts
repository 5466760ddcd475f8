import { byKeys, negated, workRemaining } from './keys.js';
import { HAUPT, type Rule } from './rule.js';

export const mwkr: Rule = {
  name: 'MWKR',
  description: 'most work remaining in the job first',
  source: HAUPT,
  needsDueDates: false,
  prioritize: (instance) => byKeys(negated(workRemaining(instance))),
};
