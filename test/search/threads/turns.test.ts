import { describe, expect, it } from 'vitest';
import { createTurns, secondsToYield } from '../../../src/search/threads/turns.js';

/** A search and a prover that remember who yields, and the turns of both. */
function setUp({ most, mayClose = true }: { most: number; mayClose?: boolean }) {
  const state = { cost: 100, search: false, proofs: false, mayClose };
  const search = {
    get cost() {
      return state.cost;
    },
    rest: (yields: boolean) => {
      state.search = yields;
    },
  };
  const prover = {
    press: () => state.mayClose,
    rest: (yields: boolean) => {
      state.proofs = yields;
    },
  };
  const take = createTurns(search, prover, most);
  /** Who yields after each of the seconds from the first to the last one. */
  const from = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, i) => {
      take(first + i);
      if (state.search) return 'search';
      return state.proofs ? 'proofs' : '-';
    });
  return { state, from };
}

describe('turns of a search and its proofs', () => {
  it('let the search yield while it does not improve, and the proofs once they have had their time', () => {
    const { state, from } = setUp({ most: 4 });
    expect(from(0, 4)).toEqual(['-', '-', '-', 'search', 'search']);
    state.cost = 99;
    expect(from(5, 8)).toEqual(['-', '-', '-', 'search']);
    expect(from(9, 12)).toEqual(['search', 'proofs', 'proofs', 'proofs']);
    state.cost = 98;
    expect(from(13, 14)).toEqual(['proofs', 'proofs']);
  });

  it('never end without a budget in seconds', () => {
    const { from } = setUp({ most: secondsToYield(Number.POSITIVE_INFINITY) });
    expect(from(0, 100).slice(3)).toEqual(Array(98).fill('search'));
  });

  it('do not begin where proofs cannot close the gap', () => {
    const { from } = setUp({ most: 4, mayClose: false });
    expect(from(0, 50)).toEqual(Array(51).fill('-'));
  });

  it('give proofs half of what a long budget has', () => {
    expect([5, 10, 60].map(secondsToYield)).toEqual([4, 4, 29]);
  });
});
