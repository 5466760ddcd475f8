import type { LogEntry } from '@alas-jssp/workflow';
import { expect, test } from 'vitest';
import { findBrokenPromises } from '../../src/rehearsal/promises-held.js';
import type { RehearsedCall } from '../../src/rehearsal/rehearsed-tools.js';
import { refundDraft } from '../fixtures/refund.js';

test('the name of an approval is filled from the input of the node, not from that of its tool', async () => {
  const { template, specification, catalogue } = refundDraft();
  const nodes = template.nodes.map((node) => {
    const details = { ...node.details, approval: 'mail {input.order}', approvers: [] };
    return node.id === 'mail' ? { ...node, details } : node;
  });
  const kept = { nodes, constraintCoverage: [] };
  const draft = { template: { ...template, ...kept }, specification, catalogue };
  const entry = (eventType: string, payload: object) => ({ nodeId: 'mail', eventType, payload });
  const broken = (approved: string) => {
    const entries = [
      entry('Approve', { name: approved, by: 'a person' }),
      entry('Register', { input: { order: 'o-1' } }),
    ] as unknown as LogEntry[];
    const of = { node: 'mail', path: 'mail', of: 'call', number: 1, effectKey: 'k' } as const;
    const input = { order: 'another name' };
    const made = { tool: 'mail.send', input, answered: true, changes: [], entries: 2 };
    const call: RehearsedCall = { ...of, ...made };
    return findBrokenPromises({ ...draft, agents: [], files: {} }, [call], entries);
  };
  expect(await broken('mail o-1')).toEqual([]);
  expect(await broken('mail another name')).toMatchObject([{ code: 'unapproved' }]);
});
