import { InputError } from '@alas-jssp/core/errors';
import { scheduleFromPlan } from '../../jssp/plan.js';
import type { Schedule } from '../../jssp/schedule.js';
import { resolveSource } from '../../jssp/suites.js';
import { ganttSvg } from '../../report/chart/gantt-svg.js';
import { renderGantt } from '../../report/chart/gantt-text.js';
import { encodePlan } from '../../report/files/plan-file.js';
import { counted } from '../../report/format.js';
import { collectSchedule } from '../../report/page/views/collect-schedule.js';
import { viewSchedule } from '../../report/page/views/schedule-view.js';
import { validate } from '../../validator/index.js';
import { writeOutput } from '../common/files.js';
import { type GivenTime, timeOf } from '../common/options.js';
import { print, remark } from '../common/output.js';
import { writePage } from '../common/page-file.js';
import { readPlanOf, warnIfOtherInstance } from '../common/plan-files.js';
import type { Session } from '../common/session.js';
import { tableStyle } from '../common/tables.js';

/** The files to write of a plan, and the time to mark in its chart. */
export interface PlanOptions {
  svg?: string;
  html?: string;
  xlsx?: string;
  ics?: string;
  machine?: string;
  operators?: boolean;
  now?: GivenTime;
}

/** Draws a plan, valid or not, by its start times. */
export async function drawPlan(
  session: Session,
  spec: string,
  file: string,
  options: PlanOptions,
): Promise<void> {
  const source = resolveSource(spec);
  const instance = source.load();
  const planFile = await readPlanOf(session, file, instance);
  const { svg, html, xlsx, ics, operators } = options;
  if (operators && instance.resources === null) {
    const hint = 'omit --operators: the rows are machines then';
    throw new InputError('no_operators', `${source.name} has no operators or tools`, hint);
  }
  const now = timeOf(options.now, instance, '--now');
  if (svg !== undefined) {
    writeOutput(svg, ganttSvg(viewSchedule(instance, planFile.plan), { now }));
    remark(session, `wrote ${svg}`);
  }
  if (html !== undefined) writePage(session, html, collectSchedule(instance, planFile.plan, now));
  const schedule = scheduleFromPlan(instance, planFile.plan);
  if (xlsx !== undefined || ics !== undefined) await writePlanFiles(session, schedule, options);
  if ([svg, html, xlsx, ics].every((output) => output === undefined)) {
    await print(
      session,
      renderGantt(schedule, { ...tableStyle(session.host.stdout), now, operators }),
    );
  }
  for (const line of warnIfOtherInstance(planFile, source.name)) remark(session, line);
  const { valid, total, violations } = validate(instance, planFile.plan);
  if (valid) return;
  remark(session, `the plan is invalid, ${counted(total, 'violation')}: ${violations[0].message}`);
}

/** Writes a plan as a workbook and as a calendar. */
async function writePlanFiles(
  session: Session,
  schedule: Schedule,
  options: PlanOptions,
): Promise<void> {
  const { machine } = options;
  const shop = schedule.instance.name;
  for (const format of ['xlsx', 'ics'] as const) {
    const file = options[format];
    if (file === undefined) continue;
    const plan = { format, shop, version: 1, machine, stamp: Date.now() };
    writeOutput(file, await encodePlan(schedule, plan));
    remark(session, `wrote ${file}`);
  }
}
