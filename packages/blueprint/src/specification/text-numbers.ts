/** A number in a text: its value, and how it is written there. */
export interface TextNumber {
  readonly value: number;
  readonly written: string;
}

const WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

const TEENS = 'thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const MONTHS =
  'january february march april may june july august september october november december'.split(
    ' ',
  );

/** Words that a text may use for numbers, and statements then write in digits. */
const MORE_WORDS: Readonly<Record<string, number>> = Object.fromEntries([
  ...WORDS.map((word, value) => [word, value]),
  ...TEENS.map((word, index) => [word, 13 + index]),
  ...TENS.map((word, index) => [word, 20 + 10 * index]),
  ...Object.entries({ once: 1, first: 1, single: 1, twice: 2, second: 2, both: 2, third: 3 }),
  ...Object.entries({ half: 0.5, dozen: 12, hundred: 100, thousand: 1000, million: 1e6 }),
  ...Object.entries({ noon: 12, midnight: 0 }),
]);

/** Digits with separators: `1,000.50`, `1.000,50`, `2026`, `3`. */
const DIGITS = /\d+(?:[.,’']\d+)*/g;

/** Words of statements that are numbers. `one` is an article as often, and is not. */
const STATED = new RegExp(`(?<![\\p{L}\\d-])(?:${WORDS.slice(2).join('|')})(?![\\p{L}\\d])`, 'giu');

/** The numbers that a statement makes: in digits, and in words from two to twelve. */
export function numbersStated(statement: string): TextNumber[] {
  const inWords = [...statement.matchAll(STATED)].map(([written]) => ({
    written,
    value: WORDS.indexOf(written.toLowerCase()),
  }));
  return [...numbersInDigits(statement), ...inWords];
}

/** All values that numbers of a text may be given as: also those of words, months, percents and times of the day. */
export function valuesOfText(text: string): Set<number> {
  const values = new Set<number>();
  for (const { value } of numbersInDigits(text, true)) values.add(value);
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
    if (Object.hasOwn(MORE_WORDS, word)) values.add(MORE_WORDS[word]);
    const month = MONTHS.indexOf(word);
    if (month >= 0) values.add(month + 1);
  }
  addCombined(text, values);
  for (const [, digits] of text.matchAll(/(\d+(?:[.,]\d+)?)\s*(?:%|percent|per cent)/giu)) {
    values.add(Number(digits.replace(',', '.')) / 100);
  }
  for (const [, hour, half] of text.matchAll(/\b(\d{1,2})(?::\d{2})?\s*(a\.?m|p\.?m)\b/giu)) {
    values.add((Number(hour) % 12) + (half.toLowerCase().startsWith('p') ? 12 : 0));
  }
  return values;
}

/** Numbers of two words: `two hundred`, `twenty-five`, `5 thousand`. */
function addCombined(text: string, values: Set<number>): void {
  const pattern = /(\p{L}+|\d+)[\s-]+(\p{L}+)/giu;
  pattern.lastIndex = 0;
  const lower = text.toLowerCase();
  for (let match = pattern.exec(lower); match !== null; match = pattern.exec(lower)) {
    const [, first, second] = match;
    // The second word may begin the next number.
    pattern.lastIndex = match.index + first.length;
    const a = /^\d+$/.test(first) ? Number(first) : MORE_WORDS[first];
    const b = MORE_WORDS[second];
    if (a === undefined || b === undefined) continue;
    if (b >= 100) values.add(a * b);
    else if (a >= 20 && a < 100 && b < 10) values.add(a + b);
  }
}

/** The numbers in digits; `all`: each way to read their separators. */
function numbersInDigits(text: string, all = false): TextNumber[] {
  return [...text.matchAll(DIGITS)].flatMap((match) => {
    const [written] = match;
    // Digits of a name, such as `4b` or `R2-D2`, are part of the name.
    const before = text[match.index - 1] ?? '';
    if (!all && /[\p{L}_]/u.test(before)) return [];
    // The minutes of a full hour.
    if (before === ':' && written === '00') return [];
    const values = readings(written);
    return (all ? values : values.slice(0, 1)).map((value) => ({ value, written }));
  });
}

/** The values that digits with separators can have; the most likely one first. */
function readings(written: string): number[] {
  const parts = written.split(/[.,’']/);
  const joined = Number(parts.join(''));
  const last = parts.at(-1) ?? '';
  const decimal = Number(`${parts.slice(0, -1).join('')}.${last}`);
  if (parts.length === 1) return [joined];
  const isGrouped = parts.slice(1).every((part) => part.length === 3);
  const single = parts.map(Number);
  return isGrouped ? [joined, decimal, ...single] : [decimal, joined, ...single];
}
