// Words and numbers that parsers get wrong.
import type { Random } from '@alas-jssp/core/random';

/** What changes are made from. */
export interface MutationParts {
  readonly random: Random;
  /** Other inputs, of which parts are taken. */
  readonly others: readonly Uint8Array[];
  /** Words that code under test compares with. */
  readonly words: readonly string[];
}

const NUMBERS = [
  ...[
    '0',
    '-0',
    '-1',
    '1',
    '2',
    '1e9',
    '1e308',
    '1e999',
    '0.1',
    '1.0000000000000001',
    'NaN',
    '-1e-7',
  ],
  ...[
    '2147483647',
    '2147483648',
    '-2147483648',
    '4294967296',
    '9007199254740993',
    '99999999999999999999',
  ],
  ...['0x10', '1_000', '١', '00012', '+5', '.5', '5.', 'Infinity', '1,5', '1:30', '24:00', '-'],
];

const STRANGE = [
  ...[
    '\u0000',
    '\ufeff',
    '\u2028',
    '\u202e',
    '\ud800',
    '\ufffd',
    '\u00a0',
    'İ',
    'ß',
    '𝟙',
    '\r',
    '\t',
    '\v',
  ],
  ...[
    '"',
    "'",
    '\\',
    '`',
    '{',
    '[',
    '(',
    '<',
    '|',
    ',',
    ';',
    ':',
    '#',
    '//',
    '/*',
    '-->',
    '...',
    '…',
    '%',
    '&',
    '!',
  ],
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'length',
    'then',
    'null',
    'undefined',
  ],
  ...[
    '=1+1',
    '#{x}',
    '{{x}}',
    '<script>',
    '../../x',
    '&amp;',
    ']]>',
    '<!DOCTYPE a [<!ENTITY b "c">]>',
    '&b;',
    '*a',
    '&a',
  ],
];

/** A number that parsers get wrong, or a small one. */
export function newNumber(random: Random): string {
  if (random.integer(0, 1) === 0) return String(random.integer(0, 40));
  return NUMBERS[random.integer(0, NUMBERS.length - 1)];
}

/** A word of the code under test, or one that parsers get wrong. */
export function newWord(random: Random, words: readonly string[]): string {
  if (words.length > 0 && random.integer(0, 2) > 0)
    return words[random.integer(0, words.length - 1)];
  return STRANGE[random.integer(0, STRANGE.length - 1)];
}
