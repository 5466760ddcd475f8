import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutToTokens, estimateTokens } from '../../src/llm/token-estimate.js';

describe('estimateTokens', () => {
  it('counts words, numbers and marks as tokenizers do', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('Plan the shop')).toBe(3);
    expect(estimateTokens('0,12,345\n')).toBe(7);
    expect(estimateTokens('["Job1",1,"Machine0",0,5],')).toBe(13);
    expect(
      estimateTokens('{"job":"Job12","step":10,"machine":"Machine12","start":123,"end":150},'),
    ).toBe(25);
    expect(estimateTokens('日本')).toBe(2);
  });

  it('never counts more tokens than characters, and some where there is more than a space', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (text) => {
        const tokens = estimateTokens(text);
        expect(tokens).toBeLessThanOrEqual(text.length);
        if (text.trim() !== '') expect(tokens).toBeGreaterThan(0);
      }),
    );
  });

  it('counts at most one token more for two texts than for both together', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        const joined = estimateTokens(a + b);
        expect(Math.abs(estimateTokens(a) + estimateTokens(b) - joined)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('cutToTokens', () => {
  it('keeps a beginning of at most so many tokens, and all of what is short enough', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.integer({ min: -1, max: 50 }), (text, most) => {
        const cut = cutToTokens(text, most);
        expect(text.startsWith(cut)).toBe(true);
        expect(estimateTokens(cut)).toBeLessThanOrEqual(Math.max(0, most));
        if (estimateTokens(text) <= most) expect(cut).toBe(text);
      }),
    );
  });
});
