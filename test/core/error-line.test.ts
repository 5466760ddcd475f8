import { describe, expect, it } from 'vitest';
import { errorLine } from '../../src/core/errors.js';

describe('errorLine', () => {
  it.each([
    [new Error('two\n  lines'), 'two lines'],
    [new TypeError(), 'TypeError'],
    ['text', 'text'],
    ['', "'' was thrown"],
    [undefined, 'undefined was thrown'],
    [{ code: 7 }, '{ code: 7 } was thrown'],
    [Object.create(null), '[Object: null prototype] {} was thrown'],
  ])('makes one line of %o', (error, line) => {
    expect(errorLine(error)).toBe(line);
  });
});
