import { checkDraft, mutations } from '@alas-jssp/blueprint';
import { createRandom } from '@alas-jssp/core/random';
import { describe, expect, it } from 'vitest';
import { refundDraft } from './fixtures/refund.js';

const good = refundDraft();
const errorsOf = (draft: Parameters<typeof checkDraft>[0]) =>
  checkDraft(draft).filter(({ severity }) => severity === 'error');

/** Changes of the order that may keep all effects accounted for: the trials of the gates judge what passes. */
const UNDECIDED = [
  'two edges have swapped targets',
  'two neighbours are swapped',
  'the edges of a choice have swapped targets',
];

describe('mutations of a good draft', () => {
  it('have distinct names', () => {
    expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length);
  });

  it.each(mutations.filter(({ harmful }) => !harmful))('are accepted if harmless: $name', (one) => {
    for (let seed = 0; seed < 10; seed++) {
      const draft = one.apply(good, createRandom(seed));
      if (draft !== null) expect(errorsOf(draft)).toEqual([]);
    }
  });

  const decided = mutations.filter((one) => one.harmful && !UNDECIDED.includes(one.name));
  it.each(decided)('are found if harmful: $name', (one) => {
    for (let seed = 0; seed < 10; seed++) {
      const draft = one.apply(good, createRandom(seed));
      if (draft === null) continue;
      const codes = errorsOf(draft).map(({ code }) => code);
      expect(codes.length, `seed ${seed}`).toBeGreaterThan(0);
    }
  });

  it('apply to the draft, most of them, and change it', () => {
    const applied = mutations.filter((one) =>
      [0, 1, 2].some((seed) => one.apply(good, createRandom(seed)) !== null),
    );
    expect(applied.length).toBeGreaterThan(60);
    expect(mutations.filter(({ harmful }) => harmful).length).toBeGreaterThanOrEqual(25);
  });
});
