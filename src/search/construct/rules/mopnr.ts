import { byKeys, negated, operationsRemaining } from './keys.js';
import { type Rule, SELS } from './rule.js';

export const mopnr: Rule = {
  name: 'MOPNR',
  description: 'most operations remaining in the job first',
  source: SELS,
  needsDueDates: false,
  prioritize: (instance) => byKeys(negated(operationsRemaining(instance))),
};
