import { InputError } from '@alas-jssp/core/errors';
import type { ServerFacts } from './server-facts.js';

/**
 * The arguments of a server: the words of its command after the one that names the program.
 *
 * @throws InputError `no_rules` if no word names it, or none follows
 */
export function argumentsAfter(
  server: ServerFacts,
  program: RegExp,
  wanted: string,
): readonly string[] {
  const at = server.command.findIndex((word) => program.test(word));
  const words = at < 0 ? [] : server.command.slice(at + 1);
  if (words.length > 0) return words;
  throw noRules(server, wanted);
}

/**
 * The value of an option in the command of a server, as `--name VALUE` or `--name=VALUE`.
 *
 * @throws InputError `no_rules` if it is not given
 */
export function optionOf(server: ServerFacts, names: readonly string[], wanted: string): string {
  const { command } = server;
  for (const [index, word] of command.entries()) {
    const next = command[index + 1];
    if (names.includes(word) && next !== undefined) return next;
    const name = names.find((each) => word.startsWith(`${each}=`));
    if (name !== undefined) return word.slice(name.length + 1);
  }
  throw noRules(server, `${wanted} (${names[0]})`);
}

function noRules({ identity, command }: ServerFacts, wanted: string): InputError {
  return new InputError(
    'no_rules',
    `the rules for ${identity} do not find ${wanted} in its command`,
    'add it, or write rules with the settings of its compensation in the policy, and "rules": false',
    {},
    command,
  );
}
