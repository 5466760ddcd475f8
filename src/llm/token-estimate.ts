/** Letters per token: most words of prompts are one token, long ones are split. */
const LETTERS = 8;
/** Digits per token: some tokenizers group three, others none. */
const DIGITS = 2;
/** Marks per token: `","`, `":` and the like are usually one. */
const MARKS = 3;

const SPACE = 0;
const LETTER = 1;
const DIGIT = 2;
const MARK = 3;
const OTHER = 4;

/**
 * Approximate tokens of a text: runs of letters, digits and marks count by their length, a single space belongs to the
 * next word, any other white space is one token, and so is each character beyond ASCII. Intended for prompts and
 * answers of short words and numbers; the tokenizers of providers differ by a third on those, and most are not
 * available. Linear in the length of the text, which is not copied.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let run = 0;
  let kind = SPACE;
  for (let i = 0; i < text.length; i++) {
    const next = kindOf(text.charCodeAt(i));
    if (next === kind) {
      run++;
      continue;
    }
    tokens += tokensOf(kind, run, text.charCodeAt(i - 1));
    kind = next;
    run = 1;
  }
  return tokens + tokensOf(kind, run, text.charCodeAt(text.length - 1));
}

function tokensOf(kind: number, length: number, last: number): number {
  if (kind === LETTER) return Math.ceil(length / LETTERS);
  if (kind === DIGIT) return Math.ceil(length / DIGITS);
  if (kind === MARK) return Math.ceil(length / MARKS);
  if (kind === OTHER) return length;
  return length === 0 || (length === 1 && last === 0x20) ? 0 : 1;
}

function kindOf(code: number): number {
  if (code <= 0x20) return SPACE;
  if (code >= 0x30 && code <= 0x39) return DIGIT;
  const lower = code | 0x20;
  if (lower >= 0x61 && lower <= 0x7a) return LETTER;
  return code < 0x7f ? MARK : OTHER;
}

/** The longest prefix of a text with at most that many tokens, by the estimate. */
export function cutToTokens(text: string, most: number): string {
  const limit = Math.max(0, most);
  let cut = text;
  for (let tokens = estimateTokens(cut); tokens > limit; tokens = estimateTokens(cut)) {
    cut = cut.slice(0, Math.floor((cut.length * limit) / tokens));
  }
  return cut;
}
