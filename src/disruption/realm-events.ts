import { readBytes } from '@alas-jssp/core/bytes';
import { InputError } from '@alas-jssp/core/errors';
import { checkJson } from '@alas-jssp/core/json-check';
import { type CheckedJson, faultError } from '@alas-jssp/core/json-fault';
import { describeFound, isObject, type JsonPath } from '@alas-jssp/core/json-path';
import { parseJson } from '@alas-jssp/core/json-text';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import * as z from 'zod';
import { detectFormat } from '../jssp/formats/read-instance.js';
import { instanceFromRealm, isRealmFile } from '../jssp/formats/realm.js';
import { instanceName } from '../jssp/formats/source.js';
import { type Instance, MAX_TIME } from '../jssp/instance.js';
import type { DisruptionEvent } from './event.js';
import type { Breakdown } from './kinds/breakdown.js';
import type { Delay } from './kinds/delay.js';

/**
 * Reads the events in an instance file of REALM-Bench, plain or gzip.
 *
 * @throws InputError `no_events` if it is another file, or one of REALM-Bench without `disruptions`; as
 *   {@link eventsFromRealm} does
 */
export function readInstanceEvents(file: string): DisruptionEvent[] {
  const bytes = readBytes(file);
  const json = detectFormat(bytes) === 'json' ? parseJson(bytes, file) : null;
  if (isRealmFile(json) && 'disruptions' in json) return eventsFromRealm(json, file);
  throw new InputError(
    'no_events',
    'this instance file has no disruptions',
    'name one of REALM-Bench with disruptions, or generate events, as with run --disrupt medium',
    { file },
  );
}

/**
 * Converts the disruptions in a file of REALM-Bench to events. `docs/reference/disruption.md` describes the conversion
 * of each kind.
 *
 * @param document the file, accepted by `isRealmFile`
 * @param given the instance of the events. Default: that of the file
 * @returns events in the order in which they become known
 * @throws InputError with file and JSON path if anything is missing or out of range; `other_instance` if the given
 *   instance has other operations than the file
 */
export function eventsFromRealm(
  document: Record<string, unknown>,
  file: string | undefined,
  given?: Instance,
): DisruptionEvent[] {
  const shop = instanceFromRealm(document, { file, name: instanceName(file ?? 'the instance') });
  if (given !== undefined && !hasSameOperations(given, shop)) {
    throw new InputError(
      'other_instance',
      `the events are for a shop with other operations than ${given.name}`,
      'name the instance that they are for',
      { file },
      given.name,
    );
  }
  const list = checkJson(LIST, document);
  if (list.fault !== undefined) throw faultError('bad_event', list.fault, file);
  const kinds = kindsFor(shop);
  const events = list.data.disruptions.flatMap((item, i) => {
    const read = readDisruption(item, kinds);
    if (read.fault === undefined) return read.data;
    throw faultError('bad_event', read.fault, file, ['disruptions', i]);
  });
  return events.sort((a, b) => a.at - b.at);
}

const LIST = z.object({ disruptions: z.array(z.unknown(), 'give a list of disruptions') });

/** Whether events for one instance are events for the other, which may be in execution already. */
function hasSameOperations(one: Instance, other: Instance): boolean {
  const keys = ['jobOffset', 'machine', 'duration'] as const;
  return (
    one.machines === other.machines &&
    keys.every((key) => one[key].length === other[key].length) &&
    keys.every((key) => one[key].every((number, i) => number === other[key][i]))
  );
}

/** The limit of starts and of durations, whose sum is a time. */
const MOST = MAX_TIME >> 1;
const TIMES = {
  start_time: z.int(`give a whole number from 0 to ${MOST}`).min(0).max(MOST),
  duration: z.int(`give a whole number from 1 to ${MOST}`).min(1).max(MOST),
};
type DisruptionTimes = { readonly start_time: number; readonly duration: number };

/** A disruption of one kind and its conversion to events; unknown keys are ignored. */
function kindOf<Shape extends z.ZodRawShape>(
  shape: Shape,
  eventsOf: (disruption: z.output<z.ZodObject<Shape & typeof TIMES>>) => DisruptionEvent[],
): z.ZodType<DisruptionEvent[]> {
  return z.object({ ...shape, ...TIMES }).transform(eventsOf);
}

/** The six kinds, whose machines, jobs and operations count from 1. */
function kindsFor(shop: Instance): Record<string, z.ZodType<DisruptionEvent[]>> {
  const { jobs, machines, operations } = shop;
  const numbered = (what: string, most: number) => {
    const hint = `give ${what} as a whole number from 1 to ${most}`;
    return z.int(hint).min(1).max(most);
  };
  const machine = numbered('a machine', machines);
  const listed = z.array(machine, 'give a list of machines');
  const named = z.array(numbered('an operation', operations), 'give a list of operations');
  // It is not converted, but it must be valid.
  const affected_jobs = z.array(numbered('a job', jobs), 'give a list of jobs').optional();
  const share = z.number('give a share from 0 to 1').min(0).max(1);
  return {
    machine_breakdown: kindOf({ machine_id: machine, affected_jobs }, (it) => [
      breakdown(it.machine_id, it),
    ]),
    power_outage: kindOf({ affected_machines: listed, affected_jobs }, (it) =>
      unique(it.affected_machines).map((one) => breakdown(one, it)),
    ),
    emergency_shutdown: kindOf({ affected_jobs }, (it) =>
      Array.from({ length: machines }, (_, k) => breakdown(k + 1, it)),
    ),
    cascading_failure: kindOf(
      { primary_machine: machine, cascading_machines: listed, affected_jobs },
      (it) =>
        // Evenly spaced over the duration of the failure; all come back together.
        unique([it.primary_machine, ...it.cascading_machines]).map((one, i, { length }) =>
          breakdown(one, it, Math.floor((i * it.duration) / length)),
        ),
    ),
    supply_delay: kindOf(
      { affected_operations: named.optional(), shortage_percentage: share },
      (it) => {
        const short = it.affected_operations ?? spread(operations, it.shortage_percentage);
        return delays(short, it, shop);
      },
    ),
    weather_effect: kindOf({ affected_operations: named }, (it) =>
      delays(it.affected_operations, it, shop),
    ),
  };
}

/** A machine, from 1, is down until the disruption ends; this becomes known when it goes down. */
function breakdown(
  machine: number,
  { start_time, duration }: DisruptionTimes,
  later = 0,
): Breakdown {
  const from = start_time + later;
  const to = start_time + duration;
  return { kind: 'breakdown', at: from, machine: machine - 1, from, to, resumable: true };
}

/** Operations, numbered from 1 over all jobs, do not start before the disruption ends. */
function delays(
  operations: readonly number[],
  { start_time, duration }: DisruptionTimes,
  { jobOf, jobOffset }: Instance,
): Delay[] {
  return unique(operations).map((number) => {
    const job = jobOf[number - 1];
    const step = number - 1 - jobOffset[job];
    return { kind: 'delay', at: start_time, job, step, until: start_time + duration };
  });
}

/** A share of the numbers 1 to n, evenly spaced. */
function spread(n: number, share: number): number[] {
  const numbers = Array.from({ length: n }, (_, i) => i + 1);
  return numbers.filter((k) => Math.floor(k * share) > Math.floor((k - 1) * share));
}

function unique(numbers: readonly number[]): number[] {
  return [...new Set(numbers)];
}

function readDisruption(
  value: unknown,
  kinds: ReturnType<typeof kindsFor>,
): CheckedJson<DisruptionEvent[]> {
  if (!isObject(value)) return faulty([], value, 'give an object with a type');
  const { type } = value;
  if (typeof type === 'string' && Object.hasOwn(kinds, type)) return checkJson(kinds[type], value);
  const word = typeof type === 'string' ? type.slice(0, 40) : '';
  return faulty(['type'], type, suggestNames(word, Object.keys(kinds)));
}

function faulty(path: JsonPath, found: unknown, hint: string): CheckedJson<never> {
  return { fault: { path, problem: describeFound(found), hint, found } };
}
