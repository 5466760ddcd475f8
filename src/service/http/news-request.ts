import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { outcomeSchema } from '../api/shop-schemas.js';
import type { Teller } from '../shops/shop-directory.js';
import { answersOf } from './answers.js';

// What the routes have in common by which shops are told of something.

/** The header of a request that may be sent again. */
export const keyHeaders = z.looseObject({
  'idempotency-key': z
    .string()
    .min(1)
    .max(200)
    .regex(/^[!-~]+$/, 'use letters, digits and signs')
    .optional()
    .meta({ description: 'A second request with the same key gets the answer of the first.' }),
});
/** A query that is not understood is refused: what a `dryrun` only tries out must not happen. */
export const noQuery = z.strictObject({});
export const told = answersOf({ 200: outcomeSchema }, [404, 409, 413, 415, 422]);

/** The flag of a query that only tries something out. */
export const dryRunFlag = z
  .enum(['', 'true', '1', 'false', '0'], 'give true or false')
  .optional()
  .meta({ description: 'Tries it out; nothing is written.' });

/** Whether something is to be tried out only. */
export function isDryRun({ query }: FastifyRequest): boolean {
  const value = (query as { 'dry-run'?: unknown })['dry-run'];
  return value === '' || value === 'true' || value === '1';
}

/** Who tells something, and under which key. */
export function tellerOf({ caller, headers }: FastifyRequest): Teller {
  const key = headers['idempotency-key'];
  return { by: caller, key: typeof key === 'string' ? key : undefined };
}
