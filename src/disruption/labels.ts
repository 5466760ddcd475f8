import type { CheckedJson, JsonFault } from '@alas-jssp/core/json-fault';
import { describeFound, isObject, type JsonPath } from '@alas-jssp/core/json-path';
import type { Instance } from '../jssp/instance.js';
import {
  appendJobNames,
  labelIndex,
  type NamedJob,
  type NamedKind,
} from '../jssp/instance-names.js';
import { type Labels, labelsOf } from '../jssp/labels.js';
import type { DisruptionEvent } from './event.js';

/** The labels of a shop without names. */
const numbers = labelsOf({ jobOffset: new Int32Array(1), names: null });

/**
 * An event as in files: jobs and steps counted from 1, `"Job1"` and `"Machine0"`, or their names. Its keys are in the
 * order of the documentation.
 *
 * @param labels those of the shop, with the jobs that have arrived; default: nothing has a name
 */
export function labelEvent(
  event: DisruptionEvent,
  labels: Labels = numbers,
): Record<string, unknown> {
  const { kind, at } = event;
  switch (event.kind) {
    case 'breakdown': {
      const { from, to, resumable, estimated } = event;
      return { kind, at, machine: labels.machine(event.machine), from, to, resumable, estimated };
    }
    case 'duration': {
      const { step, duration, factor } = event;
      return {
        kind,
        at,
        job: labels.job(event.job),
        step: labels.step(event.job, step),
        duration,
        factor,
      };
    }
    case 'arrival': {
      const { name, operations, release, due, weight } = event.job;
      const labelled = operations.map(({ name: called, machine, duration }) => ({
        ...(called === undefined ? {} : { name: called }),
        machine: labels.machine(machine),
        duration,
      }));
      return { kind, at, job: { name, operations: labelled, release, due, weight } };
    }
    case 'cancellation':
      return { kind, at, job: labels.job(event.job) };
    case 'delay': {
      const step = event.step === undefined ? undefined : labels.step(event.job, event.step);
      return { kind, at, job: labels.job(event.job), step, until: event.until };
    }
    case 'restored':
      return { kind, at, machine: labels.machine(event.machine) };
  }
}

/**
 * The labels of a shop with the jobs that arrive in a list of events: they get the next numbers, so that later events
 * can name them. If jobs are not listed in the order in which they become known, they get no names, because their
 * numbers depend on when they are reported.
 */
export function labelsWith(instance: Instance, events: readonly unknown[]): Labels {
  const { names, jobOffset, jobs } = instance;
  if (names === null) return numbers;
  const arriving = events.filter(isArrival);
  const news = arriving.map(({ at, job: { release } }) => Number(at ?? release ?? 0));
  const isInOrder = news.every((time, i) => i === 0 || news[i - 1] <= time);
  if (arriving.length === 0 || !isInOrder) return labelsOf(instance);
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
  return labelsOf({ jobOffset: offset, names: appendJobNames(names, instance, more) });
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
export function withoutNames(event: unknown, labels: Labels): CheckedJson<unknown> {
  if (!isObject(event)) return { data: event };
  const plain: Record<string, unknown> = { ...event };
  const machine = replaceMachine(plain, labels, []);
  if (machine.fault !== undefined) return machine;
  const { job } = event;
  if (isObject(job)) {
    if (!Array.isArray(job.operations)) return { data: plain };
    const operations: unknown[] = [];
    for (const [i, item] of job.operations.entries()) {
      const operation = isObject(item) ? { ...item } : item;
      operations.push(operation);
      if (!isObject(operation)) continue;
      const replaced = replaceMachine(operation, labels, ['job', 'operations', i]);
      if (replaced.fault !== undefined) return replaced;
    }
    plain.job = { ...job, operations };
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

/** An event from a program, with labels replaced by numbers from 0. Labels are texts, as in files. */
export function withNumbers(event: unknown, labels: Labels): CheckedJson<unknown> {
  if (!isObject(event)) return { data: event };
  const counted: Record<string, unknown> = { ...event };
  let fault: JsonFault | undefined;
  const count = (
    object: Record<string, unknown>,
    kind: NamedKind,
    find: (value: string) => ReturnType<Labels['findJob']>,
    path: JsonPath,
  ): void => {
    const value = object[kind];
    if (typeof value !== 'string') return;
    const found = find(value);
    if (found?.hint !== undefined) fault ??= unknown(path, value, found.hint, found.alike).fault;
    else object[kind] = found?.index ?? labelIndex(kind, value.trim()) ?? value;
  };
  count(counted, 'machine', labels.findMachine, ['machine']);
  count(counted, 'job', labels.findJob, ['job']);
  const { job } = counted;
  if (typeof job === 'number')
    count(counted, 'step', (value) => labels.findStep(job, value), ['step']);
  if (isObject(job) && Array.isArray(job.operations)) {
    const operations = job.operations.map((item, i) => {
      const operation = isObject(item) ? { ...item } : item;
      if (isObject(operation)) {
        count(operation, 'machine', labels.findMachine, ['job', 'operations', i, 'machine']);
      }
      return operation;
    });
    counted.job = { ...job, operations };
  }
  return fault === undefined ? { data: counted } : { fault };
}

/** The index from 0 of a job that a file identifies by number; undefined if it uses a name. */
function jobNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' ? labelIndex('job', value.trim()) : undefined;
  const index = number ?? Number(value) - 1;
  return Number.isInteger(index) && index >= 0 ? index : undefined;
}

function replaceMachine(
  object: Record<string, unknown>,
  labels: Labels,
  path: JsonPath,
): CheckedJson<unknown> {
  const found = labels.findMachine(object.machine);
  if (found?.hint !== undefined) return unknown([...path, 'machine'], object.machine, found.hint);
  if (found !== undefined) object.machine = `Machine${found.index}`;
  return { data: object };
}

function unknown(path: JsonPath, found: unknown, hint: string, alike = 0): CheckedJson<unknown> {
  const why = alike > 0 ? `of which there are ${alike}` : 'which does not exist';
  return { fault: { path, problem: `${describeFound(found)}, ${why}`, hint, found } };
}
