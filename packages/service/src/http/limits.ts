import { checkJson } from '@alas-jssp/core/json-check';
import { faultError } from '@alas-jssp/core/json-fault';
import * as z from 'zod';

/** Limits of a service. A refusal names the exceeded limit, and the time of a retry. */
export const limitsSchema = z.strictObject({
  /** Bytes of a request body: 413 beyond. */
  body: z.int().min(1000).default(8_000_000),
  /** Operations, jobs and machines of an instance, each: 413 beyond. */
  operations: z.int().min(1).default(20_000),
  /** Concurrent compute requests (`/validate`, `/repair`, `/optimize`, `/explain`), in threads; others are queued. */
  searches: z.int().min(1).max(256).default(2),
  /** Queued compute requests: 503 beyond. */
  waiting: z.int().min(0).default(32),
  /** Compute requests of one caller, running or queued: 429 beyond. */
  per_caller: z.int().min(1).default(16),
  /** Time limit of a compute request, in seconds; a search then ends with its best result. */
  seconds: z.number().positive().default(60),
  /** Memory of a compute request, in megabytes. */
  megabytes: z.int().min(64).default(1024),
  /** Queued requests of one caller per shop thread: 503 beyond. */
  shop_waiting: z.int().min(1).default(64),
  /**
   * Time limit of a repair of a shop, in seconds: policies are reduced to it; after twice as long the shop is
   * quarantined.
   */
  shop_seconds: z.number().positive().max(600).default(5),
  /** Memory of a shop thread, in megabytes: a shop that exceeds it twice is quarantined. */
  shop_megabytes: z.int().min(32).default(4096),
  /** Open event streams: 503 beyond. */
  streams: z.int().min(1).default(1000),
  /** Seconds in which a client must send its headers, and its whole request: 408 beyond. */
  header_seconds: z.number().positive().default(10),
  body_seconds: z.number().positive().default(30),
});

export type ServiceLimits = z.infer<typeof limitsSchema>;

/**
 * Adds the defaults of missing limits.
 *
 * @throws InputError `bad_limits`
 */
export function fillLimits(given: Partial<ServiceLimits> = {}): ServiceLimits {
  const checked = checkJson(limitsSchema, given);
  if (checked.fault !== undefined) throw faultError('bad_limits', checked.fault);
  return checked.data;
}
