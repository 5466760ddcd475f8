import type { Random } from '@alas-jssp/core/random';

/** Draws a text. */
type Draw = (random: Random) => string;

/** Repetitions beyond the least, where a pattern sets no limit. */
const MORE = 4;

const range = (from: string, to: string) =>
  Array.from({ length: to.charCodeAt(0) - from.charCodeAt(0) + 1 }, (_, index) =>
    String.fromCharCode(from.charCodeAt(0) + index),
  );

const PRINTABLE = range(' ', '~');
const DIGITS = range('0', '9');
const WORD = [...range('a', 'z'), ...range('A', 'Z'), ...DIGITS, '_'];
const without = (signs: readonly string[]) => PRINTABLE.filter((sign) => !signs.includes(sign));

const CLASSES: Readonly<Record<string, readonly string[]>> = {
  d: DIGITS,
  D: without(DIGITS),
  w: WORD,
  W: without(WORD),
  s: [' '],
  S: without([' ']),
};
const CONTROLS: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r' };

/** A position in a pattern. */
interface PatternReader {
  readonly text: string;
  at: number;
}

/**
 * Draws a text that a regular expression probably matches; undefined for patterns with lookarounds, back references or
 * Unicode classes.
 */
export function samplePattern(pattern: string, random: Random): string | undefined {
  const reader = { text: pattern, at: 0 };
  const draw = readAlternatives(reader);
  return draw === undefined || reader.at < pattern.length ? undefined : draw(random);
}

function readAlternatives(reader: PatternReader): Draw | undefined {
  const choices: Draw[] = [];
  do {
    if (choices.length > 0) reader.at++;
    const sequence = readSequence(reader);
    if (sequence === undefined) return undefined;
    choices.push(sequence);
  } while (reader.text[reader.at] === '|');
  return (random) => choices[random.integer(0, choices.length - 1)](random);
}

function readSequence(reader: PatternReader): Draw | undefined {
  const parts: Draw[] = [];
  while (reader.at < reader.text.length && !'|)'.includes(reader.text[reader.at])) {
    const atom = readAtom(reader);
    if (atom === undefined) return undefined;
    const [least, most] = readQuantifier(reader);
    parts.push((random) =>
      Array.from({ length: random.integer(least, most) }, () => atom(random)).join(''),
    );
  }
  return (random) => parts.map((part) => part(random)).join('');
}

function readAtom(reader: PatternReader): Draw | undefined {
  const sign = reader.text[reader.at++];
  switch (sign) {
    case '^':
    case '$':
      return () => '';
    case '.':
      return oneOf(PRINTABLE);
    case '(':
      return readGroup(reader);
    case '[':
      return readClass(reader);
    case '\\': {
      const signs = readEscape(reader);
      return signs === undefined ? undefined : oneOf(signs);
    }
    default:
      return '*+?{'.includes(sign) ? undefined : () => sign;
  }
}

function oneOf(signs: readonly string[]): Draw | undefined {
  if (signs.length === 0) return undefined;
  return (random) => signs[random.integer(0, signs.length - 1)];
}

function readGroup(reader: PatternReader): Draw | undefined {
  if (reader.text[reader.at] === '?') {
    const [kind] = /^\?(?::|<\w+>)/.exec(reader.text.slice(reader.at)) ?? [];
    if (kind === undefined) return undefined;
    reader.at += kind.length;
  }
  const inner = readAlternatives(reader);
  return inner !== undefined && reader.text[reader.at++] === ')' ? inner : undefined;
}

function readEscape(reader: PatternReader): readonly string[] | undefined {
  const sign = reader.text[reader.at++] ?? '';
  if (Object.hasOwn(CLASSES, sign)) return CLASSES[sign];
  if (Object.hasOwn(CONTROLS, sign)) return [CONTROLS[sign]];
  const [hex, code] = /^(?:u([\da-f]{4}))/i.exec(`${sign}${reader.text.slice(reader.at)}`) ?? [];
  if (hex !== undefined) {
    reader.at += hex.length - 1;
    return [String.fromCharCode(Number.parseInt(code, 16))];
  }
  // Other letters and digits have meanings of their own.
  return sign === '' || /[A-Za-z0-9]/.test(sign) ? undefined : [sign];
}

function readClass(reader: PatternReader): Draw | undefined {
  const isNegated = reader.text[reader.at] === '^';
  if (isNegated) reader.at++;
  const signs: string[] = [];
  while (reader.text[reader.at] !== ']') {
    if (reader.at >= reader.text.length) return undefined;
    const from = readMember(reader);
    if (from === undefined) return undefined;
    const isRange = reader.text[reader.at] === '-' && reader.text[reader.at + 1] !== ']';
    if (!isRange || from.length > 1) {
      signs.push(...from);
      continue;
    }
    reader.at++;
    const to = readMember(reader);
    if (to === undefined || to.length > 1) return undefined;
    signs.push(...range(from[0], to[0]));
  }
  reader.at++;
  return oneOf(isNegated ? without(signs) : signs);
}

function readMember(reader: PatternReader): readonly string[] | undefined {
  const sign = reader.text[reader.at++];
  return sign === '\\' ? readEscape(reader) : [sign];
}

function readQuantifier(reader: PatternReader): readonly [least: number, most: number] {
  const found = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/.exec(reader.text.slice(reader.at));
  if (found === null) return [1, 1];
  const [text, sign, least, comma, most] = found;
  reader.at += text.length;
  if (sign !== undefined) return sign === '?' ? [0, 1] : sign === '*' ? [0, MORE] : [1, 1 + MORE];
  const from = Number(least);
  if (comma === undefined) return [from, from];
  return [from, most === '' ? from + MORE : Number(most)];
}
