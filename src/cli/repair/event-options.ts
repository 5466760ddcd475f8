import { InputError } from '../../core/errors.js';
import { applyEvents, type DisruptionEvent, parseEvent } from '../../disruption/index.js';
import type { Instance } from '../../jssp/instance.js';
import type { Schedule } from '../../jssp/schedule.js';

/**
 * Reads the values of `--event`. Jobs that arrive by one of them may be named by others.
 *
 * @param instance the shop, whose names they may use
 * @throws InputError `bad_event`, which says which of several it is about
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

/** A shop at work, and what has happened. */
interface Incident {
  readonly schedule: Schedule;
  readonly events: readonly DisruptionEvent[];
  readonly now: number;
}

/**
 * An error of applying several events, with the one that it is about: the last of the shortest row
 * of events that brings about the same error.
 *
 * @param file where the events are from; undefined for the command line
 */
export function blameEvent(error: unknown, incident: Incident, file: string | undefined): unknown {
  const { events } = incident;
  if (!(error instanceof InputError) || events.length < 2) return error;
  const i = events.findIndex((_, k) => refusalOf(incident, k)?.message === error.message);
  if (i < 0) return error;
  return placed(error, file === undefined ? optionName(i) : `${file}:$.events[${i}]`);
}

/** Why the first k + 1 events are refused. */
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
