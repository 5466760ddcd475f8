import { InputError } from '@alas-jssp/core/errors';
import { checkJson } from '@alas-jssp/core/json-check';
import { faultError } from '@alas-jssp/core/json-fault';
import type * as z from 'zod';

/** The name of the schema that a thread checks a large body against. */
export type SentBodyName = 'shop' | 'report' | 'withdrawal' | 'wish';

/** A body that goes unparsed to the thread that computes the request; the thread parses and checks it. */
export class UnreadBody {
  constructor(readonly bytes: Uint8Array) {}
}

/**
 * Checks a part of a request against its schema.
 *
 * @param base path of the part in the request; empty for a body
 * @returns the parsed value, or the InputError `bad_request`
 */
export function checkRequestPart(
  schema: z.ZodType,
  value: unknown,
  base: readonly string[] = [],
): { value: unknown } | { error: InputError } {
  const checked = checkJson(schema, value);
  if (checked.fault === undefined) return { value: checked.data };
  if (base.length === 0 && (value ?? null) === null) {
    const hint = 'send one of the type application/json; /openapi.json describes it';
    return { error: new InputError('bad_request', 'the request has no body', hint, { path: '$' }) };
  }
  const { hint, ...fault } = checked.fault;
  const right = hint === 'Invalid input' ? 'see /openapi.json' : hint;
  return { error: faultError('bad_request', { ...fault, hint: right }, undefined, base) };
}
