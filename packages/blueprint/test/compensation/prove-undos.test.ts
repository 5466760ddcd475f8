import { catalogueSchema, createTrialSystem, TOOLS_SCHEMA } from '@alas-jssp/agents';
import { describe, expect, it } from 'vitest';
import { escalateUndos, proveUndos, type Template } from '../../src/index.js';
import { refundDraft } from '../fixtures/refund.js';

type Undo = Template['undo'][number];

async function prove(change: Partial<Undo>, catalogue = refundDraft().catalogue) {
  const { specification, template: given } = refundDraft();
  const template = {
    ...given,
    undo: given.undo
      .filter(({ node }) => node === 'refund')
      .map((undo): Undo => ({ ...undo, ...change })),
  };
  const openTrial = (seed: number) => createTrialSystem(catalogue, { seed });
  const proven = await proveUndos({ specification, template, catalogue, openTrial });
  return { ...proven, template };
}

/** The schema of an object of texts. */
function objectOf(keys: readonly string[]) {
  const properties = Object.fromEntries(keys.map((key) => [key, { type: 'string' }]));
  return { type: 'object', properties, required: [...keys], additionalProperties: false };
}

describe('the undos of a draft', () => {
  it('are proven if they pass all trials', async () => {
    const { specification, template, catalogue } = refundDraft();
    const openTrial = (seed: number) => createTrialSystem(catalogue, { seed });
    const { proofs, findings } = await proveUndos({
      specification,
      template,
      catalogue,
      openTrial,
    });
    expect(findings).toEqual([]);
    expect(proofs.map(({ node, verdict, against }) => `${node}: ${verdict}, ${against}`)).toEqual([
      'ticket: proven, declaration',
      'refund: proven, declaration',
      'ledger: proven, declaration',
      'mail: escalated, nothing',
    ]);
    for (const kind of ['undo called twice', 'crash at each entry', 'another record before']) {
      expect(proofs[1].trials[kind]).toBeGreaterThan(0);
    }
  });

  it('are tried with a repeat that is refused after the answer was lost', async () => {
    const { catalogue } = refundDraft();
    const tools = catalogue.tools.map((tool) =>
      tool.name === 'payments.refund' ? { ...tool, refusals: ['Busy'] } : tool,
    );
    const { proofs } = await prove({}, { ...catalogue, tools });
    expect(proofs[0].verdict).toBe('proven');
    const kind = 'answer of the call lost, its repeat refused (listed for people)';
    expect(proofs[0].trials[kind]).toBeGreaterThan(0);
  });

  it('are refuted with the calls in order and what is left, if they undo nothing', async () => {
    const sequence = [{ tool: 'payments.reverse', input: { refund: { value: 'refund-9' } } }];
    const { proofs, findings } = await prove({ sequence });
    expect(proofs[0]).toMatchObject({ verdict: 'escalated', against: 'declaration' });
    expect(findings).toEqual([
      expect.objectContaining({ code: 'undo_refuted', part: 'undo/refund', severity: 'error' }),
    ]);
    expect(findings[0].message).toMatch(
      /undo after success: refund refund-1 is left over: .*; the calls: payments\.refund\(.*\) answers .*; payments\.reverse\(.*\) fails: /,
    );
  });

  it('are proven for ids that a model chooses among those of a trial system', async () => {
    const { specification, template: given } = refundDraft();
    const catalogue = catalogueSchema.parse({
      schema: TOOLS_SCHEMA,
      trial: { machine: [{ id: 'M-1', state: 'on' }] },
      tools: [
        {
          name: 'machines.set',
          description: 'Sets the state of a machine.',
          access: 'change',
          capability: 'payments:refund',
          idempotent: true,
          input: objectOf(['machine', 'state']),
          output: objectOf(['previous']),
          records: [
            {
              does: 'update',
              record: 'machine',
              id: 'input.machine',
              set: { state: 'input.state' },
              returns: { previous: 'before.state' },
            },
          ],
        },
      ],
    });
    const letter = given.nodes.find(({ id }) => id === 'letter') as (typeof given.nodes)[number];
    const refund = given.nodes.find(({ id }) => id === 'refund') as (typeof given.nodes)[number];
    const input = { machine: 'outputs.letter.machine', state: { value: 'off' } };
    const template: Template = {
      ...given,
      nodes: [
        { ...letter, details: { ...letter.details, input: {}, output: objectOf(['machine']) } },
        { ...refund, details: { ...refund.details, tool: 'machines.set', input } },
      ],
      edges: [{ from: 'letter', to: 'refund', repairable: 'none' }],
      undo: [
        {
          node: 'refund',
          strategy: 'undo',
          sequence: [
            { tool: 'machines.set', input: { machine: 'input.machine', state: 'output.previous' } },
          ],
          reason: 'The state is set again.',
        },
      ],
    };
    const openTrial = (seed: number) => createTrialSystem(catalogue, { seed });
    const { proofs, findings } = await proveUndos({
      specification,
      template,
      catalogue,
      openTrial,
    });
    expect(findings).toEqual([]);
    expect(proofs[0].verdict).toBe('proven');
  });

  it('are not tried if people decide', async () => {
    const { proofs, findings } = await prove({ strategy: 'escalate', sequence: [] });
    expect(proofs[0]).toMatchObject({ verdict: 'escalated', trials: {}, counterexample: null });
    expect(findings).toEqual([]);
  });

  it('are not proven if nothing shows the effect', async () => {
    const { catalogue } = refundDraft();
    const tools = catalogue.tools.map((tool) =>
      tool.system === 'payments' ? { ...tool, records: [] } : tool,
    );
    const { proofs, findings } = await prove({}, { ...catalogue, tools });
    expect(proofs[0]).toMatchObject({ verdict: 'escalated', against: 'nothing' });
    expect(findings[0].code).toMatch(/^undo_(refuted|untried)$/);
  });

  it('are left to people, and held until they are approved, if they are refuted', async () => {
    const sequence = [{ tool: 'payments.reverse', input: { refund: { value: 'refund-9' } } }];
    const { proofs, template } = await prove({ sequence });
    const escalated = escalateUndos(template, proofs);
    expect(escalated.undo[0]).toMatchObject({ strategy: 'escalate', sequence: [] });
    const node = escalated.nodes.find(({ id }) => id === 'refund');
    expect(node?.details.approval).toMatch(/undo is not proven/);
    expect(escalateUndos(escalated, proofs)).toBe(escalated);
    const good = await prove({});
    expect(escalateUndos(good.template, good.proofs)).toBe(good.template);
  });

  it('are left to people, and found by the checks, if they were changed after their trials', async () => {
    const { proofs, template } = await prove({});
    expect(proofs[0]).toMatchObject({ verdict: 'proven' });
    const sequence = [{ tool: 'payments.reverse', input: { refund: { value: 'refund-9' } } }];
    const [first, ...others] = template.undo;
    const edited = { ...template, undo: [{ ...first, sequence }, ...others] };
    const [left] = escalateUndos(edited, proofs).undo;
    expect(left).toMatchObject({ strategy: 'escalate', sequence: [] });
    expect(left.reason).toContain('it was changed after its trials');
    const before = { ...proofs[0], digest: undefined };
    expect(escalateUndos(template, [before])).toBe(template);
  });
});
