import { formatPath, type JsonPath } from '@alas-jssp/core/json-path';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import type * as z from 'zod';
import { type ResourceCalendar, SETUP_PHASE, WORK_PHASE } from '../shop-parts.js';
import { checkPart } from './instance-schema.js';
import {
  badShop,
  type DocumentMachines,
  type MachineGroups,
  machinesAt,
  readGroups,
} from './shop-machines.js';
import {
  type JsonNeeds,
  type JsonShopHead,
  type JsonShopOperation,
  resourceSchema,
} from './shop-schema.js';
import { readTimes, TIME_KEYS } from './time-fields.js';

/** The parts of a document to which its operations refer. */
export interface ShopDocument extends DocumentMachines {
  readonly groups: MachineGroups;
  readonly resources: DocumentResources | null;
}

interface DocumentResources {
  readonly names: readonly string[] | null;
  readonly capacity: Int32Array;
  readonly calendar: ResourceCalendar | null;
}

interface Need {
  readonly resource: number;
  readonly amount: number;
  readonly phase: number;
}

/** A mode of an operation, with its machine as a number. */
interface ReadMode {
  readonly machine: number;
  readonly duration: number;
  readonly needs: readonly Need[];
}

/** An operation with its modes, and the machine and duration of the chosen one. */
export type OperationWithModes = Omit<
  JsonShopOperation,
  'machine' | 'duration' | 'modes' | 'mode'
> & {
  readonly machine: number;
  readonly duration: number;
  readonly modes: readonly ReadMode[];
  readonly chosen: number;
};

/** Reads the groups and resources of a document, to which its operations refer. */
export function readShopDocument(head: JsonShopHead, machines: DocumentMachines): ShopDocument {
  const groups = readGroups(head.groups, machines);
  return { ...machines, groups, resources: readResources(head.resources ?? [], machines) };
}

type JsonCapacity = NonNullable<z.infer<typeof resourceSchema>['calendar']>[number];

function readResources(
  items: readonly unknown[],
  { scale, file }: DocumentMachines,
): DocumentResources | null {
  if (items.length === 0) return null;
  const offset = new Int32Array(items.length + 1);
  const times: JsonCapacity[] = [];
  const resources = items.map((item, i) => {
    const path = ['resources', i];
    const calendar = (item as { calendar?: unknown } | null)?.calendar;
    const withTimes = Array.isArray(calendar)
      ? {
          ...(item as object),
          calendar: calendar.map((one, k) =>
            readTimes(one, TIME_KEYS.downtime, scale, {
              code: 'bad_instance',
              file,
              path: [...path, 'calendar', k],
            }),
          ),
        }
      : item;
    const resource = checkPart(resourceSchema, withTimes, path, file);
    times.push(...sortedTimes(resource.calendar ?? [], path, file));
    offset[i + 1] = times.length;
    return resource;
  });
  const names = resources.map(({ name = '' }) => name.trim());
  const twin = names.findIndex((name, i) => name !== '' && names.indexOf(name) !== i);
  if (twin >= 0) {
    const problem = `two resources are called ${JSON.stringify(names[twin])}`;
    throw badShop(problem, 'use distinct names', ['resources', twin, 'name'], file);
  }
  const calendar = {
    offset,
    from: Int32Array.from(times, ({ from }) => from),
    to: Int32Array.from(times, ({ to }) => to),
    amount: Int32Array.from(times, ({ capacity }) => capacity),
    ...(times.some(({ estimated }) => estimated)
      ? { estimated: Uint8Array.from(times, ({ estimated = false }) => Number(estimated)) }
      : {}),
  };
  return {
    names: names.some((name) => name !== '')
      ? names.map((name, i) => name || `resource ${i + 1}`)
      : null,
    capacity: Int32Array.from(resources, ({ capacity }) => capacity),
    calendar: times.length === 0 ? null : calendar,
  };
}

/** The times of a calendar in order. @throws InputError `bad_instance` for one that is empty or overlaps another */
function sortedTimes(
  calendar: readonly JsonCapacity[],
  path: JsonPath,
  file: string | undefined,
): JsonCapacity[] {
  const order = Array.from(calendar.keys()).sort((a, b) => calendar[a].from - calendar[b].from);
  order.forEach((k, i) => {
    const { from, to } = calendar[k];
    const place = [...path, 'calendar', k];
    if (to <= from) {
      const problem = `the time from ${from} to ${to} is empty`;
      throw badShop(problem, 'let it end after it begins', place, file);
    }
    const before = order[i - 1];
    if (before !== undefined && from < calendar[before].to) {
      const problem = `the time from ${from} overlaps ${formatPath([...path, 'calendar', before])}`;
      throw badShop(problem, 'join them or set them apart', place, file);
    }
  });
  return order.map((k) => calendar[k]);
}

/**
 * An operation with the machines of its modes as numbers; a group is a mode on each of its machines. Without `mode`, the
 * fastest one is chosen, the first one of several.
 *
 * @throws InputError `bad_instance` with file and JSON path
 */
export function readShopOperation(
  operation: JsonShopOperation,
  path: JsonPath,
  document: ShopDocument,
): OperationWithModes {
  const { machine, duration, modes: listed, needs, setup_needs, mode, ...rest } = operation;
  const { file } = document;
  if ((listed === undefined) === (machine === undefined)) {
    const problem = listed === undefined ? 'there is no machine' : 'there are a machine and modes';
    throw badShop(problem, 'give machine and duration, or modes', path, file);
  }
  if (listed !== undefined && (duration ?? needs ?? setup_needs) !== undefined) {
    const hint = 'give duration, needs and setup_needs in each of the modes';
    throw badShop('there are modes and one of their keys', hint, path, file);
  }
  if (listed === undefined && duration === undefined) {
    throw badShop('there is no duration', 'give one, or modes', path, file);
  }
  const own = { machine: machine as number | string, duration: duration as number };
  const modes = (listed ?? [{ ...own, needs, setup_needs }]).flatMap((one, i) => {
    const place = listed === undefined ? path : [...path, 'modes', i];
    const all = [
      ...readNeeds(one.needs, WORK_PHASE, [...place, 'needs'], document),
      ...readNeeds(one.setup_needs, SETUP_PHASE, [...place, 'setup_needs'], document),
    ];
    return machinesAt(one.machine, [...place, 'machine'], document, document.groups).map((k) => ({
      machine: k,
      duration: one.duration,
      needs: all,
    }));
  });
  if (mode !== undefined && mode > modes.length) {
    const problem = `this is mode ${mode} of ${modes.length}`;
    throw badShop(problem, `give 1 to ${modes.length}`, [...path, 'mode'], file, mode);
  }
  const chosen = mode === undefined ? fastest(modes) : mode - 1;
  const { machine: k, duration: d } = modes[chosen];
  return { ...rest, machine: k, duration: d, modes, chosen };
}

function fastest(modes: readonly ReadMode[]): number {
  return modes.reduce((best, mode, i) => (mode.duration < modes[best].duration ? i : best), 0);
}

function readNeeds(
  needs: JsonNeeds | undefined,
  phase: number,
  path: JsonPath,
  { resources, file }: ShopDocument,
): Need[] {
  return Object.entries(needs ?? {}).map(([name, amount]) => {
    const { names = null, capacity = [] } = resources ?? {};
    const named = names?.indexOf(name.trim()) ?? -1;
    const resource = named < 0 && /^\d+$/.test(name) ? Number(name) - 1 : named;
    if (resource < 0 || resource >= capacity.length) {
      const hint =
        capacity.length === 0
          ? 'list it among the resources'
          : suggestNames(name, names ?? Array.from(capacity, (_, i) => String(i + 1)));
      throw badShop(`there is no resource ${JSON.stringify(name)}`, hint, [...path, name], file);
    }
    if (amount > capacity[resource]) {
      const problem = `it needs ${amount} of ${name}, and there are ${capacity[resource]}`;
      const hint = 'need less, or raise the capacity of the resource';
      throw badShop(problem, hint, [...path, name], file, amount);
    }
    return { resource, amount, phase };
  });
}
