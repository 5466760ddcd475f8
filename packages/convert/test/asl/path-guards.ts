import fc from 'fast-check';

const values = [0, 1, 2.5, -3, '', 'a', 'b', '1', true, false, null] as const;
const literal = fc.constantFrom(...values).map((value) => JSON.stringify(value));
const ordered = fc.constantFrom('0', '2.5', '-3', '"a"', '"b"');
const path = fc.constantFrom('$input.a', '$input.b', '$input.o.a', '$input.`b c`.parent');
const order = fc.constantFrom('<', '<=', '>', '>=');
const equal = fc.constantFrom('=', '!=');
const kind = fc.constantFrom('"string"', '"number"', '"boolean"', '"null"');

const comparison = fc.oneof(
  fc.tuple(path, equal, literal).map((parts) => parts.join(' ')),
  fc.tuple(literal, equal, path).map((parts) => parts.join(' ')),
  fc.tuple(path, order, ordered).map((parts) => parts.join(' ')),
  fc.tuple(ordered, order, path).map((parts) => parts.join(' ')),
  fc.tuple(path, order, path).map((parts) => parts.join(' ')),
  fc.tuple(path, equal, kind).map(([one, sign, type]) => `$type(${one}) ${sign} ${type}`),
  fc
    .tuple(path, fc.array(literal, { minLength: 1, maxLength: 3 }))
    .map(([one, items]) => `${one} in [${items.join(', ')}]`),
  path.map((one) => `$exists(${one})`),
);

const { test } = fc.letrec<{ test: string }>((tie) => ({
  test: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    comparison,
    fc
      .tuple(tie('test'), fc.constantFrom('and', 'or'), tie('test'))
      .map(([left, word, right]) => `(${left}) ${word} (${right})`),
    tie('test').map((one) => `$not(${one})`),
  ),
}));

/** Guards over `$input` that can be said in JSONPath. */
export const arbitraryGuard = fc.oneof({ weight: 9, arbitrary: test }, path);

const value = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...values) },
  fc.constantFrom<unknown>([], [1], [1, 'a'], {}, { a: 1 }),
);
const inner = fc.record({ a: value, parent: value }, { requiredKeys: [] });

/** Inputs in which the paths of {@link arbitraryGuard} lead to values of all kinds, through lists, or nowhere. */
export const arbitraryInput = fc.record(
  {
    ...{ a: value, b: value },
    o: fc.oneof(inner, fc.array(inner, { maxLength: 2 }), value),
    'b c': inner,
  },
  { requiredKeys: [] },
);
