import { InputError } from '@alas-jssp/core/errors';
import { isModelSpec } from '../../llm/planner-spec.js';
import { createHeuristicPlanner } from '../../search/planners.js';
import { isControl } from './control-planners.js';

/** `NAME=` before a specification: no specification has an equals sign before its first colon. */
const NAMED = /^([A-Za-z][\w.-]*)=(.+)$/s;

/** A planner's name in records and tables, and its specification. */
export interface NamedPlanner {
  /** Null if its specification is its name. */
  readonly name: string | null;
  readonly spec: string;
}

/** Splits the name of a planner from its specification, as in `cpsat=exec:python3 cpsat.py {instance}`. */
export function splitPlannerName(text: string): NamedPlanner {
  const [, name = null, spec = text] = NAMED.exec(text) ?? [];
  return { name, spec };
}

/** The name of a planner in records: that before the equals sign, or else its specification. */
export function plannerName(text: string): string {
  return splitPlannerName(text).name ?? text;
}

/**
 * Refuses ambiguous names, and names for planners that cannot have one.
 *
 * @throws InputError `bad_name`
 */
export function requirePlannerName({ name, spec }: NamedPlanner): void {
  if (name === null) return;
  if (isModelSpec(spec)) {
    refuse(name, `a planner that asks a model cannot be named '${name}'`, 'leave the name out');
  }
  if (isControl(name) || createHeuristicPlanner(name) !== undefined) {
    refuse(name, `'${name}' is a planner itself`, 'choose another name');
  }
}

/**
 * Refuses planners with equal names in the records.
 *
 * @throws InputError `same_name`
 */
export function requireDifferentNames(planners: readonly string[]): void {
  const names = planners.map(plannerName);
  const name = names.find((one, i) => names.indexOf(one) < i);
  if (name === undefined) return;
  const hint = 'give each a name of its own';
  throw new InputError('same_name', `two planners are named '${name}'`, hint, {}, name);
}

function refuse(name: string, problem: string, hint: string): never {
  throw new InputError('bad_name', problem, hint, {}, name);
}
