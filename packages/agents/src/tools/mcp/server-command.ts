import { InputError } from '@alas-jssp/core/errors';

/**
 * Splits the command of an MCP server at its blanks, as a shell would: '…' and "…" hold words together, \ quotes the
 * next character. Nothing else has a special meaning.
 *
 * @throws InputError `bad_command`
 */
export function splitServerCommand(text: string): [command: string, ...words: string[]] {
  const pattern = /'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\]+|\s+/gsy;
  const words: string[] = [];
  let isOpen = false;
  let end = 0;
  for (const [part] of text.matchAll(pattern)) {
    end += part.length;
    const isBlank = part.trim() === '';
    if (!isBlank) words.push(isOpen ? `${words.pop()}${unquoted(part)}` : unquoted(part));
    isOpen = !isBlank;
  }
  const hint = 'write mcp:COMMAND ARGUMENT … or mcp:https://ADDRESS';
  if (end < text.length) throw new InputError('bad_command', `a quote is open in ${text}`, hint);
  const [command, ...rest] = words;
  if (command === undefined || command === '') {
    throw new InputError('bad_command', 'no MCP server is named', hint, {}, text);
  }
  return [command, ...rest];
}

function unquoted(part: string): string {
  if (part.startsWith("'")) return part.slice(1, -1);
  if (part.startsWith('"')) return part.slice(1, -1).replaceAll(/\\(["\\])/g, '$1');
  return part.startsWith('\\') ? part.slice(1) : part;
}
