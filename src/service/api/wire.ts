import { InputError } from '../../core/errors.js';
import { faultError } from '../../core/json-check.js';
import { formatPath, isObject, type JsonPath } from '../../core/json-path.js';
import { suggestNames } from '../../core/nearest-names.js';
import { readEvent } from '../../disruption/event-schema.js';
import type { DisruptionEvent } from '../../disruption/index.js';
import { labelEvent } from '../../disruption/labels.js';
import { fieldNumber } from '../../jssp/formats/plan-fields.js';
import { type Instance, MAX_TIME } from '../../jssp/instance.js';
import { labelIndex } from '../../jssp/instance-names.js';
import { type Labels, labelProblem, labelsOf } from '../../jssp/labels.js';
import { operationLabels } from '../../jssp/operation-labels.js';
import type { Schedule } from '../../jssp/schedule.js';
import type { TimeScale } from '../../jssp/shop-clock.js';
import { formatTime, parseTime } from '../../jssp/time-scale.js';

// Requests and answers speak of jobs, machines and times as the shop does; everything inside counts from 0.

/** A time on the wire: ISO 8601 where the shop has a clock, else an integer. */
export type WireTime = number | string;

/** An operation on the wire. */
export interface WireOperation {
  readonly job: string;
  readonly step: number;
  readonly operation?: string;
  readonly machine: string;
  readonly start: WireTime;
  readonly end: WireTime;
}

/** A time as it goes out. */
export function wireTime(scale: TimeScale | null, time: number): WireTime {
  return scale === null ? time : formatTime(scale, time);
}

/**
 * A time as it comes in.
 *
 * @throws InputError `bad_time`
 */
export function readWireTime(scale: TimeScale | null, value: unknown, path: JsonPath = []): number {
  if (typeof value === 'string' && scale !== null) {
    try {
      return parseTime(scale, value);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const { code, problem, cure } = error;
      throw new InputError(code, problem, cure, { path: formatPath(path) }, value);
    }
  }
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_TIME) {
    return value as number;
  }
  const cure =
    scale === null
      ? `give a whole number from 0 to ${MAX_TIME}`
      : `give a time in ISO 8601, ${wireTime(scale, 0)} or later`;
  const problem = `${JSON.stringify(value)?.slice(0, 80)} is no time of this shop`;
  throw new InputError('bad_time', problem, cure, { path: formatPath(path) }, value);
}

/** The label of a job on the wire: its name, or `Job3`. */
export function wireJob({ names }: Instance, job: number): string {
  return names?.jobs?.[job] || `Job${job + 1}`;
}

/** The label of a machine on the wire: its name, or `Machine2`. */
export function wireMachine({ names }: Instance, machine: number): string {
  return names?.machines?.[machine] || `Machine${machine}`;
}

/** An operation of a schedule as it goes out. */
export function wireOperation(schedule: Schedule, op: number): WireOperation {
  const { instance, start, end } = schedule;
  const { jobOf, jobOffset, machine, timeScale } = instance;
  const name = operationLabels(instance)?.[op];
  return {
    job: wireJob(instance, jobOf[op]),
    step: op - jobOffset[jobOf[op]] + 1,
    ...(name && { operation: name }),
    machine: wireMachine(instance, machine[op]),
    start: wireTime(timeScale, start[op]),
    end: wireTime(timeScale, end[op]),
  };
}

/**
 * The job that a label on the wire names.
 *
 * @throws InputError `unknown_job`
 */
export function readWireJob(instance: Instance, label: unknown, path: JsonPath = []): number {
  const { names, jobs } = instance;
  const job = numberOf(label, labelsOf(instance).findJob(label), 'job', 1);
  if (job >= 0 && job < jobs) return job;
  const labels = Array.from({ length: Math.min(jobs, SHOWN) }, (_, j) => wireJob(instance, j));
  throw unknown('unknown_job', 'job', label, names?.jobs ?? labels, path);
}

/**
 * The machine that a label on the wire names.
 *
 * @throws InputError `unknown_machine`
 */
function readWireMachine(instance: Instance, label: unknown, path: JsonPath = []): number {
  const { names, machines } = instance;
  const machine = numberOf(label, labelsOf(instance).findMachine(label), 'machine', 0);
  if (machine >= 0 && machine < machines) return machine;
  const count = Math.min(machines, SHOWN);
  const labels = Array.from({ length: count }, (_, k) => wireMachine(instance, k));
  throw unknown('unknown_machine', 'machine', label, names?.machines ?? labels, path);
}

/** Labels that an error lists. */
const SHOWN = 20;

function numberOf(
  label: unknown,
  found: ReturnType<Labels['findJob']>,
  field: 'job' | 'machine',
  first: number,
): number {
  if (found !== undefined) return found.cure === undefined ? found.index : -1;
  const number = fieldNumber(field, label) - first;
  return Number.isInteger(number) ? number : -1;
}

function unknown(
  code: string,
  noun: string,
  label: unknown,
  known: readonly string[],
  path: JsonPath,
): InputError {
  const problem = `there is no ${noun} ${JSON.stringify(label)?.slice(0, 80)}`;
  const labels = known.filter((name) => name !== '').slice(0, SHOWN);
  const cure = typeof label === 'string' ? suggestNames(label, labels) : `use ${labels.join(', ')}`;
  return new InputError(code, problem, cure, { path: formatPath(path) }, label);
}

const TIMES = ['at', 'from', 'to', 'until'] as const;
const JOB_TIMES = ['release', 'due'] as const;

/**
 * An event as it comes in, in numbers that count from 0.
 *
 * @param now when it is known at the latest
 * @throws InputError `bad_event`, `bad_time`, `unknown_job`, `unknown_machine`, each with its path
 */
export function readWireEvent(
  instance: Instance,
  event: Record<string, unknown>,
  now: number | undefined,
  path: JsonPath,
): DisruptionEvent {
  const { timeScale } = instance;
  const read: Record<string, unknown> = { ...event };
  for (const key of TIMES) {
    if (read[key] !== undefined) read[key] = readWireTime(timeScale, read[key], [...path, key]);
  }
  if (read.machine !== undefined) {
    read.machine = `Machine${readWireMachine(instance, read.machine, [...path, 'machine'])}`;
  }
  if (isObject(read.job)) read.job = readArrivingJob(instance, read.job, [...path, 'job']);
  else if (read.job !== undefined) {
    const job = readWireJob(instance, read.job, [...path, 'job']);
    read.job = `Job${job + 1}`;
    const step = labelsOf(instance).findStep(job, read.step);
    if (step?.cure !== undefined) {
      const problem = labelProblem('step', read.step, step);
      const place = { path: formatPath([...path, 'step']) };
      throw new InputError('bad_event', problem, step.cure, place, read.step);
    }
    if (step !== undefined) read.step = step.index + 1;
  }
  const checked = readEvent(read, 'labelled', now);
  if (checked.fault === undefined) return checked.data;
  throw faultError('bad_event', checked.fault, undefined, path);
}

function readArrivingJob(instance: Instance, job: Record<string, unknown>, path: JsonPath) {
  const read: Record<string, unknown> = { ...job };
  for (const key of JOB_TIMES) {
    if (read[key] === undefined) continue;
    read[key] = readWireTime(instance.timeScale, read[key], [...path, key]);
  }
  if (!Array.isArray(job.operations)) return read;
  read.operations = job.operations.map((operation: unknown, i) => {
    if (!isObject(operation) || operation.machine === undefined) return operation;
    const place = [...path, 'operations', i, 'machine'];
    return {
      ...operation,
      machine: `Machine${readWireMachine(instance, operation.machine, place)}`,
    };
  });
  return read;
}

/** An event as it goes out. */
export function wireEvent(instance: Instance, event: DisruptionEvent): Record<string, unknown> {
  return wireLabelled(instance, labelEvent(event));
}

/** An event of a log as it goes out. */
export function wireLabelled(
  instance: Instance,
  event: Record<string, unknown>,
): Record<string, unknown> & { kind: string } {
  const { timeScale } = instance;
  const out: Record<string, unknown> = { ...event };
  for (const key of TIMES) {
    if (typeof out[key] === 'number') out[key] = wireTime(timeScale, out[key]);
  }
  if (typeof out.machine === 'string') out.machine = relabel(instance, out.machine, 'machine');
  if (typeof out.job === 'string') out.job = relabel(instance, out.job, 'job');
  return { ...out, kind: String(event.kind ?? '') };
}

/** The label of the shop for one of a log. */
function relabel(instance: Instance, label: string, field: 'job' | 'machine'): string {
  const index = labelIndex(field, label);
  if (index === undefined) return label;
  return field === 'job' ? wireJob(instance, index) : wireMachine(instance, index);
}
