import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseJson, readBytes, suggestNames } from '@alas-jssp/core';
import { InputError } from 'alas-jssp';
import { readTravelEvents, type TravelEventList } from './events/travel-events.js';
import { readTravel, type TravelProblem } from './model/travel-problem.js';

/** Kinds of bundled files of trips, each in a folder of that name. */
export type BundledTripKind = 'trips' | 'trip-events';

const TRIPS_ROOT = new URL('../../', import.meta.url);

/** Names of the bundled trips or events of trips, in alphabetical order. */
export function bundledTripNames(kind: BundledTripKind): string[] {
  return readdirSync(new URL(kind, TRIPS_ROOT))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

/**
 * Resolves a user's file argument: a bundled file by name, or any other file by path.
 *
 * @throws InputError `unknown_trip`, `unknown_events`
 */
export function resolveTripFile(kind: BundledTripKind, spec: string): string {
  const names = bundledTripNames(kind);
  if (names.includes(spec)) return fileURLToPath(new URL(`${kind}/${spec}.json`, TRIPS_ROOT));
  if (!/^[\w-]+$/.test(spec)) return spec;
  const hint = `${suggestNames(spec, names)} or give a file such as ./${spec}.json`;
  throw kind === 'trips'
    ? new InputError('unknown_trip', `there is no trip '${spec}'`, hint, {}, spec)
    : new InputError('unknown_events', `there are no events '${spec}'`, hint, {}, spec);
}

/** Loads a bundled trip. */
export function bundledTrip(name: string): TravelProblem {
  const file = resolveTripFile('trips', name);
  return readTravel(parseJson(readBytes(file), file), file);
}

/** Loads bundled events of a trip. */
export function bundledTripEvents(name: string): TravelEventList {
  const file = resolveTripFile('trip-events', name);
  return readTravelEvents(parseJson(readBytes(file), file), file);
}
