import * as z from 'zod';
import { laterVersionHint } from './later-version.js';

/**
 * The `schema` key of a file: a name with a version, such as `alas-jssp/record@1`. If the version differs, the error
 * names both.
 */
export function schemaName<const Name extends string>(name: Name): z.ZodLiteral<Name> {
  return z.literal(name, {
    error: ({ input }) =>
      typeof input === 'string' && input.split('@')[0] === name.split('@')[0]
        ? `this is "${input}"; ${laterVersionHint(input, [name]) ?? `this version of alas-jssp reads "${name}"`}`
        : `expected "${name}"`,
  });
}
