import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIntList, reserve } from '../src/int-list.js';

test('keeps what was written before it grew', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.integer(), { maxLength: 30 })), (pieces) => {
      const list = createIntList();
      for (const piece of pieces) {
        reserve(list, piece.length);
        for (const value of piece) list.data[list.length++] = value | 0;
      }
      const all = pieces.flat().map((value) => value | 0);
      expect([...list.data.subarray(0, list.length)]).toEqual(all);
    }),
  );
});
