import { splitCommandWords } from '@alas-jssp/core/command-words';
import { InputError } from '@alas-jssp/core/errors';

/**
 * Splits the command of an MCP server at its blanks, as {@link splitCommandWords} does.
 *
 * @throws InputError `bad_command`
 */
export function splitServerCommand(text: string): [command: string, ...words: string[]] {
  const hint = 'write mcp:COMMAND ARGUMENT … or mcp:https://ADDRESS';
  const words = splitCommandWords(text);
  if (words === undefined) {
    throw new InputError('bad_command', `a quote is open in ${text}`, hint);
  }
  const [command, ...rest] = words;
  if (command === undefined || command === '') {
    throw new InputError('bad_command', 'no MCP server is named', hint, {}, text);
  }
  return [command, ...rest];
}
