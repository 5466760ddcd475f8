import { InputError } from '@alas-jssp/core/errors';
import { isObject } from '@alas-jssp/core/json-path';
import { PLAN_COMMAND } from '@alas-jssp/living-plan';
import { type AuditableLog, type Json, stateOfRun } from '@alas-jssp/workflow';
import { writeInstanceJson } from '../../jssp/formats/instance-json.js';
import { instanceName } from '../../jssp/formats/source.js';
import { readRow } from '../../pipeline/shop/row-names.js';
import { createShopMemory, type ShopMemory } from '../../pipeline/shop/shop-memory.js';
import { isShop } from '../../pipeline/shop/shop-workflow.js';
import { readStory } from '../../pipeline/shop/story.js';
import { writeOutput } from '../common/files.js';
import { timeOf } from '../common/options.js';
import { writePlanFile } from '../common/plan-files.js';
import { findInstance } from '../workflow/find-registry.js';

/**
 * The versions of a run's shop.
 *
 * @param suite the suite of its instance, if the log only names it and it is no benchmark
 * @param versions the requested versions
 * @throws InputError `no_shop` if the run is no shop, `no_version`
 */
export function openShopMemory(
  log: AuditableLog,
  run: string,
  suite: string | undefined,
  ...versions: readonly number[]
): ShopMemory {
  if (!isShop(stateOfRun(log, run).workflow)) {
    const problem = `the run ${run} is no execution of a shop and has no versions of a schedule`;
    throw new InputError('no_shop', problem, 'name a run of alas-jssp execute', {}, run);
  }
  const last = readStory(log, run).version;
  const unknown = versions.find((version) => version < 1 || version > last);
  if (unknown !== undefined) {
    const problem = `the shop ${run} has no version ${unknown}`;
    throw new InputError('no_version', problem, `give one from 1 to ${last}`, {}, unknown);
  }
  return createShopMemory(log, ({ name }) => findInstance(name, suite).load());
}

/**
 * Writes the plan of a version and its instance.
 *
 * @throws AlasError `no_version`
 */
export function writeVersion(
  memory: ShopMemory,
  run: string,
  version: number,
  { out, outInstance }: { readonly out?: string; readonly outInstance?: string },
): void {
  const { schedule } = memory.versionOf(run, version);
  const { instance } = schedule;
  if (outInstance !== undefined) writeOutput(outInstance, writeInstanceJson(instance));
  if (out === undefined) return;
  const name = outInstance === undefined ? instance.name : instanceName(outInstance);
  writePlanFile(out, schedule, name);
}

/**
 * Converts the date in `now` of a command to a shop to units; any other message is returned unchanged.
 *
 * @throws InputError `bad_time`, `no_row`
 */
export function inShopTime(log: AuditableLog, run: string, name: string, data: Json): Json {
  if (name !== PLAN_COMMAND || !isObject(data)) return data;
  if (typeof data.now !== 'string' && data.row === undefined) return data;
  if (!isShop(stateOfRun(log, run).workflow)) return data;
  readRow(data.row);
  if (typeof data.now !== 'string') return data;
  const { instance } = createShopMemory(log, (one) =>
    findInstance(one.name, undefined).load(),
  ).baseOf(run);
  return { ...data, now: timeOf(data.now, instance, '--data') };
}
