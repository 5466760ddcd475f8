import { readBytes } from '@alas-jssp/core/bytes';
import { checkJson } from '@alas-jssp/core/json-check';
import { type CheckedJson, faultError, type JsonFault } from '@alas-jssp/core/json-fault';
import { describeFound, type JsonPath } from '@alas-jssp/core/json-path';
import { parseJson } from '@alas-jssp/core/json-text';
import * as z from 'zod';
import { isRealmFile } from '../jssp/formats/realm.js';
import type { Instance } from '../jssp/instance.js';
import { knownLabels } from '../jssp/labels.js';
import type { ArrivingMode } from './arriving.js';
import type { DisruptionEvent } from './event.js';
import { readEvent } from './event-schema.js';
import { withDates, withoutDates } from './event-times.js';
import { labelEvent } from './event-words.js';
import { type EventLabels, hasNames, labelsWith, withoutNames } from './labels.js';
import { eventsFromRealm } from './realm-events.js';
import { knownResources } from './resource-labels.js';

/** The name and version of the JSON format of events. */
const EVENTS_SCHEMA = 'alas-jssp/events@1';

/** Events from a file, and the instance name in the file. */
export interface EventsFile {
  readonly events: DisruptionEvent[];
  readonly instance?: string;
  /** True for the events of an instance file: they occur one after the other, at their own times. */
  readonly inTurn?: boolean;
}

/** Options of reading events. */
export interface ReadEventsOptions {
  /** The shop of the events, if it is known: its jobs, steps and machines are looked up. */
  readonly instance?: Instance | undefined;
  /** The latest time at which events without `at` are known; without it, some kinds need `at`. */
  readonly knownBy?: number | undefined;
}

const DOCUMENT = z.strictObject(
  {
    schema: z.literal(EVENTS_SCHEMA, `give "${EVENTS_SCHEMA}", and use that format`),
    instance: z.string('give the name of the instance in quotes').optional(),
    events: z.array(z.unknown(), 'give a list of events'),
  },
  'give an object with the keys schema, events and, if need be, instance',
);

/**
 * Reads events from a JSON file as described in `docs/reference/disruption.md`, or from an instance file of REALM-Bench
 * with events, plain or gzip.
 *
 * @returns the events in the order of the file; those of REALM-Bench in the order in which they become known
 * @throws InputError with file and JSON path of a part that is missing, unknown or out of range
 */
export function readEvents(path: string, options: ReadEventsOptions = {}): EventsFile {
  return parseEvents(readBytes(path), path, options);
}

/** Parses events from bytes in memory (not gzip), as {@link readEvents} does from a file. */
export function parseEvents(
  bytes: Uint8Array,
  file?: string,
  { instance: shape, knownBy }: ReadEventsOptions = {},
): EventsFile {
  const json = parseJson(bytes, file);
  if (isRealmFile(json)) return { events: eventsFromRealm(json, file, shape), inTurn: true };
  const document = checkJson(DOCUMENT, json);
  if (document.fault !== undefined) throw faultError('bad_event', document.fault, file);
  const { instance } = document.data;
  const events = readEventList(document.data.events, { instance: shape, knownBy, file });
  if (shape !== undefined) requireKnown(events, shape, { file });
  return instance === undefined ? { events } : { events, instance };
}

/**
 * Reads consecutive events of a shop in the form of files: jobs, machines and steps may be named, also those of jobs
 * that arrive with these events, and times may be dates if the shop has a clock.
 *
 * @throws InputError `bad_event` with the path from a document that has them under `events`
 */
export function readEventList(
  items: readonly unknown[],
  { instance, knownBy, file }: ReadEventsOptions & { readonly file?: string | undefined },
): DisruptionEvent[] {
  const dataOf = <T>(read: CheckedJson<T>, i: number): T => {
    if (read.fault === undefined) return read.data;
    throw faultError('bad_event', read.fault, file, ['events', i]);
  };
  const dated = items.map((item, i) => dataOf(withoutDates(item, instance?.timeScale), i));
  const labels = instance && hasNames(instance) ? labelsWith(instance, dated) : undefined;
  return dated.map((item, i) => dataOf(readNamedEvent(item, labels, knownBy), i));
}

/** Reads an event of a file in which jobs, machines and steps may be named. */
export function readNamedEvent(
  item: unknown,
  labels: EventLabels | undefined,
  knownBy: number | undefined,
): CheckedJson<DisruptionEvent> {
  const plain = labels === undefined ? { data: item } : withoutNames(item, labels);
  return plain.fault === undefined ? readEvent(plain.data, 'labelled', knownBy) : plain;
}

/**
 * Refuses events that refer to an unknown job, step or machine, neither in the instance nor among the jobs that arrive
 * with these events.
 *
 * @param options.anyStep whether steps are not checked: those of jobs cancelled in the meantime no longer exist
 * @throws InputError `bad_event` with the path from a document that has them under `events`
 */
export function requireKnown(
  events: readonly DisruptionEvent[],
  instance: Instance,
  { file, anyStep = false }: { readonly file?: string | undefined; readonly anyStep?: boolean },
): void {
  const unknown = findUnknown(events, instance, anyStep);
  if (unknown === undefined) return;
  throw faultError('bad_event', unknown.fault, file, ['events', unknown.index]);
}

/**
 * Writes events as JSON, one per line; {@link parseEvents} is the inverse.
 *
 * @param options.instance the name of their instance
 * @param options.shop the instance itself: its names and clock are used if it has them
 * @throws InputError `bad_event` if one of them is malformed
 */
export function writeEvents(
  events: readonly DisruptionEvent[],
  options: { readonly instance?: string; readonly shop?: Instance | undefined } = {},
): string {
  const { instance, shop } = options;
  const labels = shop && labelsWith(shop, events);
  const head = JSON.stringify({ schema: EVENTS_SCHEMA, instance }).slice(0, -1);
  const lines = events.map((event, i) => {
    const read = readEvent(event, 'counted');
    if (read.fault !== undefined) throw faultError('bad_event', read.fault, undefined, [i]);
    return JSON.stringify(withDates(labelEvent(read.data, labels), shop?.timeScale));
  });
  return `${head},"events":[\n${lines.join(',\n')}\n]}\n`;
}

/**
 * The first event that refers to an unknown job, step or machine, neither in the instance nor among the jobs that
 * arrive with these events (in their order, independent of the position).
 */
function findUnknown(
  events: readonly DisruptionEvent[],
  instance: Instance,
  anyStep: boolean,
): { readonly index: number; readonly fault: JsonFault } | undefined {
  const { jobs, jobOffset } = instance;
  const lengths = Array.from({ length: jobs }, (_, job) =>
    anyStep ? Number.POSITIVE_INFINITY : jobOffset[job + 1] - jobOffset[job],
  );
  for (const event of events) {
    if (event.kind === 'arrival') lengths.push(event.job.operations.length);
  }
  for (let index = 0; index < events.length; index++) {
    const fault = referenceFault(events[index], instance, lengths);
    if (fault !== undefined) return { index, fault };
  }
  return undefined;
}

function referenceFault(
  event: DisruptionEvent,
  instance: Instance,
  lengths: readonly number[],
): JsonFault | undefined {
  const { machines } = instance;
  if (event.kind === 'arrival') {
    for (const [i, operation] of event.job.operations.entries()) {
      const path = ['job', 'operations', i];
      const fault = modeFault(operation, instance, path);
      if (fault !== undefined) return fault;
      for (const [j, mode] of (operation.alternatives ?? []).entries()) {
        const fault = modeFault(mode, instance, [...path, 'alternatives', j]);
        if (fault !== undefined) return fault;
      }
    }
    return undefined;
  }
  if ('resource' in event) return resourceFault(event.resource, instance, []);
  if ('machine' in event && event.machine !== undefined && event.machine >= machines) {
    return noMachine(event.machine, instance, ['machine']);
  }
  if (!('job' in event)) return undefined;
  if ('needs' in event) {
    const fault = modeFault(event, instance, []);
    if (fault !== undefined) return fault;
  }
  if (event.job >= lengths.length) {
    const hint = knownLabels('job', instance, lengths.length);
    return unknownReference(['job'], `Job${event.job + 1}`, hint);
  }
  const step = 'step' in event ? event.step : undefined;
  const steps = lengths[event.job];
  if (step === undefined || step < steps) return undefined;
  return unknownReference(
    ['step'],
    step + 1,
    steps === 0 ? 'this job has no steps' : `use 1 to ${steps}`,
  );
}

/** The first machine or resource of a mode that does not exist. */
function modeFault(
  { machine, needs = [] }: ArrivingMode,
  instance: Instance,
  path: JsonPath,
): JsonFault | undefined {
  if (machine >= instance.machines) return noMachine(machine, instance, [...path, 'machine']);
  for (const [i, { resource }] of needs.entries()) {
    const fault = resourceFault(resource, instance, [...path, 'needs', i]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function resourceFault(
  resource: number,
  instance: Instance,
  path: JsonPath,
): JsonFault | undefined {
  if (resource < (instance.resources?.count ?? 0)) return undefined;
  const hint = knownResources(instance);
  return unknownReference([...path, 'resource'], `Resource${resource}`, hint);
}

function noMachine(machine: number, instance: Instance, path: JsonPath): JsonFault {
  const hint = knownLabels('machine', instance, instance.machines);
  return unknownReference(path, `Machine${machine}`, hint);
}

function unknownReference(path: JsonPath, found: unknown, hint: string): JsonFault {
  return { path, problem: `${describeFound(found)}, which does not exist`, hint, found };
}
