import { compileTemplate } from '@alas-jssp/blueprint';
import { checkWorkflow, type TaskNode, toWorkflow } from '@alas-jssp/workflow';
import { describe, expect, it } from 'vitest';
import { BadDraft } from './checks/bad-draft.js';
import { refundDraft } from './fixtures/refund.js';

const compile = (change: (draft: BadDraft) => void = () => {}) => {
  const changed = new BadDraft();
  change(changed);
  const { template, specification, catalogue } = changed.draft;
  return compileTemplate(template, specification, catalogue);
};

const taskOf = ({ workflow }: ReturnType<typeof compile>, id: string) =>
  workflow.nodes.find((node) => node.id === id) as TaskNode;

describe('compileTemplate', () => {
  it('compiles a good draft into a workflow without findings', () => {
    const { template, specification, catalogue } = refundDraft();
    const { workflow, findings } = compileTemplate(template, specification, catalogue);
    expect(findings).toEqual([]);
    expect(toWorkflow(JSON.parse(JSON.stringify(workflow)))).toEqual(workflow);
    const handlers = Object.fromEntries(template.nodes.map(({ id }) => [id, {}]));
    expect(checkWorkflow(workflow, { handlers })).toEqual([]);
    expect(compileTemplate(template, specification, catalogue).workflow).toEqual(workflow);
  });

  it('gives each node the effect of its tool and of its undo', () => {
    const effect = (strategy: 'undo' | 'mitigate' | 'escalate' | 'irreversible') =>
      taskOf(
        compile((draft) => {
          draft.undo('ticket').strategy = strategy;
        }),
        'ticket',
      ).effect;
    expect(effect('undo')).toBe('compensable');
    expect(effect('mitigate')).toBe('partial');
    expect(effect('escalate')).toBe('partial');
    expect(effect('irreversible')).toBe('irreversible');
    expect(taskOf(compile(), 'order').effect).toBe('none');
    expect(taskOf(compile(), 'mail').effect).toBe('irreversible');
  });

  it('puts policies, permissions and constants where the runtime finds them', () => {
    const compiled = compile();
    const { policies } = compiled.workflow;
    expect(policies['node/refund']).toMatchObject({
      timeout: { seconds: 20 },
      retry: { maxAttempts: 3, retryOn: ['Timeout', 'Unavailable'] },
      compensation: { handler: 'undo/refund', safeReinvoke: true },
      idempotencyKey: { scope: 'node' },
    });
    expect(policies['node/mail']).toMatchObject({ approvers: ['support-lead'] });
    expect(policies['node/mail'].compensation).toBeUndefined();
    const ticket = taskOf(compiled, 'ticket');
    expect(ticket.input).toEqual({ order: 'input.order' });
    expect(ticket.params?.constants).toEqual({ subject: 'Refund' });
    expect(ticket.io.input).not.toHaveProperty('properties.subject');
    expect(ticket.capabilities).toMatchObject({ role: 'clerk' });
  });

  it('compiles a node that runs for each item into a loop around its task', () => {
    const compiled = compile((draft) => {
      draft.specification.inputs.push({
        name: 'orders',
        type: 'list',
        items: { order: 'string' },
        description: 'Orders.',
        example: [{ order: 'A-100' }],
      });
      const { details } = draft.node('ticket');
      details.forEach = 'input.orders';
      details.input = { order: 'item.order', subject: { value: 'Refund' } };
      details.catch = [{ errors: ['Unavailable'], to: 'decline' }];
    });
    const loop = compiled.workflow.nodes.find(({ id }) => id === 'ticket');
    expect(loop).toMatchObject({
      type: 'map',
      input: { items: 'input.orders' },
      items: 'input.items',
      maxConcurrency: 1,
      body: { nodes: [{ id: 'ticket-item', handler: 'ticket', input: { order: 'input.order' } }] },
    });
    const { policies } = compiled.workflow;
    expect(policies['node/ticket']).toMatchObject({ catch: [{ handler: 'decline' }] });
    expect(policies['item/ticket']).toMatchObject({ compensation: { handler: 'undo/ticket' } });
    expect(checkWorkflow(compiled.workflow).filter(({ severity }) => severity === 'error')).toEqual(
      [],
    );
  });

  it('names the part that a place of the workflow comes from', () => {
    const { partOf, workflow } = compile();
    const at = workflow.nodes.findIndex(({ id }) => id === 'refund');
    expect(partOf(`$.nodes[${at}].input.amount`)).toBe('node/refund');
    expect(partOf(`$.nodes[${at}].id`)).toBe('nodes');
    expect(partOf('$.policies.node/refund.timeout')).toBe('node/refund');
    expect(partOf('$.policies.node/refund.compensation.retry')).toBe('undo/refund');
    expect(partOf('$.edges[2].guard')).toBe('edges');
    expect(partOf('$.invariants[0].holds')).toBe('constraint-coverage');
    expect(partOf('$.io.input')).toBe('inputs');
  });

  it('inlines the definitions of schemas of tools', () => {
    const compiled = compile((draft) => {
      const tool = draft.tool('desk.open-ticket');
      tool.input = {
        type: 'object',
        properties: { order: { $ref: '#/$defs/order' }, subject: { type: 'string' } },
        required: ['order'],
        $defs: { order: { type: 'string', description: 'An order.' } },
      };
    });
    expect(taskOf(compiled, 'ticket').io.input).toEqual({
      type: 'object',
      properties: { order: { type: 'string', description: 'An order.' } },
      required: ['order'],
    });
  });
});
