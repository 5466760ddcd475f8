import { InputError } from '@alas-jssp/core/errors';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The token that an environment variable holds; undefined if no variable is named.
 *
 * @throws InputError `no_token` if the variable is empty
 */
export function readToken(
  variable: string | undefined,
  environment: Environment,
): string | undefined {
  if (variable === undefined) return undefined;
  const token = environment[variable];
  if (token !== undefined && token !== '') return token;
  throw new InputError(
    'no_token',
    `the environment variable ${variable} is empty`,
    'set it to the token of the tools',
    {},
    variable,
  );
}
