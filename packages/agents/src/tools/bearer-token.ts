import { InputError } from '@alas-jssp/core/errors';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The headers with the token that an environment variable holds; none if no variable is named.
 *
 * @throws InputError `no_token` if the variable is empty
 */
export function tokenHeaders(
  variable: string | undefined,
  environment: Environment,
): Record<string, string> {
  if (variable === undefined) return {};
  const token = environment[variable];
  if (token !== undefined && token !== '') return { authorization: `Bearer ${token}` };
  throw new InputError(
    'no_token',
    `the environment variable ${variable} is empty`,
    'set it to the token of the tools',
    {},
    variable,
  );
}
