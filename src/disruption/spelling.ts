import * as z from 'zod';
import { fieldNumber } from '../jssp/formats/plan-fields.js';
import { MAX_TIME } from '../jssp/instance.js';
import { resourceNumber } from './resource-labels.js';

/** No other number than 0 is -0. */
export const unsigned = (number: number): number => number + 0;

/** Schemas of the terms for jobs, steps and machines, which become numbers from 0. */
export interface Spelling {
  readonly job: z.ZodType<number>;
  readonly step: z.ZodType<number>;
  readonly machine: z.ZodType<number>;
  readonly resource: z.ZodType<number>;
}

const index = (what: string) =>
  z.int(`give a ${what} as a whole number from 0`).min(0).overwrite(unsigned);

/** The terms of programs. */
export const countedSpelling: Spelling = {
  job: index('job'),
  step: index('step'),
  machine: index('machine'),
  resource: index('resource'),
};

/** The terms of files and the command line; `docs/reference/formats.md` lists the spellings. */
export const labelledSpelling: Spelling = {
  job: label('job', 1, 'give a job like "Job1"; jobs count from 1'),
  step: label('step', 1, 'give a step as a whole number from 1'),
  machine: label('machine', 0, 'give a machine like "Machine0"; machines count from 0'),
  resource: z.unknown().transform((value, context) => {
    const number = resourceNumber(value);
    if (number !== undefined && number <= MAX_TIME) return unsigned(number);
    const message = 'give a resource like "Resource0"; resources count from 0';
    context.addIssue({ code: 'custom', message, input: value });
    return z.NEVER;
  }),
};

function label(field: 'job' | 'step' | 'machine', first: number, hint: string): z.ZodType<number> {
  return z.unknown().transform((value, context) => {
    const number = fieldNumber(field, value);
    if (Number.isInteger(number) && number >= first && number <= MAX_TIME) {
      return unsigned(number - first);
    }
    context.addIssue({ code: 'custom', message: hint, input: value });
    return z.NEVER;
  });
}
