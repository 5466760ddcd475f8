import { parseUntrustedJson, UNTRUSTED_MEMBERS } from '@alas-jssp/core/json-text';
import type * as z from 'zod';
import { checkRequestPart, type SentBodyName } from '../api/check-body.js';
import { columnsRequestSchema, importRequestSchema } from '../api/import-schemas.js';
import { newShopSchema, reportSchema, wishSchema, withdrawalSchema } from '../api/shop-schemas.js';
import {
  explainRequestSchema,
  optimizeRequestSchema,
  repairRequestSchema,
  validateRequestSchema,
} from '../api/work-schemas.js';
import type { WorkSetting } from './work.js';

/** The schemas of the bodies that threads check. */
const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  shop: newShopSchema,
  report: reportSchema,
  withdrawal: withdrawalSchema,
  wish: wishSchema,
  validate: validateRequestSchema,
  repair: repairRequestSchema,
  optimize: optimizeRequestSchema,
  explain: explainRequestSchema,
  import: importRequestSchema,
  columns: columnsRequestSchema,
} satisfies Record<
  SentBodyName | 'validate' | 'repair' | 'optimize' | 'explain' | 'import' | 'columns',
  z.ZodType
>;

/** A large body, and the name of its schema; without a schema it is only parsed. */
export interface SentBody {
  readonly bytes: Uint8Array;
  readonly schema?: string | undefined;
}

/** Members of a body for each operation that an instance may have: 3 of the instance, 6 of the plan, and some to spare. */
const MEMBERS_PER_OPERATION = 25;

/**
 * Parses a large body and checks it. A service that accepts larger instances accepts more members.
 *
 * @throws InputError `bad_json`, `bad_request`
 */
export function readSentBody(
  { bytes, schema }: SentBody,
  { operations }: Pick<WorkSetting, 'operations'>,
): unknown {
  const members = Math.max(UNTRUSTED_MEMBERS, MEMBERS_PER_OPERATION * operations);
  const value = parseUntrustedJson(bytes, members);
  if (schema === undefined) return value;
  const checked = checkRequestPart(SCHEMAS[schema], value);
  if ('error' in checked) throw checked.error;
  return checked.value;
}
