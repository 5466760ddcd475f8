import { byKeys, workRemaining } from './keys.js';
import { HAUPT, type Rule } from './rule.js';

export const lwkr: Rule = {
  name: 'LWKR',
  description: 'least work remaining in the job first',
  source: HAUPT,
  needsDueDates: false,
  prioritize: (instance) => byKeys(workRemaining(instance)),
};
