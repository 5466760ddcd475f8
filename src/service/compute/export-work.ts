import { createSchedule } from '../../jssp/schedule.js';
import { encodePlan, type PlanFileOptions } from '../../report/files/plan-file.js';
import type { ShopSchedule } from '../shops/shop-directory.js';

/** A version of the plan of a shop, and the file to export it to. */
export type ExportWork = ShopSchedule & Pick<PlanFileOptions, 'format' | 'shop' | 'machine'>;

/** Writes the plan of a shop as a file. @throws InputError as `encodePlan` does */
export function performExport({ instance, start, ...options }: ExportWork) {
  return encodePlan(createSchedule(instance, start), options);
}
