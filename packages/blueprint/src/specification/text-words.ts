/** A text with plain quotation marks and dashes, and single spaces. */
export function plainText(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[‘’‚‛′`´]/g, "'")
    .replaceAll(/[“”„‟″«»]/g, '"')
    .replaceAll(/[‐‑‒–—−]/g, '-')
    .replaceAll(/(?<=^|\n)\s*(?:[#>*-]|\d+\.)+\s+/g, ' ')
    .replaceAll(/[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Whether a sentence, or a part of one of at least three words, is in a text. Both are plain. */
export function isQuoted(source: string, text: string): boolean {
  const quote = source.replaceAll(/^["'\s]+|["'\s.,;:!?]+$/g, '').toLowerCase();
  const lower = text.toLowerCase();
  if (quote.split(' ').length < 3) return isSentence(quote, lower);
  const isLetter = (sign: string | undefined) => sign !== undefined && /[\p{L}\d]/u.test(sign);
  for (let at = lower.indexOf(quote); at >= 0; at = lower.indexOf(quote, at + 1)) {
    if (!isLetter(lower[at - 1]) && !isLetter(lower[at + quote.length])) return true;
  }
  return false;
}

/** Whether a few words are a sentence of a text by themselves: parts of sentences must be longer. */
function isSentence(quote: string, text: string): boolean {
  const sentences = text.split(/(?<=[.!?])\s+/);
  return quote !== '' && sentences.some((one) => one.replace(/[.!?]+$/, '') === quote);
}

/** The sentence of a text that shares most words with a statement; undefined if none shares two. */
export function closestSentence(statement: string, text: string): string | undefined {
  const wanted = stemsOf(statement);
  const sentences = text.split(/(?<=[.!?])\s+/);
  const scored = sentences.map((sentence) => {
    const shared = [...stemsOf(sentence)].filter((stem) => wanted.has(stem)).length;
    return { sentence, shared };
  });
  const best = scored.reduce((a, b) => (b.shared > a.shared ? b : a));
  return best.shared >= 2 ? best.sentence : undefined;
}

const STOP = new Set(
  'the and for are was were has have had not but its his her our your their this that these those with from into when then than each every all any may must shall will can could would should been being who what which where how after before only also too one out off over under more most no nor yet per via'.split(
    ' ',
  ),
);

/** The stems of the words of a text that have a meaning of their own. */
export function stemsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/\p{L}[\p{L}\d]{2,}/gu) ?? [];
  return new Set(words.filter((word) => !STOP.has(word)).map(stem));
}

/** A word without the endings of plurals and verbs. */
function stem(word: string): string {
  const bare = word.toLowerCase().replace(/'s$/, '');
  const base = bare.replace(/(?:ies|ied)$/, 'y').replace(/(?:ations?|ings?|ed|es|s|e)$/, '');
  return base.length < 3 ? bare : base.replace(/(.)\1$/, '$1');
}

/** The names in a statement: words with a capital letter that do not begin a sentence, or with several. */
export function namesStated(statement: string): string[] {
  const found = [...statement.matchAll(/(?<![\p{L}\d])\p{Lu}[\p{L}\d]*(?:[.&][\p{L}\d]+)*/gu)];
  return found
    .filter(({ 0: word, index }) => {
      if (word.length < 2) return false;
      const isMarked = /\p{L}.*\p{Lu}/u.test(word);
      return isMarked || !/(?:^|[.!?:;"(]\s*["'(]?)$/u.test(statement.slice(0, index));
    })
    .map(([word]) => word);
}

/** Ways to write a currency, which are one name. */
const CURRENCIES: readonly (readonly string[])[] = [
  ['€', 'eur', 'euro', 'euros'],
  ['$', 'usd', 'dollar', 'dollars'],
  ['£', 'gbp', 'pound', 'pounds'],
  ['chf', 'franc', 'francs'],
];

/** Whether a name is in a text, or another way to write a currency that is. */
export function hasName(name: string, text: string, stems: ReadonlySet<string>): boolean {
  const lower = name.toLowerCase();
  if (stems.has(stem(lower)) || text.toLowerCase().includes(lower)) return true;
  const currency = CURRENCIES.find((ways) => ways.includes(lower));
  return currency?.some((way) => text.toLowerCase().includes(way)) ?? false;
}
