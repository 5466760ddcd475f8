import { InputError } from '@alas-jssp/core/errors';
import { fieldNumber } from '../../jssp/formats/plan-fields.js';
import type { Instance } from '../../jssp/instance.js';
import { labelsOf } from '../../jssp/labels.js';
import type { Schedule } from '../../jssp/schedule.js';
import { planCalendar } from './calendar.js';
import { operationSheet, planSheets } from './plan-sheets.js';
import { writeSheetCsv, writeWorkbook } from './workbook.js';

/** The file formats in which other programs read a plan, with their media types. */
export const PLAN_FILE_TYPES = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
  ics: 'text/calendar; charset=utf-8',
} as const;

/** The format of a plan file. */
export type PlanFileFormat = keyof typeof PLAN_FILE_TYPES;

/** The options of a plan's file. */
export interface PlanFileOptions {
  readonly format: PlanFileFormat;
  /** The name of the shop. */
  readonly shop: string;
  readonly version: number;
  /** The label of a machine, to write only its operations. Default: all operations. */
  readonly machine?: string | undefined;
  /** When the file is written, in milliseconds since 1970. */
  readonly stamp: number;
}

/**
 * A plan as a workbook, as CSV (its operations) or as a calendar.
 *
 * @throws InputError `unknown_machine`, and as `planCalendar` does
 */
export async function encodePlan(
  schedule: Schedule,
  options: PlanFileOptions,
): Promise<string | Uint8Array> {
  const { format, shop, version, stamp } = options;
  const machine =
    options.machine === undefined ? undefined : machineOf(schedule.instance, options.machine);
  if (format === 'ics') return planCalendar(schedule, { shop, version, stamp, machine });
  if (format === 'csv') return writeSheetCsv(operationSheet(schedule, machine));
  const about = [
    ['Shop', shop],
    ['Version', version],
  ] as const;
  return writeWorkbook(planSheets(schedule, { machine, about }));
}

/** The machine of a label. @throws InputError `unknown_machine` */
function machineOf(instance: Instance, label: string): number {
  const found = labelsOf(instance).findMachine(label);
  const machine = found?.hint === undefined ? (found?.index ?? fieldNumber('machine', label)) : -1;
  if (Number.isInteger(machine) && machine >= 0 && machine < instance.machines) return machine;
  const problem = `there is no machine ${JSON.stringify(label.slice(0, 80))}`;
  const hint = found?.hint ?? `use Machine0 to Machine${instance.machines - 1}`;
  throw new InputError('unknown_machine', problem, hint, {}, label);
}
