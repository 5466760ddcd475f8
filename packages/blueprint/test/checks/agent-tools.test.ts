import { checkDraft } from '@alas-jssp/blueprint';
import { expect, test } from 'vitest';
import { refundDraft } from '../fixtures/refund.js';
import { agent } from '../running/refund-agents.js';

/** The codes of the errors of the refund with an agent of a tool for a node. */
function codesWith(
  node: string,
  tool: string,
  mapping: Record<string, string | { value: number }>,
) {
  const one = agent(node, { kind: 'tool', tool, mapping });
  const found = checkDraft({ ...refundDraft(), agents: [one] });
  return found.filter(({ severity }) => severity === 'error').map(({ code }) => code);
}

test('an agent calls the tool of its node, with the input of its node', () => {
  const same = { payment: 'input.payment', amount: 'input.amount' };
  expect(codesWith('refund', 'payments.refund', same)).toEqual([]);
  expect(codesWith('refund', 'payments.refund', {})).toEqual([]);
  const other = ['agent_of_other_tool'];
  expect(codesWith('refund', 'payments.refund-by-hand', same)).toEqual(other);
  expect(codesWith('refund', 'payments.refund', { ...same, amount: { value: 99999 } })).toEqual(
    other,
  );
  expect(codesWith('order', 'shop.read-order', { order: 'input.order' })).toEqual([]);
  expect(codesWith('order', 'desk.open-ticket', {})).toEqual(other);
});
