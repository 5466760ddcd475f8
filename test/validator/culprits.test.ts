import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findCulprits } from '../../src/validator/groups.js';

/** The greedy rule word by word: look at all operations again for every culprit. */
function slowCulprits(conflicts: readonly (readonly number[])[], starts: Int32Array) {
  const left = new Set(conflicts.keys());
  const culprits: { op: number; conflicts: number[] }[] = [];
  while (left.size > 0) {
    const of = (op: number) => [...left].filter((index) => conflicts[index].includes(op));
    const [op] = [...starts.keys()].sort(
      (a, b) => of(b).length - of(a).length || starts[a] - starts[b] || a - b,
    );
    const taken = of(op);
    for (const index of taken) left.delete(index);
    culprits.push({ op, conflicts: taken });
  }
  return culprits;
}

it('lays conflicts at the door of the most involved operation, then the next', () => {
  const conflict = fc.oneof(
    fc.tuple(fc.nat(9)),
    fc.tuple(fc.nat(9), fc.nat(9)).filter(([a, b]) => a !== b),
  );
  const starts = fc.array(fc.nat(3), { minLength: 10, maxLength: 10 });
  fc.assert(
    fc.property(fc.array(conflict, { maxLength: 25 }), starts, (conflicts, times) => {
      const start = Int32Array.from(times);
      expect(findCulprits(conflicts, start)).toEqual(slowCulprits(conflicts, start));
    }),
  );
});
