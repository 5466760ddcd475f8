import { describe, expect, it } from 'vitest';
import { planWorkflow } from '../../../workflow/src/interpreter/plan.js';
import { toWorkflow } from '../../../workflow/src/ir/workflow-file.js';
import { type BodyStep, stepsOf } from '../../src/asl/write/forks.js';
import { writeAsl } from '../../src/asl/write.js';
import { EMPTY_MAP } from '../../src/mapping.js';

/** A workflow of five tasks with these chains of edges, such as `pick bill ship`. */
function chains(...lines: readonly string[]) {
  const pairs = lines.flatMap((line) => {
    const ids = line.split(' ');
    return ids.slice(1).map((to, k) => ({ from: ids[k], to }));
  });
  return toWorkflow({
    schema: 'alas-jssp/workflow@1',
    name: 'shop',
    nodes: ['pick', 'pack', 'bill', 'ship', 'notify'].map((id) => ({ id, type: 'task' })),
    edges: pairs,
    policies: { plain: {} },
    defaultPolicy: 'plain',
  });
}

/** The ids of the nodes of steps; strands as lists. */
function idsOf(steps: readonly BodyStep[]): (string | string[])[] {
  return steps.flatMap((step): (string | string[])[] => {
    return 'strands' in step
      ? step.strands.map((strand) => strand.map(({ node }) => node.id))
      : [step.node.id];
  });
}

describe('a body in which ways part', () => {
  const diamond = chains('pick pack ship notify', 'pick bill ship');

  it('has strands between the nodes that all others come before or after', () => {
    const { root } = planWorkflow(diamond);
    expect(idsOf(stepsOf(root, false))).toEqual(['pick', ['pack'], ['bill'], 'ship', 'notify']);
    expect(idsOf(stepsOf(root, true))).toEqual(['pick', 'pack', 'bill', 'ship', 'notify']);
  });

  it('runs one node after the other where it is tangled', () => {
    const tangled = chains('pick bill notify', 'pack ship notify', 'pick ship');
    expect(idsOf(stepsOf(planWorkflow(tangled).root, false))).toEqual([
      'pick',
      'pack',
      'bill',
      'ship',
      'notify',
    ]);
  });

  it('becomes a Parallel state whose branches have variables of their own', async () => {
    const { text } = await writeAsl(diamond, EMPTY_MAP);
    const { States } = JSON.parse(text);
    const { Type, Branches, Assign } = States['pack, bill side by side'];
    expect(Type).toBe('Parallel');
    expect(Branches.map((one: { StartAt: string }) => one.StartAt)).toEqual([
      'from pack: begin',
      'from bill: begin',
    ]);
    expect(Object.keys(Assign)).toEqual(['pack', 'bill', 'failure']);
    expect(Branches[0].States.pack.Assign).toEqual({
      pack_inside: { output: '{% $states.result.Payload %}' },
    });
  });
});
