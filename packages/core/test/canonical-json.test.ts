import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cacheCanonicalJson, canonicalJson } from '../src/canonical-json.js';

/** The same value with the keys of all its objects in another order. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, member]) => [key, shuffled(member)] as const);
  return Object.fromEntries(entries.reverse());
}

describe('canonical JSON', () => {
  it('of a cached object is the same as a member and alone', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = canonicalJson({ value, other: [value] });
        cacheCanonicalJson(value);
        for (let k = 0; k < 2; k++) expect(canonicalJson({ other: [value], value })).toBe(text);
        expect(canonicalJson(value)).toBe(canonicalJson({ ...value }));
      }),
    );
  });

  it('restores the value, and gives equal values one text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(shuffled(value))).toBe(text);
      }),
    );
  });

  it('writes the example of RFC 8785 as the RFC does', () => {
    const value = {
      numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
    expect(canonicalJson({ '\ufb33': 1, '\u{1f600}': 2, a: -0, gone: undefined })).toBe(
      '{"a":0,"\u{1f600}":2,"\ufb33":1}',
    );
  });

  it('refuses values that JSON cannot represent, with their path', () => {
    const circle: unknown[] = [];
    circle.push(circle);
    for (const value of [Number.NaN, 1 / 0, () => 1, 1n, new Date(0), new Map(), circle]) {
      expect(() => canonicalJson(value)).toThrow(/which JSON cannot hold/);
    }
    expect(() => canonicalJson({ a: [1, new Int32Array(1)] })).toThrow(
      '$.a[1]: this is a Int32Array, which JSON cannot hold',
    );
    expect(() => canonicalJson([undefined])).toThrow('$[0]');
  });
});
