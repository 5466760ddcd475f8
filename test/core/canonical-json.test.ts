import { expect, it } from 'vitest';
import { canonicalJson } from '../../src/core/canonical-json.js';

it('writes equal values alike, whatever the order of their keys', () => {
  const text = '{"a":[{"c":1,"d":null},2],"b":"x"}';
  expect(canonicalJson({ b: 'x', a: [{ d: null, c: 1, e: undefined }, 2] })).toBe(text);
  expect(canonicalJson(JSON.parse(text))).toBe(text);
});
