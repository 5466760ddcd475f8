import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { errorLine } from '../src/errors.js';

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

  class Refusal {
    readonly code = 7;
  }
  it.each([
    [null],
    [-0],
    [7n],
    [Symbol('s')],
    [() => 1],
    [[]],
    [[1, 'a', [true]]],
    [{}],
    [{ 'a-b': "it's", c: { d: { e: { f: 1 } }, g: [[[1]]], h: undefined } }],
    [new Refusal()],
  ])('shows %o as Node does', (thrown) => {
    const shown = inspect(thrown).replaceAll(/\s*\n\s*/g, ' ');
    expect(errorLine(thrown)).toBe(`${shown} was thrown`);
  });
});
