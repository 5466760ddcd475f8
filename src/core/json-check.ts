import type { z } from 'zod';
import { InputError } from './errors.js';
import { describeFound, formatPath, type JsonPath, valueAt } from './json-path.js';

/** A fault of a value: where in it, what stands there and what would be right. */
export interface JsonFault {
  readonly path: JsonPath;
  readonly problem: string;
  readonly cure: string;
  readonly found: unknown;
}

/** The data that was checked, or what is wrong with it. */
export type CheckedJson<T> =
  | { readonly data: T; readonly fault?: never }
  | { readonly fault: JsonFault };

/**
 * Checks a value against a schema whose messages are cures: the problem is made from what is found.
 *
 * @returns of several faults the first, but unknown keys go first: they explain missing ones
 */
export function checkJson<T>(schema: z.ZodType<T>, value: unknown): CheckedJson<T> {
  const result = schema.safeParse(value);
  if (result.success) return { data: result.data };
  const { issues } = result.error;
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const found = valueAt(value, issue.path);
  const problem =
    unknown !== undefined ? `the key ${JSON.stringify(unknown)} is unknown` : describeFound(found);
  return { fault: { path: issue.path, problem, cure: issue.message, found } };
}

/**
 * The error of a fault: it says where in which document that is.
 *
 * @param base path of the value that was checked in its document
 */
export function faultError(
  code: string,
  { path, problem, cure, found }: JsonFault,
  file?: string | undefined,
  base: JsonPath = [],
): InputError {
  const location = { file, path: formatPath([...base, ...path]) };
  return new InputError(code, problem, cure, location, found);
}
