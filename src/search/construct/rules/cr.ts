import { InputError } from '@alas-jssp/core/errors';
import { workRemaining } from './keys.js';
import { HAUPT, type Rule } from './rule.js';

export const cr: Rule = {
  name: 'CR',
  description: 'critical ratio: least time to the due date per work remaining first',
  source: HAUPT,
  needsDueDates: true,
  prioritize: (instance) => {
    if (instance.due === null) {
      throw new InputError(
        'no_due_dates',
        `the rule CR needs due dates and ${instance.name} has none`,
        'give the jobs due dates or use another rule',
      );
    }
    const due = Float64Array.from(instance.due, (time) =>
      time < 0 ? Number.POSITIVE_INFINITY : time,
    );
    return { kind: 'critical-ratio', due, work: workRemaining(instance) };
  },
};
