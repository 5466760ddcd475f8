import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { trialCases } from '../../src/compensation/trial-cases.js';
import { SCORE_WEIGHTS } from '../../src/index.js';
import { refundDraft } from '../fixtures/refund.js';

const page = readFileSync(
  new URL('../../../../docs/design/factory.md', import.meta.url),
  'utf8',
).replaceAll(/\s+/g, ' ');

it('docs/design/factory.md lists the weights of the score, which sum to 1', () => {
  for (const [name, weight] of Object.entries(SCORE_WEIGHTS)) {
    expect(page).toContain(`| ${name} | ${weight.toFixed(2)} |`);
  }
  const sum = Object.values(SCORE_WEIGHTS).reduce((all, weight) => all + weight, 0);
  expect(sum).toBeCloseTo(1, 9);
});

it('docs/design/factory.md speaks of every kind of trial', () => {
  const words = [
    'undo after success',
    'undo called twice',
    'calls of the undo arrive twice',
    'its repeat refused',
  ];
  for (const word of words) expect(page).toContain(word);
  const { catalogue } = refundDraft();
  const [tool] = catalogue.tools.filter(({ name }) => name === 'payments.refund');
  const kindsOf = (refusals: string[]) =>
    new Set(trialCases(2, { ...tool, refusals }).map(({ kind }) => kind)).size;
  expect(kindsOf([])).toBe(14);
  expect(kindsOf(['Busy'])).toBe(15);
});
