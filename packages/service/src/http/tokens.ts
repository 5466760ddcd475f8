import { readFileSync } from 'node:fs';
import { InputError } from '@alas-jssp/core/errors';
import { checkJson } from '@alas-jssp/core/json-check';
import { faultError } from '@alas-jssp/core/json-fault';
import { parseJson } from '@alas-jssp/core/json-text';
import * as z from 'zod';
import { type Caller, callerSchema } from '../api/common.js';

/** The shortest token, in characters: shorter ones can be guessed. */
const SHORTEST_TOKEN = 16;

const ACCESS_TOKENS = z
  .array(
    z.strictObject({
      name: z
        .string('give the name of a person or a program')
        .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,63}$/u, 'give a name of at most 64 letters'),
      role: z.enum(callerSchema.shape.role.options, "give 'view', 'report' or 'decide'"),
      shops: z
        .array(
          z
            .string('give a text')
            .regex(/^[\w.*-]{1,64}$/, "give the id of a shop, or a pattern such as 'hall-*'"),
          'give a list of ids and patterns',
        )
        .min(1, 'give at least one pattern, or omit it for all shops')
        .max(100, 'give at most 100 patterns')
        .optional(),
      token: z
        .string('give a text')
        .regex(/^[!-~]+$/, 'use letters, digits and signs, without spaces')
        .min(SHORTEST_TOKEN, `use at least ${SHORTEST_TOKEN} signs, such as openssl rand -hex 24`)
        .max(512, 'use at most 512 signs'),
    }),
    'give a list of tokens, each with name, role and token',
  )
  .min(1, 'give at least one token');

/** A token, with the name, the role and the shops of its owner. */
export type AccessToken = z.infer<typeof ACCESS_TOKENS>[number];

/**
 * Reads tokens from JSON: `[{ "name": "kim", "role": "decide", "token": "…" }]`.
 *
 * @param source the file or the variable of the tokens, for errors, which never show a token
 * @throws InputError `bad_tokens`
 */
export function parseTokens(text: string | Uint8Array, source: string): AccessToken[] {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const checked = checkJson(ACCESS_TOKENS, parseTokenJson(bytes, source));
  if (checked.fault !== undefined) {
    // The invalid value may be a secret.
    const fault = { ...checked.fault, problem: 'invalid value', found: undefined };
    throw faultError('bad_tokens', fault, source);
  }
  const { data } = checked;
  for (const [i, { name, token }] of data.entries()) {
    const twin = data.findIndex((other) => other.name === name || other.token === token);
    if (twin === i) continue;
    const problem = `tokens ${twin + 1} and ${i + 1} have the same name or the same token`;
    throw new InputError('bad_tokens', problem, 'give each its own', { file: source });
  }
  return data;
}

/** Reads a file of tokens; see {@link parseTokens}. */
export function readTokens(file: string): AccessToken[] {
  return parseTokens(readFileSync(file), file);
}

/** Parses JSON without the messages of its errors, which quote the text. */
function parseTokenJson(bytes: Uint8Array, source: string): unknown {
  try {
    return parseJson(bytes, source);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { code, location } = error;
    throw new InputError(code, 'this is not JSON', 'correct it', location);
  }
}

/** The caller on a service without tokens, and the operator that started it. */
export const localCaller: Caller = { name: 'local', role: 'decide' };

/** Whether a caller has a role or a higher one. */
export function hasRole({ role }: Caller, least: Caller['role']): boolean {
  const { options } = callerSchema.shape.role;
  return options.indexOf(role) >= options.indexOf(least);
}
