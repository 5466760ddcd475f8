import * as z from 'zod';
import { MAX_TIME } from '../instance.js';
import { fieldNumber } from './plan-fields.js';

// Schemas of what names jobs, steps and machines in JSON: what is read becomes a number from 0.
// Their messages are cures; `docs/formats.md` has the spellings.

/** A job: `"Job1"` or 1 is the first. */
export const jobLabel = label('job', 1, 'give a job like "Job1"; jobs count from 1');

/** A step of a job: 1 is the first. */
export const stepLabel = label('step', 1, 'give a step as a whole number from 1');

/** A machine: `"Machine0"` or 0 is the first. */
export const machineLabel = label(
  'machine',
  0,
  'give a machine like "Machine0"; machines count from 0',
);

function label(field: 'job' | 'step' | 'machine', first: number, cure: string): z.ZodType<number> {
  return z.unknown().transform((value, context) => {
    const number = fieldNumber(field, value);
    // Adding 0 makes 0 of -0.
    if (Number.isInteger(number) && number >= first && number <= MAX_TIME)
      return number - first + 0;
    context.addIssue({ code: 'custom', message: cure, input: value });
    return z.NEVER;
  });
}
