import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createChannelBuffer,
  openChannel,
  PROVERS,
} from '../../../../src/search/bounds/learning/clause-channel.js';
import { createConflictSearch } from '../../../../src/search/bounds/learning/conflict-search.js';
import { strongLowerBound } from '../../../../src/search/bounds/strong-lower-bound.js';
import { arbitrarySmall } from './arbitrary-small.js';

test('clauses reach the others once, if they hold for their makespan', () => {
  const memory = createChannelBuffer();
  const [one, other] = [openChannel(memory, 0), openChannel(memory, 1)];
  const received = (makespan: number) => {
    const clauses: number[][] = [];
    other.receive(makespan, (literals, length) => clauses.push([...literals.subarray(0, length)]));
    return clauses;
  };
  one.send(Int32Array.of(4, 7, 9), 2, 50);
  one.send(Int32Array.of(3), 1, 40);
  one.receive(10, () => expect.fail('own clauses stay away'));
  expect(received(45)).toEqual([[4, 7]]);
  expect(received(10)).toEqual([]);
});

test('of more clauses than there is room for, the last arrive', () => {
  const memory = createChannelBuffer();
  const [one, other] = [openChannel(memory, 0), openChannel(memory, 1)];
  for (let x = 0; x < 10_000; x++) one.send(Int32Array.of(x), 1, 9);
  const heard: number[] = [];
  other.receive(9, (literals) => heard.push(literals[0]));
  expect(heard.length).toBeGreaterThan(1000);
  expect(heard).toEqual(heard.map((_, x) => 10_000 - heard.length + x));
});

test('searches that share clauses come to the same verdict, whatever their makespans', () => {
  fc.assert(
    fc.property(
      arbitrarySmall(),
      fc.array(fc.tuple(fc.nat(PROVERS - 1), fc.integer({ min: 1, max: 60 }))),
      fc.tuple(fc.nat(6), fc.nat(6)),
      (instance, turns, slacks) => {
        const least = strongLowerBound(instance, { maxNodes: Infinity }).value;
        const memory = createChannelBuffer();
        const limits = slacks.map((slack) => Math.max(0, least - 3) + slack);
        const searches = limits.map((limit, own) =>
          createConflictSearch(instance, limit, () => false, openChannel(memory, own), own),
        );
        const all = [...turns, ...limits.map((_, own) => [own, Infinity] as const)];
        for (const [own, conflicts] of all) {
          const verdict = searches[own].search(conflicts);
          if (verdict === 'undecided') continue;
          expect(verdict).toBe(limits[own] < least ? 'refuted' : 'possible');
        }
      },
    ),
    { numRuns: 300 },
  );
});
