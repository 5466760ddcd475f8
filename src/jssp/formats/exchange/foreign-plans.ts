import { decodeText } from '@alas-jssp/core/text';
import type { Instance } from '../../instance.js';
import type { PlanFile } from '../plan-file.js';
import { isJobShopLibSchedule, planFromJobShopLib } from './job-shop-lib-schedule.js';
import { isNamedIntervals, planFromIntervals } from './named-intervals.js';
import {
  isPyJobShopSol,
  isPyJobShopSolution,
  planFromPyJobShop,
  planFromPyJobShopSol,
} from './pyjobshop-solution.js';

/** Reads a plan from the JSON of another program; undefined if it is none that is known. */
export function planFromForeignJson(
  document: unknown,
  file?: string,
  instance?: Instance,
): PlanFile | undefined {
  if (isJobShopLibSchedule(document)) return planFromJobShopLib(document, file);
  if (isPyJobShopSolution(document)) return planFromPyJobShop(document, instance, file);
  if (isNamedIntervals(document)) return planFromIntervals(document, instance, file);
  return undefined;
}

/** Enough to detect the text of another program. */
const HEAD_LENGTH = 2000;
const DECODER = new TextDecoder();

/** Reads a plan from a text of another program; undefined if it is none that is known. */
export function planFromForeignText(
  bytes: Uint8Array,
  file?: string,
  instance?: Instance,
): PlanFile | undefined {
  const head = DECODER.decode(bytes.subarray(0, HEAD_LENGTH));
  return isPyJobShopSol(head)
    ? planFromPyJobShopSol(decodeText(bytes, file), instance, file)
    : undefined;
}
