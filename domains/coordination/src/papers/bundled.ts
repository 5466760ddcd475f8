import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { InputError } from 'alas-jssp';
import { parseJson, readBytes, suggestNames } from 'alas-jssp/core';
import { type CoordinationPlan, readPlan } from '../model/plan.js';
import { type Problem, readProblem } from '../model/problem.js';

/** Kinds of files that come with the package, each in a folder of that name. */
export type BundledKind = 'problems' | 'plans';

const ROOT = new URL('../../', import.meta.url);

/** Names of the problems or plans that come with the package, in the order of the alphabet. */
export function bundledNames(kind: BundledKind): string[] {
  return readdirSync(new URL(kind, ROOT))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

/**
 * The file that a user means: the one of a bundled problem or plan by its name, or any other by its path.
 *
 * @throws InputError `unknown_problem` or `unknown_plan` for a name that is neither
 */
export function resolveFile(kind: BundledKind, spec: string): string {
  const names = bundledNames(kind);
  if (names.includes(spec)) return fileURLToPath(new URL(`${kind}/${spec}.json`, ROOT));
  if (!/^[\w-]+$/.test(spec)) return spec;
  const what = kind === 'problems' ? 'problem' : 'plan';
  const cure = `${suggestNames(spec, names)} or give a file such as ./${spec}.json`;
  throw new InputError(`unknown_${what}`, `there is no ${what} '${spec}'`, cure, {}, spec);
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
