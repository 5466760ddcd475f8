import { parseJson, printableLine, readBytes } from '@alas-jssp/core';
import { InputError } from 'alas-jssp';
import { InvalidArgumentError, readStdin, remark, type Session } from 'alas-jssp/command-line';
import { type EventList, readEventList } from '../events/events.js';
import { parseClock } from '../model/clock.js';
import { type CoordinationPlan, readPlan } from '../model/plan.js';
import { type Problem, readProblem } from '../model/problem.js';
import { type BundledKind, resolveFile } from '../papers/bundled.js';

/**
 * Reads a problem: a bundled one by name, a file by path, stdin by `-`.
 *
 * @throws InputError that names file and JSON path
 */
export function loadProblem(session: Session, spec: string): Promise<Problem> {
  return load(session, 'problems', spec, readProblem);
}

/** Reads a plan, as {@link loadProblem} does. */
export function loadPlan(session: Session, spec: string): Promise<CoordinationPlan> {
  return load(session, 'plans', spec, readPlan);
}

/** Reads events, as {@link loadProblem} does. */
export function loadEvents(session: Session, spec: string): Promise<EventList> {
  return load(session, 'events', spec, readEventList);
}

/** Refuses to read more than one input from stdin. @throws InputError `bad_option` */
export function refuseSecondStdin(specs: readonly (string | undefined)[]): void {
  if (specs.filter((one) => one === '-').length < 2) return;
  throw new InputError('bad_option', 'only one can come from stdin', 'give files for the others');
}

/** Warns if a plan or events name another problem. The user may still intend it. */
export function warnOfOtherProblem(
  session: Session,
  { name }: Problem,
  { plan, events }: { readonly plan?: CoordinationPlan; readonly events?: EventList },
): void {
  const warn = (says: string, other = name) => {
    if (other !== name) remark(session, `warning: the ${says} for '${printableLine(other)}'`);
  };
  warn('plan says that it is', plan?.problem);
  warn('events say that they are', events?.problem);
}

async function load<T>(
  session: Session,
  kind: BundledKind,
  spec: string,
  read: (value: unknown, file: string) => T,
): Promise<T> {
  if (spec === '-') return read(parseJson(await readStdin(session), 'stdin'), 'stdin');
  const file = resolveFile(kind, spec);
  return read(parseJson(readBytes(file), file), file);
}

/** Parses an option that is a clock time. */
export function clockOption(text: string): number {
  try {
    return parseClock(text);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InvalidArgumentError(`${error.problem}: ${error.hint}.`);
  }
}
