/**
 * Splits a command at its blanks, as a shell would: '…' and "…" hold words together, \ quotes the next character.
 * Nothing else has a special meaning.
 *
 * @returns undefined if a quote is open
 */
export function splitCommandWords(text: string): readonly string[] | undefined {
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
  return end < text.length ? undefined : words;
}

function unquoted(part: string): string {
  if (part.startsWith("'")) return part.slice(1, -1);
  if (part.startsWith('"')) return part.slice(1, -1).replaceAll(/\\(["\\])/g, '$1');
  return part.startsWith('\\') ? part.slice(1) : part;
}
