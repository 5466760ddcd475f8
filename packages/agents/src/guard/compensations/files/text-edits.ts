import type { Json } from '@alas-jssp/workflow';

/**
 * The text after edits, as server-filesystem makes it for edits whose old text occurs literally; undefined for edits
 * that it would match in another way, or not at all.
 */
export function applyTextEdits(content: string, edits: Json | undefined): string | undefined {
  if (!Array.isArray(edits)) return undefined;
  let text = unixLines(content);
  for (const edit of edits) {
    const { oldText, newText } = Object(edit) as Record<string, unknown>;
    if (typeof oldText !== 'string' || typeof newText !== 'string') return undefined;
    const old = unixLines(oldText);
    if (!text.includes(old)) return undefined;
    text = text.replace(old, () => unixLines(newText));
  }
  return text;
}

function unixLines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
