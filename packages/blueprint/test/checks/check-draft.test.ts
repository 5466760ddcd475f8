import { checkDraft } from '@alas-jssp/blueprint';
import { describe, expect, it } from 'vitest';
import { refundDraft } from '../fixtures/refund.js';
import { type BadDraft, findingsAfter } from './bad-draft.js';

describe('checkDraft', () => {
  it('finds nothing wrong with a good draft, and warns about the wish that it gives up', () => {
    const found = checkDraft(refundDraft());
    expect(found.map(({ code, severity, part }) => [code, severity, part])).toEqual([
      ['constraint_not_enforced', 'warning', 'constraint-coverage'],
    ]);
  });
});

describe('warnings of checkDraft', () => {
  const warnings = (change: (bad: BadDraft) => void) =>
    findingsAfter(change)
      .filter(({ severity, code }) => severity === 'warning' && code !== 'constraint_not_enforced')
      .map(({ code }) => code);

  it('name permissions and roles without use', () => {
    expect(warnings((bad) => bad.role('clerk').capabilities.push('mail:send'))).toEqual([
      'unused_capability',
    ]);
    expect(warnings((bad) => bad.role('clerk').capabilities.push('bank:rob'))).toEqual([
      'unknown_capability',
    ]);
    const boss = (bad: BadDraft) => ({ ...structuredClone(bad.role('auditor')), id: 'boss' });
    expect(warnings((bad) => bad.template.roles.push(boss(bad)))).toEqual(['unused_role']);
  });

  it('name undos of nodes that change nothing', () => {
    const undo = {
      node: 'letter',
      strategy: 'escalate',
      sequence: [],
      reason: 'A letter.',
    } as const;
    expect(warnings((bad) => bad.template.undo.push({ ...undo, sequence: [] }))).toEqual([
      'undo_of_no_effect',
    ]);
  });
});

describe('proofs of undos', () => {
  const proof = (node: string, verdict: 'proven' | 'escalated') => ({
    node,
    strategy: 'undo' as const,
    verdict,
    against: 'declaration' as const,
    trials: {},
    counterexample: verdict === 'proven' ? null : 'the refund is still there',
  });
  const codes = (undo: ReturnType<typeof proof>[]) =>
    checkDraft({ ...refundDraft(), undo }).map(({ code, severity }) => `${severity} ${code}`);

  it('are asked for as soon as there are any', () => {
    const all = ['ticket', 'refund', 'ledger'].map((node) => proof(node, 'proven'));
    expect(codes(all)).toEqual(['warning constraint_not_enforced']);
    expect(codes(all.slice(1))).toContain('error undo_not_tried');
    expect(codes([...all.slice(1), proof('ticket', 'escalated')])).toContain(
      'warning undo_escalated',
    );
    const other = { ...proof('ticket', 'proven'), digest: 'of another sequence' };
    expect(codes([...all.slice(1), other])).toContain('error undo_not_tried');
  });
});

describe('hints of checkDraft', () => {
  it('give the change that mends the draft', () => {
    const [missing] = findingsAfter((bad) => bad.template.undo.splice(0, 1));
    expect(missing).toMatchObject({
      part: 'undo/ticket',
      hint: 'give the strategy "undo" and the sequence [{"tool":"desk.withdraw-ticket","input":{"ticket":"output.ticket"}}]',
    });
    const findings = findingsAfter((bad) => delete bad.details('refund').input.payment);
    const input = findings.find(({ code }) => code === 'input_missing');
    expect(input).toMatchObject({ part: 'node/refund', path: '$.input.payment' });
    expect(input?.hint).toContain('outputs.order.payment');
  });
});
