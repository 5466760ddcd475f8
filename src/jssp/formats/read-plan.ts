import { readBytes } from '@alas-jssp/core/bytes';
import { bytesOf, firstByte } from '@alas-jssp/core/text';
import type { Instance } from '../instance.js';
import { planFromForeignText } from './exchange/foreign-plans.js';
import { parsePlanCsv } from './plan-csv.js';
import type { PlanFile } from './plan-file.js';
import { parsePlanJson } from './plan-json.js';

/**
 * Reads a plan from a JSON or CSV file, plain or gzip; the format is detected by content.
 *
 * @param instance the instance of the plan, if known: it is the best evidence whether the file counts from 0 or 1
 * @throws InputError with file, line or JSON path, and hint
 */
export function readPlan(path: string, instance?: Instance): PlanFile {
  return parsePlan(readBytes(path), path, instance);
}

/** Parses a plan from a text, or from its bytes (not gzip), as {@link readPlan} does from a file. */
export function parsePlan(text: string | Uint8Array, file?: string, instance?: Instance): PlanFile {
  const bytes = bytesOf(text, file);
  const first = firstByte(bytes);
  const isJson = first === 0x7b || first === 0x5b;
  if (isJson) return parsePlanJson(bytes, file, instance);
  return planFromForeignText(bytes, file, instance) ?? parsePlanCsv(bytes, file, instance);
}
