import * as z from 'zod';
import { VIOLATION_CODES } from '../judge/violation.js';
import { clock } from '../model/problem-schema.js';

/** Formats in which answers are parsed; `none` if nothing could be parsed. */
export const ANSWER_FORMS = ['json', 'table', 'prose', 'none'] as const;

const count = z.int().min(0);

const violation = z.strictObject({
  code: z.enum(VIOLATION_CODES),
  message: z.string(),
  action: count.optional(),
  person: z.string().optional(),
  vehicle: z.string().optional(),
  activity: z.string().optional(),
  ride: z.string().optional(),
  expected: z.number().optional(),
  found: z.number().optional(),
});

/** Price and distance of a plan, and the gap between its price and the proven bound. */
export const figures = {
  km: z.number(),
  /** The end of its last drive or activity. */
  finish: clock.nullable(),
  cost: z.number(),
  /** Percent above `bound`; null if the bound is unknown, or the plan is invalid. */
  gap_percent: z.number().nullable(),
};

/** The verdict of the judge on a plan. */
export const judgedSchema = z.strictObject({
  valid: z.boolean(),
  violations: z.array(violation),
  ...figures,
});
