import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseJson, readBytes, suggestNames } from '@alas-jssp/core';
import { InputError } from 'alas-jssp';
import { type EventList, readEventList } from '../events/events.js';
import { type CoordinationPlan, readPlan } from '../model/plan.js';
import { type Problem, readProblem } from '../model/problem.js';

/** Kinds of bundled files, each in a folder of that name. */
export type BundledKind = 'problems' | 'plans' | 'events';

const ROOT = new URL('../../', import.meta.url);

/** Names of the bundled problems, plans or events, in alphabetical order. */
export function bundledNames(kind: BundledKind): string[] {
  return readdirSync(new URL(kind, ROOT))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

/**
 * Resolves a user's file argument: a bundled problem, plan or list of events by name, or any other file by path.
 *
 * @throws InputError `unknown_problem`, `unknown_plan` or `unknown_events` if it is neither
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

/** Loads a bundled problem. */
export function bundledProblem(name: string): Problem {
  const file = resolveFile('problems', name);
  return readProblem(parseJson(readBytes(file), file), file);
}

/** Loads a bundled plan. */
export function bundledPlan(name: string): CoordinationPlan {
  const file = resolveFile('plans', name);
  return readPlan(parseJson(readBytes(file), file), file);
}

/** Loads bundled events. */
export function bundledEvents(name: string): EventList {
  const file = resolveFile('events', name);
  return readEventList(parseJson(readBytes(file), file), file);
}
