import { describe, expect, it } from 'vitest';
import { numbersIn } from '../src/counted.js';
import { acceptedLanguage, preferredLanguage } from '../src/languages.js';

describe('a language', () => {
  it('is the first of a list that we have, whatever its region', () => {
    expect(preferredLanguage(['de-AT', 'en'])).toBe('de');
    expect(preferredLanguage(['fr', 'EN-us', 'de'])).toBe('en');
    expect(preferredLanguage(['fr'])).toBe('en');
    expect(preferredLanguage([])).toBe('en');
  });

  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['de', 'de'],
    ['fr-CH, fr;q=0.9, de;q=0.8, en;q=0.7, *;q=0.5', 'de'],
    ['de;q=0.2, en;q=0.9', 'en'],
    ['de;q=0', 'en'],
    ['de;q=x', 'en'],
    [`${'x'.repeat(5000)},de`, 'de'],
  ])('of the header %j is %s', (header, language) => {
    expect(acceptedLanguage(header)).toBe(language);
  });

  it('writes numbers, and nouns with them, by its own rules', () => {
    const noun = { one: 'Auftrag', other: 'Aufträge' };
    expect([0, 1, 1234].map((count) => numbersIn('de').counted(count, noun))).toEqual([
      '0 Aufträge',
      '1 Auftrag',
      '1.234 Aufträge',
    ]);
    expect(numbersIn('de').number(1.5)).toBe('1,5');
  });
});
