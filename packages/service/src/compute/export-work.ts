import { encodePlan, type PlanFileOptions } from 'alas-jssp/internal/service';
import { createSchedule } from 'alas-jssp/jssp';
import type { ShopSchedule } from '../shops/shop-directory.js';

/** A version of the plan of a shop, and the file to export it to. */
export type ExportWork = ShopSchedule & Pick<PlanFileOptions, 'format' | 'shop' | 'machine'>;

/** Writes the plan of a shop as a file. @throws InputError as `encodePlan` does */
export function performExport({ instance, start, ...options }: ExportWork) {
  return encodePlan(createSchedule(instance, start), options);
}
