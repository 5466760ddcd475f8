/** A value in a document: a reference of a workflow, a text, or texts with references in between. */
type ArgoValue =
  | { readonly kind: 'reference'; readonly reference: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'mixed'; readonly references: Readonly<Record<string, string>> };

/** Finds out what stands in double braces: a reference, a text, or nothing that a workflow knows. */
export type Resolve = (
  name: string,
) => Exclude<ArgoValue, { readonly kind: 'mixed' }> | { readonly kind: 'unknown' };

/** A value in which double braces were looked up; `unknown` are the names that nobody knows. */
export interface ResolvedValue {
  readonly value: ArgoValue;
  readonly unknown: readonly string[];
}

const TAG = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** Looks up all that stands in double braces. Unknown names stay in the text as they are. */
export function resolveValue(given: unknown, resolve: Resolve): ResolvedValue {
  const text = typeof given === 'string' ? given : JSON.stringify(given ?? null);
  const references: Record<string, string> = {};
  const unknown: string[] = [];
  let only: string | undefined;
  const plain = text.replace(TAG, (whole, name: string) => {
    const found = resolve(name);
    if (found.kind === 'text') return found.text;
    if (found.kind === 'unknown') unknown.push(name);
    else {
      references[name.replaceAll('.', '_')] = found.reference;
      if (whole === text) only = found.reference;
    }
    return whole;
  });
  if (only !== undefined) return { value: { kind: 'reference', reference: only }, unknown };
  if (Object.keys(references).length > 0) return { value: { kind: 'mixed', references }, unknown };
  return { value: { kind: 'text', text: plain }, unknown };
}

/** The list that a text is in JSON; undefined if it is none. */
export function jsonList(text: string): unknown[] | undefined {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}
