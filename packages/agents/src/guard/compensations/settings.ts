import { InputError } from '@alas-jssp/core/errors';
import { checkJson } from '@alas-jssp/core/json-check';
import { formatPath } from '@alas-jssp/core/json-path';
import type { Json } from '@alas-jssp/workflow';
import type * as z from 'zod';

/**
 * Checks the settings of a compensation.
 *
 * @throws InputError `bad_compensation` with the place and a hint
 */
export function readSettings<T>(name: string, schema: z.ZodType<T>, settings: Json): T {
  const checked = checkJson(schema, settings);
  if (checked.fault === undefined) return checked.data;
  const { fault } = checked;
  const problem = `in the settings of the compensation ${name}, ${fault.problem}`;
  const path = formatPath(fault.path);
  throw new InputError('bad_compensation', problem, fault.hint, { path }, settings);
}

/** The refusal of a call that could not be taken back. */
export function cannotUndo(problem: string, hint: string, value?: unknown): InputError {
  return new InputError('cannot_undo', `this call cannot be undone: ${problem}`, hint, {}, value);
}

/**
 * A text in the input of a call.
 *
 * @throws InputError `cannot_undo` if it is missing
 */
export function requireText(input: Readonly<Record<string, Json>>, key: string): string {
  const value = input[key];
  if (typeof value === 'string' && value !== '') return value;
  throw cannotUndo(`it has no text "${key}"`, `give "${key}"`, value);
}

/** A value that a compensation stored, as the type that it wrote: it comes from the log only. */
export function fromStored<T>(value: Json): T {
  return value as unknown as T;
}

/** A value to store. Members that are undefined are omitted. */
export function toStored(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
