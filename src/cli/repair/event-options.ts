import { InputError } from '@alas-jssp/core/errors';
import { applyEvents, type DisruptionEvent, parseEvent } from '../../disruption/index.js';
import type { Instance } from '../../jssp/instance.js';
import type { Schedule } from '../../jssp/schedule.js';

/**
 * Parses the values of `--event`. An event may name jobs that arrive by another one.
 *
 * @param instance the shop, whose names the events may use
 * @throws InputError `bad_event` with the number of the event
 */
export function parseEventOptions(
  texts: readonly string[],
  now: number | undefined,
  instance: Instance,
): DisruptionEvent[] {
  const read = (text: string, i: number, arriving: readonly DisruptionEvent[]) => {
    try {
      return parseEvent(text, { knownBy: now, instance, arriving });
    } catch (error) {
      throw texts.length > 1 && error instanceof InputError ? placed(error, optionName(i)) : error;
    }
  };
  const isArrival = (text: string) => instance.names !== null && text.startsWith('arrival:');
  const arriving = texts.flatMap((text, i) => (isArrival(text) ? read(text, i, []) : []));
  return texts.map((text, i) => read(text, i, arriving));
}

/** A schedule in execution, and the events so far. */
interface Incident {
  readonly schedule: Schedule;
  readonly events: readonly DisruptionEvent[];
  readonly now: number;
}

/**
 * An error of applying several events, with the event that causes it: the last one of the shortest prefix
 * that throws the same error.
 *
 * @param file the file of the events; undefined for the command line
 */
export function locateEventError(
  error: unknown,
  incident: Incident,
  file: string | undefined,
): unknown {
  const { events } = incident;
  if (!(error instanceof InputError) || events.length < 2) return error;
  const i = events.findIndex((_, k) => refusalOf(incident, k)?.message === error.message);
  if (i < 0) return error;
  return placed(error, file === undefined ? optionName(i) : `${file}:$.events[${i}]`);
}

/** The error of the first k + 1 events, if any. */
function refusalOf({ schedule, events, now }: Incident, k: number): InputError | undefined {
  try {
    applyEvents(schedule, events.slice(0, k + 1), now);
    return undefined;
  } catch (error) {
    return error instanceof InputError ? error : undefined;
  }
}

function placed({ code, problem, hint, value }: InputError, file: string): InputError {
  return new InputError(code, problem, hint, { file }, value);
}

function optionName(i: number): string {
  return `--event #${i + 1}`;
}
