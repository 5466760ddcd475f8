import { byKeys } from './keys.js';
import { PANWALKAR, type Rule } from './rule.js';

export const spt: Rule = {
  name: 'SPT',
  description: 'shortest processing time first',
  source: PANWALKAR,
  needsDueDates: false,
  prioritize: ({ duration }) => byKeys(Float64Array.from(duration)),
};
