import { AlasError } from '@alas-jssp/core/errors';
import { type Instance, replaceInstance } from '../../jssp/instance.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { dispatch } from '../../search/construct/dispatch.js';
import { isFeasible } from '../../validator/judge.js';

/** The schedule of the usual dispatching rule, if it is feasible apart from deadlines. */
export function dispatchIfAny(instance: Instance, seed: number): Schedule | null {
  try {
    const { start, instance: assigned } = dispatch(instance, { rule: 'mwkr', seed });
    const withoutDeadlines = replaceInstance(assigned, { deadline: null });
    return isFeasible(withoutDeadlines, start) ? createSchedule(assigned, start) : null;
  } catch (error) {
    if (error instanceof AlasError) return null;
    throw error;
  }
}
