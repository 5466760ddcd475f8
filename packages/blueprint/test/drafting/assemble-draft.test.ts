import { describe, expect, test } from 'vitest';
import { assembleDraft, specificationSchema, templateSchema } from '../../src/index.js';
import { REFUND_PARTS } from './refund-parts.js';

/** Findings of parts that cannot be assembled. */
function findingsOf(parts: Record<string, unknown>) {
  const assembled = assembleDraft(parts as never);
  if (!('findings' in assembled)) throw new Error('the parts were assembled');
  return assembled.findings.map(({ code, part, path, hint }) => ({ code, part, path, hint }));
}

describe('parts of a draft', () => {
  test('assemble into a specification and a template', () => {
    const assembled = assembleDraft(REFUND_PARTS);
    if ('findings' in assembled) throw new Error(JSON.stringify(assembled.findings));
    const { specification, template } = assembled;
    expect(specificationSchema.parse(specification)).toEqual(specification);
    expect(templateSchema.parse(template)).toEqual(template);
    expect(template.name).toBe('refund-of-an-order');
    expect(template.nodes.map(({ id, details }) => [id, details.tool])).toEqual([
      ['refund', 'payments.refund'],
      ['email', 'mail.send'],
    ]);
    expect(template.undo.map(({ node }) => node)).toEqual(['refund', 'email']);
    expect(template.edges[0].repairable).toBe('none');
  });

  test('take the given name', () => {
    const assembled = assembleDraft(REFUND_PARTS, 'refund');
    expect('template' in assembled && assembled.template.name).toBe('refund');
  });

  test('that are missing are named', () => {
    const { 'node/email': _, constraints: __, ...rest } = REFUND_PARTS;
    expect(findingsOf(rest).map(({ code, part }) => [code, part])).toEqual([
      ['missing_part', 'constraints'],
      ['missing_part', 'node/email'],
    ]);
  });

  test('of another form are named with the place and a hint', () => {
    const findings = findingsOf({
      ...REFUND_PARTS,
      objectives: { title: 'x', objectives: [{ id: 'O 1', text: 'y', source: null }] },
      operations: {
        operations: [
          { id: 'a', does: 'b', system: null, access: 'write', undo: null, source: null, note: 1 },
        ],
      },
      'node/refund': { id: 'refund', input: { order: 7 } },
      'constraint-coverage': {
        constraintCoverage: [{ constraint: 'D1', enforced: [{ by: 'magic' }] }],
      },
    });
    expect(findings).toEqual([
      expect.objectContaining({
        part: 'objectives',
        path: '$.objectives[0].id',
        hint: expect.stringContaining('use letters, digits, - and _'),
      }),
      expect.objectContaining({
        part: 'operations',
        path: '$.operations[0].access',
        hint: 'give "compute" or "decide" or "read" or "change" or "irreversible"',
      }),
      expect.objectContaining({
        part: 'operations',
        path: '$.operations[0]',
        hint: 'omit "note"',
      }),
      expect.objectContaining({
        part: 'constraint-coverage',
        path: '$.constraintCoverage[0].enforced[0].by',
        hint: expect.stringContaining('give "invariant" or "output"'),
      }),
      expect.objectContaining({
        part: 'node/refund',
        path: '$.input.order',
        hint: expect.stringContaining('input.order'),
      }),
    ]);
  });

  test('about another node than the one asked for are refused', () => {
    const undo = REFUND_PARTS['undo/refund'] as object;
    expect(findingsOf({ ...REFUND_PARTS, 'undo/refund': { ...undo, node: 'email' } })).toEqual([
      { code: 'bad_part', part: 'undo/refund', path: '$.node', hint: 'give "node": "refund"' },
    ]);
  });

  test('about nodes that the outline no longer has are ignored', () => {
    const assembled = assembleDraft({ ...REFUND_PARTS, 'node/old': 7, 'undo/old': 'x' });
    expect('template' in assembled && assembled.template.nodes.length).toBe(2);
  });

  test.each([[null], [[]], [7], ['text'], [{}]])('that are %j are refused', (answer) => {
    for (const part of Object.keys(REFUND_PARTS)) {
      const findings = findingsOf({ ...REFUND_PARTS, [part]: answer });
      expect(findings.length).toBeGreaterThan(0);
      expect(new Set(findings.map((finding) => finding.part))).toContain(part);
    }
  });
});
