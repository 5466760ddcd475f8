import type * as z from 'zod';
import type { CheckedJson, JsonFault } from './json-fault.js';
import { describeFound, valueAt } from './json-path.js';
import { laterVersionHint } from './later-version.js';
import { suggestNames } from './nearest-names.js';

/**
 * Checks a value against a schema whose messages are hints; the problem text describes the value found. If the schema
 * has no message, `defaultHint` supplies the hint.
 *
 * @returns the first of several problems, but a later version of the format before all others, and unknown keys before the
 *   rest: each explains what follows
 */
export function checkJson<T>(schema: z.ZodType<T>, value: unknown): CheckedJson<T> {
  const result = schema.safeParse(value, { error: defaultHint });
  if (result.success) return { data: result.data };
  const { issues } = result.error;
  const later = findLaterVersion(issues, value);
  if (later !== undefined) return { fault: later };
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const found = valueAt(value, issue.path);
  const problem =
    unknown !== undefined ? `the key ${JSON.stringify(unknown)} is unknown` : describeFound(found);
  return { fault: { path: issue.path, problem, hint: issue.message, found } };
}

/**
 * The fault of a document of a later version, among the issues of its schema: its other faults are those of another format.
 * Undefined if it is no such document.
 */
export function findLaterVersion(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
): JsonFault | undefined {
  for (const issue of issues) {
    if (issue.code !== 'invalid_value' || issue.path.join('.') !== 'schema') continue;
    const found = valueAt(value, issue.path);
    const hint = laterVersionHint(found, issue.values);
    if (hint !== undefined) {
      return { path: issue.path, problem: `this is ${JSON.stringify(found)}`, hint, found };
    }
  }
  return undefined;
}

const KINDS: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a text in quotes',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

/** The hint for an issue without a message in its schema; undefined if there is no default either. */
export function defaultHint(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return Object.hasOwn(KINDS, issue.expected) ? `give ${KINDS[issue.expected]}` : undefined;
    case 'unrecognized_keys': {
      const { shape = {} } = issue.inst as unknown as Partial<z.ZodObject>;
      const known = Object.keys(shape);
      return known.length === 0 ? 'leave it out' : suggestNames(issue.keys[0] ?? '', known);
    }
    case 'invalid_value':
      return giveOne(issue.values);
    case 'invalid_union':
      return Array.isArray(issue.options) ? giveOne(issue.options) : undefined;
    case 'too_small': {
      const { minimum, inclusive = true, origin } = issue;
      return inclusive ? `give ${minimum}${unitOf(origin)} or more` : `give more than ${minimum}`;
    }
    case 'too_big': {
      const { maximum, inclusive = true, origin } = issue;
      return inclusive ? `give ${maximum}${unitOf(origin)} at most` : `give less than ${maximum}`;
    }
    default:
      return undefined;
  }
}

function giveOne(values: readonly z.core.util.Primitive[]): string {
  return `give ${values.map((value) => JSON.stringify(value)).join(' or ')}`;
}

function unitOf(origin: string): string {
  return origin === 'string' ? ' letters' : origin === 'array' ? ' entries' : '';
}
