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
