import { checkDraft } from '@alas-jssp/blueprint';
import { describe, expect, it } from 'vitest';
import { refundDraft } from './fixtures/refund.js';

describe('checkDraft', () => {
  it('finds nothing wrong with a good draft, and warns about the wish that it gives up', () => {
    const found = checkDraft(refundDraft());
    expect(found.map(({ code, severity, part }) => [code, severity, part])).toEqual([
      ['constraint_not_enforced', 'warning', 'constraint-coverage'],
    ]);
  });
});
