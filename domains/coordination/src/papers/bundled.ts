import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { InputError } from 'alas-jssp';
import { parseJson, readBytes, suggestNames } from 'alas-jssp/core';
import { type EventList, readEventList } from '../events/events.js';
import { type CoordinationPlan, readPlan } from '../model/plan.js';
import { type Problem, readProblem } from '../model/problem.js';

/** Kinds of files that come with the package, each in a folder of that name. */
export type BundledKind = 'problems' | 'plans' | 'events';

const ROOT = new URL('../../', import.meta.url);

/** Names of the problems, plans or events that come with the package, in the order of the alphabet. */
export function bundledNames(kind: BundledKind): string[] {
  return readdirSync(new URL(kind, ROOT))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

/**
 * The file that a user means: the one of a bundled problem, plan or list of events by its name, or any other by its path.
 *
 * @throws InputError `unknown_problem`, `unknown_plan` or `unknown_events` for a name that is none of these
 */
export function resolveFile(kind: BundledKind, spec: string): string {
  const names = bundledNames(kind);
  if (names.includes(spec)) return fileURLToPath(new URL(`${kind}/${spec}.json`, ROOT));
  if (!/^[\w-]+$/.test(spec)) return spec;
  const what = { problems: 'problem', plans: 'plan', events: 'events' }[kind];
  const hint = `${suggestNames(spec, names)} or give a file such as ./${spec}.json`;
  throw new InputError(
    `unknown_${what}`,
    `there ${kind === 'events' ? 'are' : 'is'} no ${what} '${spec}'`,
    hint,
    {},
    spec,
  );
}

/** A problem that comes with the package. */
export function bundledProblem(name: string): Problem {
  const file = resolveFile('problems', name);
  return readProblem(parseJson(readBytes(file), file), file);
}

/** A plan that comes with the package. */
export function bundledPlan(name: string): CoordinationPlan {
  const file = resolveFile('plans', name);
  return readPlan(parseJson(readBytes(file), file), file);
}

/** Events that come with the package. */
export function bundledEvents(name: string): EventList {
  const file = resolveFile('events', name);
  return readEventList(parseJson(readBytes(file), file), file);
}
