import { writePlanCsv } from '../../jssp/formats/plan-csv.js';
import type { PlanFile } from '../../jssp/formats/plan-file.js';
import { writePlanJson } from '../../jssp/formats/plan-json.js';
import { parsePlan, readPlan } from '../../jssp/formats/read-plan.js';
import type { Instance } from '../../jssp/instance.js';
import { isSameInstanceName } from '../../jssp/names.js';
import { totalWeightedTardiness } from '../../jssp/objectives.js';
import { type Plan, scheduleFromPlan } from '../../jssp/plan.js';
import type { Schedule } from '../../jssp/schedule.js';
import { readStdin, writeOutput } from './files.js';
import { remarkNotRead } from './output.js';
import type { Session } from './session.js';

/** Reads the plan that a user names: a file, or `-` for stdin. */
export async function readPlanOf(
  session: Session,
  file: string,
  instance: Instance,
): Promise<PlanFile> {
  const read =
    file === '-'
      ? parsePlan(await readStdin(session), 'stdin', instance)
      : readPlan(file, instance);
  for (const note of read.notes ?? []) remarkNotRead(session, file, note);
  return read;
}

/** A warning if the plan file names another instance; else none. */
export function warnIfOtherInstance({ instance: claimed }: PlanFile, name: string): string[] {
  if (claimed === undefined || isSameInstanceName(claimed, name)) return [];
  return [`warning: the plan names the instance ${claimed}, not ${name}`];
}

/** The total weighted tardiness of a valid plan; null if no job has a due date. */
export function tardinessOf(instance: Instance, plan: Plan): number | null {
  return instance.due && totalWeightedTardiness(scheduleFromPlan(instance, plan));
}

/** Writes a schedule as a plan: CSV if the file ends in .csv, else JSON. */
export function writePlanFile(file: string, schedule: Schedule, instance: string): void {
  const isCsv = /\.csv(\.gz)?$/i.test(file);
  writeOutput(file, isCsv ? writePlanCsv(schedule) : writePlanJson(schedule, { instance }));
}
