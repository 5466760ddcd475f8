/** A piece of a line: a word, a number, or a mark. Quotation marks, emphasis and blanks are not tokens. */
export interface Token {
  readonly kind: 'word' | 'number' | 'clock' | 'mark';
  /** The literal text. */
  readonly raw: string;
  /** Words in lower case, marks in one of their variants: `-`, `->`, `...`. */
  readonly text: string;
  /** The value of a number; NaN otherwise. */
  readonly value: number;
  /** Its beginning and end, in characters of the whole text. */
  readonly from: number;
  readonly to: number;
  /** Whether the token follows the previous one without a gap. */
  readonly glued: boolean;
}

// An alternative that fails does so at its end or one group before, so scanning takes linear time.
const TOKEN =
  /\d{1,2}:\d{2}(?!\d)|(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|[A-Za-z\u00c0-\u024f]+|->|=>|→|⇒|\.\.\.|…|[-–—−:;,()[\]{}|=<>#?.]/g;

/** The number of digit groups in the longest accepted time: groups of three digits, and the digits before them. */
const MOST_GROUPS = 4;

const VARIANTS: Readonly<Record<string, string>> = {
  '=>': '->',
  '→': '->',
  '⇒': '->',
  '…': '...',
  '–': '-',
  '—': '-',
  '−': '-',
};

/** The tokens of `text` between two positions. */
export function tokenize(text: string, from: number, to: number): Token[] {
  const line = text.slice(from, to);
  const tokens: Token[] = [];
  let last = -1;
  for (const match of line.matchAll(TOKEN)) {
    const raw = match[0];
    const at = match.index;
    if (/^\d/.test(raw) && !isTooLong(raw)) {
      last = pushNumbers(tokens, raw, line, at, from, last === at);
      continue;
    }
    const isWord = /^[\dA-Za-z\u00c0-\u024f]/.test(raw);
    tokens.push({
      kind: isWord ? 'word' : 'mark',
      raw,
      text: isWord ? raw.toLowerCase() : (VARIANTS[raw] ?? raw),
      value: Number.NaN,
      from: from + at,
      to: from + at + raw.length,
      glued: last === at,
    });
    last = at + raw.length;
  }
  return tokens;
}

/** Whether it has more groups of digits than a time can have: it is then treated as a word. */
function isTooLong(raw: string): boolean {
  return raw.split(',').length > MOST_GROUPS;
}

/** Adds a number, or two for a pair such as `[107,139]`; returns the position after them. */
function pushNumbers(
  tokens: Token[],
  raw: string,
  line: string,
  at: number,
  from: number,
  glued: boolean,
): number {
  const isPair =
    /^\d+,\d+$/.test(raw) &&
    /[[(]/.test(line[at - 1] ?? '') &&
    /[\])]/.test(line[at + raw.length] ?? '');
  const comma = raw.indexOf(',');
  if (!isPair) tokens.push(numberToken(raw, from + at, glued));
  else {
    const to = from + at + comma;
    tokens.push(numberToken(raw.slice(0, comma), from + at, glued));
    tokens.push({ ...MARK, from: to, to: to + 1 });
    tokens.push(numberToken(raw.slice(comma + 1), to + 1, true));
  }
  return at + raw.length;
}

const MARK = { kind: 'mark', raw: ',', text: ',', value: Number.NaN, glued: true } as const;

function numberToken(raw: string, from: number, glued: boolean): Token {
  const isClock = raw.includes(':');
  return {
    kind: isClock ? 'clock' : 'number',
    raw,
    text: raw,
    value: isClock ? Number.NaN : Number(raw.replaceAll(',', '')),
    from,
    to: from + raw.length,
    glued,
  };
}
