import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextToken, openTokens, quoteToken } from '../../../src/jssp/formats/tokens.js';

function read(text: string) {
  const tokens = openTokens(Buffer.from(text), 'f');
  const found: unknown[][] = [];
  while (nextToken(tokens) !== 'end') {
    const { kind, value, line } = tokens;
    found.push(kind === 'integer' ? [line, value] : [line, kind, quoteToken(tokens)]);
  }
  return { found, lastLine: tokens.line };
}

test('whole numbers come with their lines, comments are passed over', () => {
  const { found, lastLine } = read('# a 9\n1 -2\r\n\n 007\t# b 9\n#\n-0 5\n\n# end');
  expect(found).toEqual([
    [2, 1],
    [2, -2],
    [4, 7],
    [6, 0],
    [6, 5],
  ]);
  expect(lastLine).toBe(6);
});

test('other tokens than whole numbers have kinds of their own', () => {
  expect(
    read('1.5 .5 5. 1e9 -2.5E-3 x 1x - 1- e5 9007199254740991 9007199254740993').found,
  ).toEqual([
    [1, 'fraction', '"1.5"'],
    [1, 'fraction', '".5"'],
    [1, 'fraction', '"5."'],
    [1, 'fraction', '"1e9"'],
    [1, 'fraction', '"-2.5E-3"'],
    [1, 'word', '"x"'],
    [1, 'word', '"1x"'],
    [1, 'word', '"-"'],
    [1, 'word', '"1-"'],
    [1, 'word', '"e5"'],
    [1, 2 ** 53 - 1],
    [1, 'huge', '"9007199254740993"'],
  ]);
});

test('a long word is cut in messages and stays on one line', () => {
  expect(read(`${'y'.repeat(300)}\u0001`).found).toEqual([[1, 'word', `"${'y'.repeat(20)}…"`]]);
  expect(read('a\u0001b').found).toEqual([[1, 'word', '"a\\u0001b"']]);
});

test('any whole numbers are read back as they were written', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.maxSafeInteger(), fc.constantFrom(' ', '\n', '\t\n ')), {
        minLength: 1,
      }),
      (items) => {
        let line = 1;
        const expected = items.map(([value, gap]) => {
          const at = line;
          if (gap.includes('\n')) line++;
          return [at, value + 0];
        });
        expect(read(items.flat().join('')).found).toEqual(expected);
      },
    ),
  );
});
