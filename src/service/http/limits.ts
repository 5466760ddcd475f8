import * as z from 'zod';
import { checkJson } from '../../core/json-check.js';
import { faultError } from '../../core/json-fault.js';

/** Limits of a service; whoever exceeds one is told which, and when to try again. */
export const limitsSchema = z.strictObject({
  /** Bytes of a request's body: 413 beyond. */
  body: z.int().min(1000).default(8_000_000),
  /** Operations of an instance, its jobs and its machines: 413 beyond. */
  operations: z.int().min(1).default(20_000),
  /** Requests of computing (`/validate`, `/repair`, `/optimize`, `/explain`) at once, in threads: the next wait. */
  searches: z.int().min(1).max(256).default(2),
  /** Requests of computing that wait for a thread: 503 beyond. */
  waiting: z.int().min(0).default(32),
  /** Requests of computing of one caller, at work or waiting: 429 beyond. */
  per_caller: z.int().min(1).default(16),
  /** Seconds that a request of computing may take: a search ends with its best then. */
  seconds: z.number().positive().default(60),
  /** Megabytes of memory that a request of computing may use. */
  megabytes: z.int().min(64).default(1024),
  /** Requests of one caller that wait for one thread of shops: 503 beyond. */
  shop_waiting: z.int().min(1).default(64),
  /** Seconds that a repair of a shop may take: policies are reduced to it, and after twice as long the shop is quarantined. */
  shop_seconds: z.number().positive().max(600).default(5),
  /** Megabytes of memory of a thread of shops: a shop that exceeds them twice is quarantined. */
  shop_megabytes: z.int().min(32).default(4096),
  /** Streams of events that are open at once: 503 beyond. */
  streams: z.int().min(1).default(1000),
  /** Seconds in which a client has to send its headers, and its whole request: 408 beyond. */
  header_seconds: z.number().positive().default(10),
  body_seconds: z.number().positive().default(30),
});

export type ServiceLimits = z.infer<typeof limitsSchema>;

/**
 * Fills the limits that are left out.
 *
 * @throws InputError `bad_limits`
 */
export function fillLimits(given: Partial<ServiceLimits> = {}): ServiceLimits {
  const checked = checkJson(limitsSchema, given);
  if (checked.fault !== undefined) throw faultError('bad_limits', checked.fault);
  return checked.data;
}
