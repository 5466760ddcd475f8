import { PANWALKAR, type Rule } from './rule.js';

export const fifo: Rule = {
  name: 'FIFO',
  description: 'first in, first out: the operation that waits longest first',
  source: PANWALKAR,
  needsDueDates: false,
  prioritize: () => ({ kind: 'arrival' }),
};
