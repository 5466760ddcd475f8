import { describe, expect, it } from 'vitest';
import { scoreDraft, type Template } from '../../src/index.js';
import { goodDraft, readTask } from '../tasks/read-task.js';

const task = readTask('refund');
const { specification, template } = goodDraft(task);
const score = (changed: Template, given = specification) => scoreDraft(given, changed, task.sheet);

describe('scoreDraft', () => {
  it('does not depend on the ids of a draft', () => {
    const renamed = (text: string): unknown =>
      JSON.parse(text.replaceAll('"pay-small"', '"p1"').replaceAll('"window"', '"c1"'));
    const names = renamed(JSON.stringify({ specification, template })) as never as {
      specification: typeof specification;
      template: Template;
    };
    expect(score(names.template, names.specification).score).toBe(100);
  });

  it('misses a constraint that the specification lacks', () => {
    const constraints = specification.constraints.filter(({ id }) => id !== 'window');
    const { constraints: scored, score: percent } = score(template, {
      ...specification,
      constraints,
    });
    expect(scored.missing).toEqual(['Refunds are paid within 30 days of delivery only.']);
    expect(percent).toBeLessThan(100);
  });

  it('misses a constraint that nothing enforces', () => {
    const constraintCoverage = template.constraintCoverage.map((coverage) =>
      coverage.constraint === 'patience'
        ? { ...coverage, enforced: [{ by: 'nothing' as const, reason: 'too hard' }] }
        : coverage,
    );
    expect(score({ ...template, constraintCoverage }).constraints.missing).toHaveLength(1);
  });

  it('misses an effect without an undo, and an irreversible step that more steps follow', () => {
    const undo = template.undo.filter(({ node }) => node !== 'post');
    expect(score({ ...template, undo }).effects.missing).toEqual(['ledger.post: undo']);
    const edges = template.edges.map((edge) =>
      edge.to === 'post'
        ? { ...edge, to: 'confirm' }
        : edge.from === 'close'
          ? { from: 'confirm', to: 'post', repairable: 'none' as const }
          : edge,
    );
    const nodes = template.nodes.map(({ details: { approval: _, ...details }, ...node }) => ({
      ...node,
      details,
    }));
    const early = score({ ...template, nodes, edges });
    expect(early.irreversible.missing).toEqual(['mail.send']);
    expect(early.orders.missing).toEqual(['ledger.post before mail.send']);
  });

  it('misses an approval by the wrong people', () => {
    const nodes = template.nodes.map((node) => ({
      ...node,
      details: { ...node.details, ...(node.details.approvers && { approvers: ['Petra'] }) },
    }));
    expect(score({ ...template, nodes }).approvals.missing).toEqual([
      'payments.refund by Dana or Miguel',
    ]);
  });
});
