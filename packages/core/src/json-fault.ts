import { type ErrorFacts, InputError } from './errors.js';
import { formatPath, type JsonPath } from './json-path.js';

/** A problem of a value: where it is, what was found and a hint. */
export interface JsonFault {
  readonly path: JsonPath;
  readonly problem: string;
  readonly hint: string;
  readonly found: unknown;
  readonly facts?: ErrorFacts | undefined;
}

/** The checked data, or the problem found. */
export type CheckedJson<T> =
  | { readonly data: T; readonly fault?: never }
  | { readonly fault: JsonFault };

/**
 * The error for a problem, with its location in the document.
 *
 * @param base path of the checked value in its document
 */
export function faultError(
  code: string,
  { path, problem, hint, found, facts }: JsonFault,
  file?: string | undefined,
  base: JsonPath = [],
): InputError {
  const location = { file, path: formatPath([...base, ...path]) };
  return new InputError(code, problem, hint, location, found, facts);
}
