import { byKeys, flowDueDates, workRemaining } from './keys.js';
import { type Rule, SELS } from './rule.js';

export const fddMwkr: Rule = {
  name: 'FDD/MWKR',
  description: 'smallest ratio of flow due date to work remaining first',
  source: SELS,
  needsDueDates: false,
  prioritize: (instance) => {
    const key = flowDueDates(instance);
    const work = workRemaining(instance);
    for (let op = 0; op < key.length; op++) key[op] /= work[op];
    return byKeys(key);
  },
};
