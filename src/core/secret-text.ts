/** The text that replaces a secret inside of another text. */
export const REDACTED = '[redacted]';

/** Replaces secrets in texts, also as they stand in URLs. */
export interface SecretText {
  /** Makes one more text a secret. */
  add(secret: string): void;
  /** The text with `[redacted]` in the place of every secret. */
  clean(text: string): string;
}

/** The secrets of texts: which are too short to be looked for, the caller decides. */
export function createSecretText(secrets: readonly string[]): SecretText {
  const spellings = new Set<string>();
  let pattern: RegExp | null = null;
  const add = (secret: string): void => {
    if (spellings.has(secret)) return;
    // Half a surrogate pair has no spelling in a URL.
    spellings.add(secret).add(encodeURIComponent(Buffer.from(secret).toString()));
    pattern = patternOf(spellings);
  };
  for (const secret of secrets) add(secret);
  return { add, clean: (text) => (pattern === null ? text : text.replace(pattern, REDACTED)) };
}

/** Matches any of the texts, the longest first. */
function patternOf(texts: ReadonlySet<string>): RegExp {
  const longestFirst = [...texts].sort((a, b) => b.length - a.length);
  const escaped = longestFirst.map((text) => text.replaceAll(/[$()*+.?[\\\]^{|}/-]/g, '\\$&'));
  return new RegExp(escaped.join('|'), 'g');
}
