import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  conditionGuard,
  guardCondition,
  machineComment,
  nodeComment,
  partComment,
  readAnnotation,
} from '../../../src/convert/asl/annotations.js';
import { graph } from '../../../src/workflow/ir/builder.js';

const workflow = graph()
  .task('plan', { role: 'planner', policyRef: 'plain' })
  .task('pay', { effect: 'compensable' })
  .sequence('plan', 'pay')
  .build('shop', { policies: { plain: {} }, defaultPolicy: 'plain' });

describe('comments in Amazon States Language', () => {
  it('say of nodes, bodies and the machine what the language cannot say', () => {
    const [plan] = workflow.nodes;
    const said = readAnnotation(nodeComment(plan));
    expect(said).toEqual({ node: 'plan', type: 'task', role: 'planner', policyRef: 'plain' });
    const begin = readAnnotation(partComment('', 'begin', workflow));
    expect(begin).toMatchObject({ of: '', body: { nodes: ['plan', 'pay'] } });
    expect(begin).toMatchObject({ body: { edges: workflow.edges } });
    const machine = readAnnotation(machineComment(workflow));
    expect(machine).toMatchObject({ workflow: 'shop', defaultPolicy: 'plain' });
  });

  it('are left alone when they are other people’s', () => {
    for (const text of [undefined, '', 'pays', 'alas-jssp pays', 'alas-jssp 3']) {
      expect(readAnnotation(text)).toBeUndefined();
    }
  });

  it('give guards back out of conditions', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (guard) => {
        expect(conditionGuard(guardCondition({ input: '$a.b' }, guard))).toBe(guard);
      }),
    );
    expect(conditionGuard('{% $x > 1 %}')).toBeUndefined();
  });
});
