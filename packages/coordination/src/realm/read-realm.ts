import { checkJson, faultError, InputError } from '@alas-jssp/core';
import type * as z from 'zod';
import { readRealmGathering } from './realm-gathering.js';
import type { RealmReading } from './realm-reading.js';
import { readRealmRides } from './realm-rides.js';
import {
  type RealmGathering,
  type RealmRides,
  realmGatheringSchema,
  realmRidesSchema,
} from './realm-schema.js';

/**
 * Reads an instance of REALM-Bench (arXiv:2502.18836). P3 and P4 become problems and events; P5, P6, P8 and P9 are read
 * only to report the reasons for their refusal.
 *
 * @throws InputError `bad_realm` with the JSON path of the malformed part
 */
export function readRealm(value: unknown, file?: string): RealmReading {
  const has = (key: string) => typeof value === 'object' && value !== null && key in value;
  if (has('ride_requests')) {
    return readRealmRides(checked<RealmRides>(realmRidesSchema, value, file));
  }
  if (has('guests') || has('family_members')) {
    return readRealmGathering(checked<RealmGathering>(realmGatheringSchema, value, file));
  }
  throw new InputError(
    'bad_realm',
    'it has neither ride_requests nor guests nor family_members',
    'give an instance of P3 to P6, P8 or P9 of REALM-Bench',
    { file },
  );
}

function checked<T>(schema: z.ZodType<T>, value: unknown, file: string | undefined): T {
  const result = checkJson<T>(schema, value);
  if (result.fault !== undefined) throw faultError('bad_realm', result.fault, file);
  return result.data;
}
