import { InputError } from '@alas-jssp/core/errors';
import { formatPath, type JsonPath } from '@alas-jssp/core/json-path';
import type { DisruptionEvent } from 'alas-jssp/disruption';
import {
  afterShiftsWords,
  eventLabels,
  fieldNumber,
  formatReason,
  knownLabels,
  labelEvent,
  labelsOf,
  readEventList,
  readTime,
  requireKnown,
  type Sentences,
  storyWords,
  withDates,
} from 'alas-jssp/internal/service';
import {
  formatTime,
  type Instance,
  MAX_TIME,
  type Schedule,
  type TimeScale,
  writeInstanceJson,
  writePlanJson,
} from 'alas-jssp/jssp';
import type { WireOperation, WireTime } from './common.js';

// Requests and answers use the names and times of the shop; the code inside uses indices and units from 0.

/** Encodes a time. */
export function wireTime(scale: TimeScale | null, time: number): WireTime {
  return scale === null ? time : formatTime(scale, time);
}

/** Encodes the end of all work before and after a change; with dates if the shop has a clock. */
export function wireEnds<Before extends number | null>(
  scale: TimeScale | null,
  { before, after }: { readonly before: Before; readonly after: number },
) {
  if (scale === null) return { before, after };
  const before_date = before === null ? null : formatTime(scale, before);
  return { before, after, before_date, after_date: formatTime(scale, after) };
}

/** The warnings about a plan with a given end. */
export function wireWarnings(
  instance: Pick<Instance, 'calendar' | 'timeScale'>,
  end: number,
  sentences?: Sentences,
): string[] {
  const warning = afterShiftsWords(instance, end, sentences);
  return warning === undefined ? [] : [warning];
}

/**
 * Decodes a time.
 *
 * @throws InputError `bad_time`
 */
export function readWireTime(scale: TimeScale | null, value: unknown, path: JsonPath = []): number {
  if (typeof value === 'string' && scale !== null) {
    return readTime(scale, value, 'bad_time', { path: formatPath(path) });
  }
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_TIME) {
    return value as number;
  }
  const hint =
    scale === null
      ? `give a whole number from 0 to ${MAX_TIME}`
      : `give a time in ISO 8601, ${wireTime(scale, 0)} or later`;
  const problem = `${JSON.stringify(value)?.slice(0, 80)} is no time of this shop`;
  throw new InputError('bad_time', problem, hint, { path: formatPath(path) }, value);
}

/** Encodes an operation of a schedule. */
export function wireOperation(schedule: Schedule, op: number): WireOperation {
  const { instance, start, end } = schedule;
  const { jobOf, jobOffset, machine, timeScale } = instance;
  const labels = labelsOf(instance);
  const job = jobOf[op];
  const step = op - jobOffset[job];
  const name = labels.operation(job, step);
  return {
    job: labels.job(job),
    step: step + 1,
    ...(name && { operation: name }),
    machine: labels.machine(machine[op]),
    start: wireTime(timeScale, start[op]),
    end: wireTime(timeScale, end[op]),
  };
}

/**
 * Finds the job that a label names.
 *
 * @throws InputError `unknown_job`
 */
export function readWireJob(instance: Instance, label: unknown, path: JsonPath = []): number {
  const found = labelsOf(instance).findJob(label);
  const number = found === undefined ? fieldNumber('job', label) - 1 : -1;
  const job = found?.hint === undefined ? (found?.index ?? number) : -1;
  if (Number.isInteger(job) && job >= 0 && job < instance.jobs) return job;
  const problem = `there is no job ${JSON.stringify(label)?.slice(0, 80)}`;
  const hint = found?.hint ?? knownLabels('job', instance, instance.jobs);
  throw new InputError('unknown_job', problem, hint, { path: formatPath(path) }, label);
}

/**
 * Decodes a machine by its name or its number.
 *
 * @throws InputError `unknown_machine`
 */
export function readWireMachine(instance: Instance, label: unknown, path: JsonPath = []): number {
  const found = labelsOf(instance).findMachine(label);
  const number = found === undefined ? fieldNumber('machine', label) : -1;
  const machine = found?.hint === undefined ? (found?.index ?? number) : -1;
  if (Number.isInteger(machine) && machine >= 0 && machine < instance.machines) return machine;
  const problem = `there is no machine ${JSON.stringify(label)?.slice(0, 80)}`;
  const hint = found?.hint ?? knownLabels('machine', instance, instance.machines);
  throw new InputError('unknown_machine', problem, hint, { path: formatPath(path) }, label);
}

/**
 * Decodes events in the file format; an event may name a job that an earlier event adds.
 *
 * @param now the latest time at which the events become known
 * @throws InputError `bad_event` with the path in the request
 */
export function readWireEvents(
  instance: Instance,
  events: readonly unknown[],
  now: number | undefined,
): DisruptionEvent[] {
  const read = readEventList(events, { instance, knownBy: now });
  requireKnown(read, instance, { anyStep: true });
  return read;
}

/** Encodes events that had no effect, with the reasons. */
export function wireSkipped(
  instance: Instance,
  skipped: readonly { readonly event: DisruptionEvent; readonly reason: InputError }[],
  sentences?: Sentences,
) {
  const labels = eventLabels(instance);
  const words = storyWords(instance.timeScale, sentences);
  return skipped.map(({ event, reason: { code, facts, problem } }) => ({
    event: wireLogged(instance, labelEvent(event, labels)),
    reason: formatReason({ code, facts, reason: problem }, words),
  }));
}

/** Encodes an event of a log. */
export function wireLogged(
  { timeScale }: Instance,
  event: Readonly<Record<string, unknown>>,
): Record<string, unknown> & { kind: string } {
  return { ...withDates(event, timeScale), kind: String(event.kind ?? '') };
}

/** Encodes a schedule as a plan document. */
export function wirePlan(schedule: Schedule): Record<string, unknown> {
  return JSON.parse(writePlanJson(schedule)) as Record<string, unknown>;
}

/** Encodes an instance as a document. */
export function wireInstance(instance: Instance): Record<string, unknown> {
  return JSON.parse(writeInstanceJson(instance)) as Record<string, unknown>;
}
