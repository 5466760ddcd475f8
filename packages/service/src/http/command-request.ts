import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { outcomeSchema } from '../api/shop-schemas.js';
import type { KeyedCaller } from '../shops/shop-directory.js';
import { answersOf } from './answers.js';

// Shared schemas and helpers of the command routes.

/** The idempotency header of a command. */
export const keyHeaders = z.looseObject({
  'idempotency-key': z
    .string()
    .min(1)
    .max(200)
    .regex(/^[!-~]+$/, 'use letters, digits and signs')
    .optional()
    .meta({
      description: 'A repeated request with the same key gets the outcome of the first one.',
    }),
});
/** Refuses unknown query parameters: a misspelled `dry-run` must not execute a command. */
export const noQuery = z.strictObject({});
export const outcomeAnswers = answersOf({ 200: outcomeSchema }, [404, 409, 413, 415, 422]);

/** The query flag of a dry run. */
export const dryRunFlag = z
  .enum(['', 'true', '1', 'false', '0'], 'give true or false')
  .optional()
  .meta({ description: 'Dry run: nothing is written.' });

/** Whether a request is a dry run. */
export function isDryRun({ query }: FastifyRequest): boolean {
  const value = (query as { 'dry-run'?: unknown })['dry-run'];
  return value === '' || value === 'true' || value === '1';
}

/** The caller of a request, and its idempotency key. */
export function keyedCallerOf({ caller, headers }: FastifyRequest): KeyedCaller {
  const key = headers['idempotency-key'];
  return { caller, key: typeof key === 'string' ? key : undefined };
}
