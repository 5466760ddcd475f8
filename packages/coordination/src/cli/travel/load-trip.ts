import { parseJson, readBytes } from '@alas-jssp/core';
import { InputError } from 'alas-jssp';
import { namingFile, readStdin, type Session } from 'alas-jssp/command-line';
import { resolveTripFile } from '../../travel/bundled-trips.js';
import {
  applyTravelEvent,
  readTravelEvents,
  type TravelEvent,
} from '../../travel/events/travel-events.js';
import { readTravelPlan, type TravelPlan } from '../../travel/model/travel-plan.js';
import { readTravel, type TravelProblem } from '../../travel/model/travel-problem.js';

/** Reads a trip: a bundled one by name, a file by path, stdin by `-`. */
export async function loadTrip(session: Session, spec: string): Promise<TravelProblem> {
  const [value, file] = await jsonOf(session, spec, () => resolveTripFile('trips', spec));
  return readTravel(value, file);
}

/** Reads a plan of a trip: a file by path, stdin by `-`. */
export async function loadTravelPlan(session: Session, spec: string): Promise<TravelPlan> {
  const [value, file] = await jsonOf(session, spec, () => spec);
  return readTravelPlan(value, file);
}

/** Reads events and holds them against the trip. */
export async function loadTravelEvents(
  session: Session,
  problem: TravelProblem,
  spec: string | undefined,
): Promise<readonly TravelEvent[]> {
  if (spec === undefined) return [];
  const [value, file] = await jsonOf(session, spec, () => resolveTripFile('trip-events', spec));
  const { events, problem: name } = readTravelEvents(value, file);
  if (name !== problem.name) {
    const hint = `give events of ${problem.name}`;
    throw new InputError(
      'other_trip',
      `the events are of the trip '${name}'`,
      hint,
      { file },
      name,
    );
  }
  await namingFile(file, () => events.reduce(applyTravelEvent, problem));
  return events;
}

async function jsonOf(
  session: Session,
  spec: string,
  resolve: () => string,
): Promise<readonly [unknown, string]> {
  if (spec === '-') return [parseJson(await readStdin(session), 'stdin'), 'stdin'];
  const file = resolve();
  return [parseJson(readBytes(file), file), file];
}
