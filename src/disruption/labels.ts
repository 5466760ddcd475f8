import type { CheckedJson, JsonFault } from '@alas-jssp/core/json-fault';
import { describeFound, isObject, type JsonPath } from '@alas-jssp/core/json-path';
import type { Instance } from '../jssp/instance.js';
import {
  appendJobNames,
  labelIndex,
  type NamedJob,
  type NamedKind,
} from '../jssp/instance-names.js';
import { type Labelled, type Labels, labelsOf } from '../jssp/labels.js';
import type { ArrivingMode, ArrivingOperation } from './arriving.js';
import { findFamily, findResource, resourceLabel, resourceNumber } from './resource-labels.js';

/** The labels of everything that events name. */
export interface EventLabels extends Labels {
  /** `Ana`, or `Resource2`. */
  resource(resource: number): string;
  /** The resource that a value names, like {@link Labels.findMachine}. */
  findResource(value: unknown): ReturnType<typeof findResource>;
  /** The setup family that a value names, likewise. */
  findFamily(value: unknown): ReturnType<typeof findResource>;
}

/** The labels of a shop for its events. */
export function eventLabels(
  instance: Labelled & Partial<Pick<Instance, 'resources' | 'setups'>>,
): EventLabels {
  const { resources = null, setups = null } = instance;
  return {
    ...labelsOf(instance),
    resource: (resource) => resourceLabel({ resources }, resource),
    findResource: (value) => findResource(resources?.names, value),
    findFamily: (value) => findFamily(setups?.names, value),
  };
}

/** The labels of a shop without names. */
const numbers = eventLabels({ jobOffset: new Int32Array(1), names: null });

/** Whether anything in a shop has a name. */
export function hasNames({
  names,
  resources,
  setups,
}: Pick<Instance, 'names' | 'resources' | 'setups'>): boolean {
  return names !== null || (resources?.names ?? setups?.names ?? null) !== null;
}

/** An operation of a job that arrives, as in files. */
export function labelOperation(
  { name, alternatives, family, ...mode }: ArrivingOperation,
  labels: EventLabels,
): Record<string, unknown> {
  return {
    ...(name === undefined ? {} : { name }),
    ...labelMode(mode, labels),
    ...(alternatives && { alternatives: alternatives.map((one) => labelMode(one, labels)) }),
    ...(family === undefined ? {} : { family }),
  };
}

/** A mode as in files. */
export function labelMode({ machine, duration, needs }: ArrivingMode, labels: EventLabels) {
  const labelled = needs?.map((need) => ({ ...need, resource: labels.resource(need.resource) }));
  return {
    machine: labels.machine(machine),
    duration,
    ...(labelled && { needs: labelled }),
  };
}

/**
 * The labels of a shop with the jobs that arrive in a list of events: they get the next numbers, so that later events
 * can name them. If jobs are not listed in the order in which they become known, they get no names, because their
 * numbers depend on when they are reported.
 */
export function labelsWith(instance: Instance, events: readonly unknown[]): EventLabels {
  const { names, jobOffset, jobs, resources, setups } = instance;
  if (names === null)
    return resources === null && setups === null
      ? numbers
      : eventLabels({ ...instance, jobOffset: new Int32Array(1) });
  const arriving = events.filter(isArrival);
  const news = arriving.map(({ at, job: { release } }) => Number(at ?? release ?? 0));
  const isInOrder = news.every((time, i) => i === 0 || news[i - 1] <= time);
  if (arriving.length === 0 || !isInOrder) return eventLabels(instance);
  const offset = new Int32Array(jobs + arriving.length + 1);
  offset.set(jobOffset);
  arriving.forEach(({ job }, i) => {
    offset[jobs + i + 1] = offset[jobs + i] + job.operations.length;
  });
  const more = arriving.map(
    ({ job: { name, operations } }): NamedJob => ({
      name: textOf(name),
      operations: operations.map((one) => ({ name: isObject(one) ? textOf(one.name) : undefined })),
    }),
  );
  const all = appendJobNames(names, instance, more);
  return eventLabels({ jobOffset: offset, names: all, resources, setups });
}

interface UncheckedArrival {
  readonly at?: unknown;
  readonly job: {
    readonly name?: unknown;
    readonly release?: unknown;
    readonly operations: readonly unknown[];
  };
}

function isArrival(event: unknown): event is UncheckedArrival {
  if (!isObject(event) || event.kind !== 'arrival' || !isObject(event.job)) return false;
  return Array.isArray(event.job.operations);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** An event of a file with names replaced by standard labels: `"Job3"` for `"WO-4711"`. */
export function withoutNames(event: unknown, labels: EventLabels): CheckedJson<unknown> {
  if (!isObject(event)) return { data: event };
  const unnamed = withoutItemNames(event, labels, []);
  if (unnamed.fault !== undefined) return unnamed;
  const plain = unnamed.data;
  const { job } = event;
  if (isObject(job)) {
    const operations = eachItem(job.operations, ['job', 'operations'], (item, path) =>
      withoutItemNames(item, labels, path),
    );
    if (operations.fault !== undefined) return operations;
    plain.job = { ...job, operations: operations.data };
    return { data: plain };
  }
  const found = labels.findJob(job);
  if (found?.hint !== undefined) return unknown(['job'], job, found.hint);
  if (found !== undefined) plain.job = `Job${found.index + 1}`;
  const index = found?.index ?? jobNumber(job);
  const step = index === undefined ? undefined : labels.findStep(index, event.step);
  if (step?.hint !== undefined) return unknown(['step'], event.step, step.hint, step.alike);
  if (step !== undefined) plain.step = step.index + 1;
  return { data: plain };
}

/** An object without names of machines, resources and families, also in its alternatives and needs. */
function withoutItemNames(
  item: Record<string, unknown>,
  labels: EventLabels,
  path: JsonPath,
): CheckedJson<Record<string, unknown>> {
  const plain: Record<string, unknown> = { ...item };
  const machine = labels.findMachine(item.machine);
  if (machine?.hint !== undefined) return unknown([...path, 'machine'], item.machine, machine.hint);
  if (machine !== undefined) plain.machine = `Machine${machine.index}`;
  const resource = labels.findResource(item.resource);
  if (resource?.hint !== undefined) {
    return unknown([...path, 'resource'], item.resource, resource.hint);
  }
  if (resource !== undefined) plain.resource = `Resource${resource.index}`;
  const family = labels.findFamily(item.family);
  if (family?.hint !== undefined) return unknown([...path, 'family'], item.family, family.hint);
  if (family !== undefined) plain.family = family.index;
  for (const key of ['alternatives', 'needs']) {
    if (!(key in item)) continue;
    const list = eachItem(item[key], [...path, key], (one, at) =>
      withoutItemNames(one, labels, at),
    );
    if (list.fault !== undefined) return list;
    plain[key] = list.data;
  }
  return { data: plain };
}

/** A list whose objects are replaced; anything else is unchanged. */
function eachItem(
  list: unknown,
  path: JsonPath,
  replace: (item: Record<string, unknown>, path: JsonPath) => CheckedJson<unknown>,
): CheckedJson<unknown> {
  if (!Array.isArray(list)) return { data: list };
  const items: unknown[] = [];
  for (const [i, item] of list.entries()) {
    const read: CheckedJson<unknown> = isObject(item)
      ? replace(item, [...path, i])
      : { data: item };
    if (read.fault !== undefined) return read;
    items.push(read.data);
  }
  return { data: items };
}

/** An event from a program, with labels replaced by numbers from 0. Labels are texts, as in files. */
export function withNumbers(event: unknown, labels: EventLabels): CheckedJson<unknown> {
  if (!isObject(event)) return { data: event };
  const read = withItemNumbers(event, labels, []);
  if (read.fault !== undefined) return read;
  const counted = read.data;
  let fault: JsonFault | undefined;
  const count = (kind: NamedKind, find: (value: string) => ReturnType<Labels['findJob']>): void => {
    const value = counted[kind];
    if (typeof value !== 'string') return;
    const found = find(value);
    if (found?.hint !== undefined) fault ??= unknown([kind], value, found.hint, found.alike).fault;
    else counted[kind] = found?.index ?? labelIndex(kind, value.trim()) ?? value;
  };
  count('job', labels.findJob);
  const { job } = counted;
  if (typeof job === 'number') count('step', (value) => labels.findStep(job, value));
  if (isObject(job)) {
    const operations = eachItem(job.operations, ['job', 'operations'], (item, path) =>
      withItemNumbers(item, labels, path),
    );
    if (operations.fault !== undefined) return operations;
    counted.job = { ...job, operations: operations.data };
  }
  return fault === undefined ? { data: counted } : { fault };
}

/** An object in which texts for machines, resources and families are numbers, also in its alternatives and needs. */
function withItemNumbers(
  item: Record<string, unknown>,
  labels: EventLabels,
  path: JsonPath,
): CheckedJson<Record<string, unknown>> {
  const counted: Record<string, unknown> = { ...item };
  const { machine, resource } = item;
  if (typeof machine === 'string') {
    const found = labels.findMachine(machine);
    if (found?.hint !== undefined) return unknown([...path, 'machine'], machine, found.hint);
    counted.machine = found?.index ?? labelIndex('machine', machine.trim()) ?? machine;
  }
  if (typeof resource === 'string') {
    const found = labels.findResource(resource);
    if (found?.hint !== undefined) return unknown([...path, 'resource'], resource, found.hint);
    counted.resource = found?.index ?? resourceNumber(resource) ?? resource;
  }
  const family = labels.findFamily(item.family);
  if (family?.hint !== undefined) return unknown([...path, 'family'], item.family, family.hint);
  if (family !== undefined) counted.family = family.index;
  for (const key of ['alternatives', 'needs']) {
    if (!(key in item)) continue;
    const list = eachItem(item[key], [...path, key], (one, at) => withItemNumbers(one, labels, at));
    if (list.fault !== undefined) return list;
    counted[key] = list.data;
  }
  return { data: counted };
}

/** The index from 0 of a job that a file identifies by number; undefined if it uses a name. */
function jobNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' ? labelIndex('job', value.trim()) : undefined;
  const index = number ?? Number(value) - 1;
  return Number.isInteger(index) && index >= 0 ? index : undefined;
}

function unknown(
  path: JsonPath,
  found: unknown,
  hint: string,
  alike = 0,
): { readonly fault: JsonFault } {
  const why = alike > 0 ? `of which there are ${alike}` : 'which does not exist';
  return { fault: { path, problem: `${describeFound(found)}, ${why}`, hint, found } };
}
