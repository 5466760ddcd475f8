import * as z from 'zod';
import { MAX_TIME } from '../../jssp/instance.js';
import { MAX_TOTAL_WEIGHT } from '../../jssp/instance-checks.js';
import type { EventNeed } from '../arriving.js';
import { unsigned } from '../spelling.js';

// The messages of these schemas are hints: the problem text describes the value found.

/** Times. */
export const time = z
  .int(`give a whole number from 0 to ${MAX_TIME}`)
  .min(0)
  .max(MAX_TIME)
  .overwrite(unsigned);
/** Weights of jobs. */
export const weight = z
  .int(`give a whole number from 0 to ${MAX_TOTAL_WEIGHT}`)
  .min(0)
  .max(MAX_TOTAL_WEIGHT)
  .overwrite(unsigned);
/** Names of jobs and operations. */
export const name = z
  .string('give a name in quotes')
  .min(1, 'give a name of 1 to 200 letters')
  .max(200, 'use at most 200 characters');

/** The needs of resources. */
export function needsSchema(resource: z.ZodType<number>) {
  const need = z.strictObject(
    {
      resource,
      amount: z.int('give a whole number from 1').min(1).max(MAX_TIME).optional(),
      during: z.enum(['work', 'setup'], 'give work or setup').optional(),
    },
    'give an object with the key resource and, if need be, amount, during',
  );
  const hint = 'name each resource once, with its amount, for the work and for the setup';
  return z.array(need, 'give a list of needs').refine(areDistinct, hint).optional();
}

/** Whether needs name each resource at most once for the work, and once for the setup. */
function areDistinct(needs: readonly EventNeed[]): boolean {
  const keys = needs.map(({ resource, during = 'work' }) => `${resource} ${during}`);
  return new Set(keys).size === keys.length;
}

/** A test whether an event becomes known at the time of a member or earlier; {@link knownInTime} is its hint. */
export function isKnownBy<Key extends string>(key: Key) {
  return (event: { at?: number | undefined } & Record<Key, number>): boolean =>
    event.at === undefined || event.at <= event[key];
}

/** The hint of {@link isKnownBy}. */
export const knownInTime = (begin: string) => ({
  message: `let it become known when ${begin} or earlier`,
  path: ['at'],
});
