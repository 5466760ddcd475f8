import { InputError } from '@alas-jssp/core/errors';
import type { ServerFacts } from './server-facts.js';

/**
 * The arguments of a server: the words of its command after the one that names the program.
 *
 * @throws InputError `no_rules` if no word names it, or none follows
 */
export function argumentsAfter(
  { identity, command }: ServerFacts,
  program: RegExp,
  wanted: string,
): readonly string[] {
  const at = command.findIndex((word) => program.test(word));
  const words = at < 0 ? [] : command.slice(at + 1);
  if (words.length > 0) return words;
  throw new InputError(
    'no_rules',
    `the rules for ${identity} do not find ${wanted} in its command`,
    'write rules with the settings of its compensation in the policy, and "rules": false',
    {},
    command,
  );
}
