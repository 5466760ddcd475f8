import { InputError } from '../core/errors.js';
import { writePlanJson } from '../jssp/formats/plan-json.js';
import { type Candidate, isSchedule } from '../jssp/plan.js';

/**
 * The text of the file that a judged plan is saved in: the plan format, or, for a plan that this
 * format cannot tell (it has a number that is not finite), the plan as it was handed over with the reason why.
 */
export function planFileText(candidate: Candidate, instance: string): string {
  try {
    return writePlanJson(candidate, { instance });
  } catch (error) {
    if (!(error instanceof InputError) || isSchedule(candidate)) throw error;
    const raw = {
      schema: 'alas-jssp/raw-plan@1',
      instance,
      reason: error.problem,
      makespan: candidate.makespan,
      entries: candidate.entries.map(({ job, step, machine, start, end }) => {
        return { job, step, machine, start, end };
      }),
    };
    return `${JSON.stringify(raw, (_key, value) => tellable(value))}\n`;
  }
}

/** Numbers that JSON does not know become text, such as "NaN". */
function tellable(value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}
