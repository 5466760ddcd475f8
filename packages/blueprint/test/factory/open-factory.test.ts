import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Equipment, openFactory, type Template } from '../../src/index.js';
import { requireRunnable } from '../../src/running/open-draft.js';
import { refundDraft } from '../fixtures/refund.js';
import { answering, REFUND_CODE } from './asking.js';

const factory = openFactory({ seeds: [0] });
afterAll(() => factory.close());

const models = { planner: 'cassette', agents: 'cassette', reviewer: null };

/** The draft of a refund whose undo of the payment reverses another refund. */
function wrongDraft() {
  const draft = refundDraft();
  const undo = draft.template.undo.map((one) =>
    one.node === 'refund'
      ? { ...one, sequence: [{ tool: 'payments.reverse', input: { refund: { value: 'R-9' } } }] }
      : one,
  );
  return { ...draft, template: { ...draft.template, undo } };
}

async function equip(
  {
    specification,
    template,
    catalogue,
  }: Pick<ReturnType<typeof refundDraft>, 'specification' | 'template' | 'catalogue'>,
  isLast = false,
): Promise<Equipment> {
  const { ask } = answering(REFUND_CODE);
  return factory.equip({ specification, template, catalogue, models, ask, isLast });
}

describe('the factory of a draft', () => {
  it('refutes an undo with an error as long as a round follows, then with a warning', async () => {
    const early = await equip(wrongDraft());
    expect(early.findings).toEqual([
      expect.objectContaining({ code: 'undo_refuted', severity: 'error', part: 'undo/refund' }),
    ]);
    const last = await equip(wrongDraft(), true);
    expect(last.findings).toEqual([{ ...early.findings[0], severity: 'warning' }]);
    expect(last.undo.find(({ node }) => node === 'refund')?.verdict).toBe('escalated');
  });

  it('leaves an undo that is not proven to people in every run', async () => {
    const draft = wrongDraft();
    const { undo } = await equip(draft, true);
    const { template } = requireRunnable({ ...draft, name: 'refund', undo });
    const found = (changed: Template) => ({
      strategy: changed.undo.find(({ node }) => node === 'refund')?.strategy,
      approval: changed.nodes.find(({ id }) => id === 'refund')?.details.approval,
    });
    expect(found(template)).toEqual({
      strategy: 'escalate',
      approval: 'refund although its undo is not proven',
    });
    const good = refundDraft();
    const proven = await equip(good);
    const runnable = requireRunnable({ ...good, name: 'refund', undo: proven.undo });
    expect(runnable.template).toBe(good.template);
  });

  it('gives late-bound roles their candidates in order, without a choice', async () => {
    const { specification, template, catalogue } = refundDraft();
    const roles = template.roles.map((role) => ({ ...role, late: role.id === 'clerk' }));
    const twin = { ...catalogue.tools[0], name: 'shop.load-order', idempotent: false };
    const tools = [...catalogue.tools, twin];
    const { agents } = await equip({
      specification,
      template: { ...template, roles },
      catalogue: { ...catalogue, tools },
    });
    const ofOrder = agents.filter(({ name }) => /^order(\.|$)/.test(name));
    expect(ofOrder.map(({ name, implementation }) => [name, implementation])).toEqual([
      ['order', { kind: 'tool', tool: 'shop.read-order' }],
      ['order.2', { kind: 'tool', tool: 'shop.load-order' }],
    ]);
  });

  it('keeps a library that grows', async () => {
    const library = mkdtempSync(join(tmpdir(), 'agents-'));
    const { specification, template, catalogue } = refundDraft();
    const origins: string[] = [];
    for (const answers of [REFUND_CODE, {}]) {
      const own = openFactory({
        seeds: [0],
        library,
        onOrigins: (all) => origins.push(all.map(({ outcome }) => outcome).join(' ')),
      });
      const { ask, asked } = answering(answers);
      const { findings } = await own.equip({ specification, template, catalogue, models, ask });
      expect(findings).toEqual([]);
      expect(asked).toHaveLength(Object.keys(answers).length);
      await own.close();
    }
    expect(origins[0]).toContain('made');
    expect(origins[1]).not.toContain('made');
    expect(origins[1]).toContain('reused');
  });
});
