import { readEvents } from '../../events/events.js';
import { readProblem } from '../../model/problem.js';
import { readRealm } from '../read-realm.js';
import type { RealmReading } from '../realm-reading.js';
import type { SuiteInstance } from '../suites/suite.js';
import { dayProblem } from './day-problem.js';

/** Reads an instance of P3 or P4, as `alas-coordination import realm` does. @throws InputError `bad_realm` */
export function readRides(value: unknown, file: string | undefined): SuiteInstance {
  return instanceOf(readRealm(value, file), {});
}

/** A reading of a coordination problem as an instance of a suite. */
export function instanceOf(
  { name, problem, events, contradictions, refused }: RealmReading,
  completed: SuiteInstance['completed'],
): SuiteInstance {
  const made =
    problem &&
    dayProblem({
      problem: readProblem(problem),
      assumptions: problem.assumptions ?? [],
      events: events === null ? [] : readEvents(events),
    });
  return { name, problem: made, completed, contradictions, refused };
}
