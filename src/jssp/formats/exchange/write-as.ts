import { InputError } from '@alas-jssp/core/errors';
import type { Instance } from '../../instance.js';
import { type Plan, scheduleFromPlan } from '../../plan.js';
import type { Schedule } from '../../schedule.js';
import { writeFlexible } from '../flexible.js';
import { writeInstanceJson } from '../instance-json.js';
import { writePlanCsv } from '../plan-csv.js';
import { writePlanJson } from '../plan-json.js';
import { writeStandard } from '../standard.js';
import { claimLosses, makespanLosses } from './claim-losses.js';
import { writeJobShopLibSchedule } from './job-shop-lib-schedule.js';
import { writeProjectXml } from './project-xml.js';
import { writePyJobShopSolution } from './pyjobshop-solution.js';
import { labelLosses, type WrittenInstance, writeJobShopLib } from './write-job-shop-lib.js';
import { writePyJobShop } from './write-pyjobshop.js';

/** The formats in which an instance can be written. */
const INSTANCE_WRITERS = {
  json: (instance) => withoutLosses(writeInstanceJson(instance)),
  standard: (instance) => ({ text: writeStandard(instance), losses: labelLosses(instance) }),
  fjs: (instance) => ({ text: writeFlexible(instance), losses: labelLosses(instance) }),
  'job-shop-lib': writeJobShopLib,
  pyjobshop: writePyJobShop,
} as const satisfies Readonly<Record<string, (instance: Instance) => WrittenInstance>>;

/** Writes a plan of an instance. */
type PlanWriter = (plan: Plan, shop: Instance, name: string) => WrittenInstance;

/** Writes the schedule of a plan: its starts and modes. Claims that it does not have are losses. */
const ofSchedule =
  (write: (schedule: Schedule) => WrittenInstance): PlanWriter =>
  (plan, shop) => {
    const schedule = scheduleFromPlan(shop, plan);
    const { text, losses } = write(schedule);
    return { text, losses: [...claimLosses(plan, schedule), ...losses] };
  };

/** The formats in which a plan can be written. */
const PLAN_WRITERS = {
  json: (plan, shop, instance) => withoutLosses(writePlanJson(plan, { instance, shop })),
  csv: (plan, shop) => ({ text: writePlanCsv(plan, { shop }), losses: makespanLosses(plan) }),
  'job-shop-lib': ofSchedule(writeJobShopLibSchedule),
  pyjobshop: ofSchedule(writePyJobShopSolution),
  'ms-project': ofSchedule(writeProjectXml),
} as const satisfies Readonly<Record<string, PlanWriter>>;

type InstanceTarget = keyof typeof INSTANCE_WRITERS;
type PlanTarget = keyof typeof PLAN_WRITERS;

/** The formats to convert instances or plans to. */
export type ExchangeFormat = InstanceTarget | PlanTarget;

/** All of them. */
export const EXCHANGE_FORMATS = [
  ...new Set([...Object.keys(INSTANCE_WRITERS), ...Object.keys(PLAN_WRITERS)]),
] as readonly ExchangeFormat[];

/**
 * Writes an instance in a format.
 *
 * @throws InputError `no_such_writer` for a format of plans only, `not_standard` and `not_flexible` as those writers do
 */
export function writeInstanceAs(instance: Instance, format: ExchangeFormat): WrittenInstance {
  const writers: Readonly<Record<string, (instance: Instance) => WrittenInstance>> =
    INSTANCE_WRITERS;
  return writerOf(writers, format, 'an instance')(instance);
}

/**
 * Writes a plan in a format. Ours keep the claims of the plan; the others have its starts and modes only.
 *
 * @param shop the instance of the plan
 * @param name the name of the instance
 * @throws InputError `no_such_writer` for a format of instances only
 */
export function writePlanAs(
  plan: Plan,
  shop: Instance,
  name: string,
  format: ExchangeFormat,
): WrittenInstance {
  return writerOf<PlanWriter>(PLAN_WRITERS, format, 'a plan')(plan, shop, name);
}

function writerOf<T>(writers: Readonly<Record<string, T>>, format: string, what: string): T {
  const writer = writers[format];
  if (writer !== undefined) return writer;
  const hint = `use ${Object.keys(writers).join(', ')}`;
  throw new InputError(
    'no_such_writer',
    `${what} cannot be written as ${format}`,
    hint,
    {},
    format,
  );
}

function withoutLosses(text: string): WrittenInstance {
  return { text, losses: [] };
}
