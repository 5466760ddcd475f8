import { type ContextFacts, relevantContext, renderContext } from '@alas-jssp/agents';
import type { Json, LogEntry } from '@alas-jssp/workflow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const facts: ContextFacts = {
  goals: [{ id: 'O1', text: 'Refund the customer' }],
  constraints: [
    { id: 'D1', text: 'At most 500', nodes: [] },
    { id: 'D2', text: 'Refund what was paid', nodes: ['check', 'refund'] },
    { id: 'D3', text: 'Reports are in English', nodes: ['report'] },
  ],
  entities: [
    { id: 'order', name: 'Order', fields: ['orderState'] },
    { id: 'weather', name: 'Weather', fields: ['temperature'] },
  ],
  nodes: [
    { id: 'read', does: 'Read the order', after: [], entities: ['order'] },
    { id: 'check', does: 'Decide on the refund', after: ['read'] },
    { id: 'refund', does: 'Refund', after: ['check'], entities: ['order'] },
    { id: 'audit', does: 'Audit the order', after: [], entities: ['order'] },
    { id: 'report', does: 'Report the weather', after: [] },
    { id: 'forecast', does: 'Forecast', after: ['report'] },
  ],
};

let version = 0;
function entry(nodeId: string, eventType: string, payload: Json = {}): LogEntry {
  return { runId: 'r', nodeId, eventType, payload, version: version++ } as LogEntry;
}

const log = [
  entry('', 'StartRun', { input: { order: 7 } }),
  entry('read', 'StartNode'),
  entry('read', 'EndNode', { output: { orderState: 'paid', amount: 30 } }),
  entry('check', 'StartNode'),
  entry('check', 'Decide', {
    choice: 'refund all',
    reasons: ['paid today'],
    rejected: [{ choice: 'refuse', reason: 'within two weeks' }],
  }),
  entry('check', 'ValidatePass', { validator: 'check' }),
  entry('check', 'EndNode', { output: { amount: 30 } }),
  entry('refund', 'StartNode'),
];
const scope = { node: 'refund', tokens: 2000 };

describe('the context of a node', () => {
  const context = relevantContext(log, facts, scope);

  it('has goals, and the constraints of the node and of all nodes', () => {
    expect(context.goals).toEqual(facts.goals);
    expect(context.constraints.map(({ id }) => id)).toEqual(['D1', 'D2']);
  });

  it('has decisions with their reasons and rejected alternatives', () => {
    expect(context.operations[0]).toMatchObject({
      node: 'check',
      status: 'completed',
      decision: {
        choice: 'refund all',
        reasons: ['paid today'],
        rejected: [{ choice: 'refuse', reason: 'within two weeks' }],
      },
    });
  });

  it('has dependencies with the entry that proves them', () => {
    expect(context.satisfied).toEqual([{ node: 'check', evidence: 6, validated: 5 }]);
    const early = relevantContext(log.slice(0, 3), facts, scope);
    expect(early.unresolved).toEqual([{ node: 'check', reason: 'it has not begun' }]);
    const failed = [
      ...log.slice(0, 4),
      entry('check', 'FailNode', { error: { code: 'Rejected' } }),
    ];
    expect(relevantContext(failed, facts, scope).unresolved).toMatchObject([
      { node: 'check', reason: 'it failed: Rejected' },
    ]);
  });

  it('has the last state of entities, also from nodes that it does not depend on', () => {
    expect(context.entities).toMatchObject([{ entity: 'order', state: { orderState: 'paid' } }]);
    const changed = [
      ...log,
      entry('audit', 'StartNode'),
      entry('audit', 'EndNode', { output: { orderState: 'blocked' } }),
    ];
    expect(relevantContext(changed, facts, scope).entities).toMatchObject([
      { entity: 'order', state: { orderState: 'blocked' }, from: 'audit' },
    ]);
    const undone = [...changed, entry('audit', 'Compensated', {})];
    expect(relevantContext(undone, facts, scope).entities).toMatchObject([
      { state: { orderState: 'paid' }, from: 'read' },
    ]);
  });

  it('keeps only the kinds of its role', () => {
    const kept = relevantContext(log, facts, { ...scope, keeps: ['goals', 'dependencies'] });
    expect(kept).toMatchObject({ constraints: [], entities: [], operations: [] });
    expect(kept.satisfied).toHaveLength(1);
  });

  it('has what the node sees, although nothing else relates it', () => {
    const reported = [...log, entry('report', 'EndNode', { output: { temperature: 9 } })];
    expect(relevantContext(reported, facts, scope).operations).toHaveLength(2);
    const seeing = relevantContext(reported, facts, { ...scope, sees: ['report'] });
    expect(seeing.operations[0]).toMatchObject({ node: 'report' });
    expect(seeing.satisfied).toContainEqual(expect.objectContaining({ node: 'report' }));
  });

  it('finds nodes of loops by the innermost id of their paths', () => {
    const looped = [entry('loop[3]/check', 'EndNode', { output: { amount: 4 } })];
    expect(relevantContext(looped, facts, scope).operations).toMatchObject([
      { node: 'loop[3]/check', output: { amount: 4 } },
    ]);
  });

  it('is rendered without empty parts', () => {
    const text = renderContext(context);
    expect(text).toContain('- D2: Refund what was paid');
    expect(text).toContain('within two weeks');
    expect(text).not.toContain('Unresolved');
  });
});

describe('the limit', () => {
  it('cuts what is least relevant first, and says how much', () => {
    const all = relevantContext(log, facts, scope);
    const cut = relevantContext(log, facts, { ...scope, tokens: all.tokens - 1 });
    expect(cut.omitted).toBe(1);
    expect(cut.tokens).toBeLessThan(all.tokens);
    expect(cut.operations.map(({ node }) => node)).not.toContain('read');
    expect(cut.operations[0].node).toBe('check');
  });

  it('never cuts goals and constraints', () => {
    expect(() => relevantContext(log, facts, { ...scope, tokens: 20 })).toThrow(
      /goals and constraints of refund need about \d+ tokens.*; give the role/,
    );
  });

  it('holds whatever the log has', () => {
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 400 }), (tokens) => {
        const context = relevantContext(log, facts, { ...scope, tokens });
        expect(context.tokens).toBeLessThanOrEqual(tokens);
        expect(context.constraints).toHaveLength(2);
      }),
    );
  });
});

const irrelevant = fc
  .array(
    fc.record({
      node: fc.constantFrom('report', 'forecast', 'forecast[4]/report'),
      type: fc.constantFrom(
        'StartNode',
        'EndNode',
        'FailNode',
        'Decide',
        'ValidatePass',
        'Request',
      ),
      temperature: fc.integer(),
    }),
    { maxLength: 60 },
  )
  .map((list) =>
    list.map(({ node, type, temperature }) =>
      entry(node, type, { output: { temperature }, choice: 'x', input: 'y', error: { code: 'E' } }),
    ),
  );

it('does not depend on how many irrelevant entries there are, or when they were logged', () => {
  fc.assert(
    fc.property(
      irrelevant,
      irrelevant,
      fc.integer({ min: 60, max: 400 }),
      (between, after, tokens) => {
        const with_ = [...log.slice(0, 4), ...between, ...log.slice(4), ...after];
        const own = { ...scope, tokens };
        expect(relevantContext(with_, facts, own)).toEqual(relevantContext(log, facts, own));
      },
    ),
  );
});

it('refuses a node without facts', () => {
  expect(() => relevantContext(log, facts, { ...scope, node: 'nope' })).toThrow("no node 'nope'");
});
