import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { AlasError, type ErrorFacts, InputError, type RefusalReason } from '@alas-jssp/core/errors';
import { sha256 } from '@alas-jssp/core/sha256';
import type { CommandMeta } from './plan-values.js';

/** Converts an error to a refusal: the problem without its location in a file, and its facts. @throws any other error */
export function refusalOf(error: unknown): RefusalReason {
  if (error instanceof InputError) {
    return { reason: `${error.problem}; ${error.hint}`, ...loggedFacts(error) };
  }
  if (error instanceof AlasError) return { reason: error.message, ...loggedFacts(error) };
  throw error;
}

/** The code and facts of an error for the log, which holds the event and the scale elsewhere. */
export function loggedFacts({ code, facts = {} }: AlasError): Omit<RefusalReason, 'reason'> {
  const { event: _, scale: __, ...rest } = facts;
  return { code, ...(Object.keys(rest).length > 0 && { facts: rest as ErrorFacts }) };
}

/** Checks the name of a caller for the log. @throws InputError `bad_name` */
export function nameOf(by: unknown): string {
  if (typeof by === 'string' && by !== '') return by;
  throw new InputError(
    'bad_name',
    `the name of the caller is ${JSON.stringify(by)}`,
    'give a name',
    {},
    by,
  );
}

/** A digest of a request, which distinguishes it from another one with the same key. */
export function requestDigest(request: unknown): string {
  return sha256(canonicalJson(request)).slice(0, 16);
}

/** The error for a different request with a key that was used before. */
export function otherRequest(key: string): InputError {
  const problem = `the idempotency key ${JSON.stringify(key.slice(0, 80))} belongs to another request`;
  return new InputError('other_request', problem, 'give each request a key of its own');
}

/** The defined members of the metadata of a command, for the log. @throws InputError `bad_name` */
export function loggedMeta({ by, role, key, digest }: CommandMeta = {}): Record<string, string> {
  return {
    ...(by !== undefined && { by: nameOf(by) }),
    ...(role !== undefined && { role }),
    ...(key !== undefined && digest !== undefined && { key, digest }),
  };
}
