import { expect, test } from 'vitest';
import { chooseMutations, tryGates } from '../../lab/src/drafts/gate-trial.js';
import { readGoodDrafts } from '../../lab/src/drafts/good-drafts.js';

/** A small part of the campaign `npm run trials -- drafts`, with seeds of its own. */
const SEEDS = Array.from({ length: 24 }, (_, k) => k + 1);

test('no mutated draft that passes all gates leaves an effect unaccounted for', async () => {
  const drafts = readGoodDrafts();
  const trials = [];
  for (const seed of SEEDS) trials.push(await tryGates(seed, drafts, chooseMutations(undefined)));
  const escaped = trials.filter(({ outcome }) => outcome === 'escaped');
  expect(escaped).toEqual([]);
  const refused = trials.filter(({ outcome }) => outcome.startsWith('refused'));
  expect(refused.filter(({ harmful }) => harmful).length).toBeGreaterThan(0);
  expect(trials.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(0);
});
