import { byKeys, negated } from './keys.js';
import { PANWALKAR, type Rule } from './rule.js';

export const lpt: Rule = {
  name: 'LPT',
  description: 'longest processing time first',
  source: PANWALKAR,
  needsDueDates: false,
  prioritize: ({ duration }) => byKeys(negated(Float64Array.from(duration))),
};
