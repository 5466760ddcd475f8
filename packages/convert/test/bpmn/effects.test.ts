import jsonata from 'jsonata';
import { describe, expect, it } from 'vitest';
import { dependsOn, planWorkflow } from '../../../workflow/src/interpreter/plan.js';
import { toWorkflow } from '../../../workflow/src/ir/workflow-file.js';
import { effectSteps, nextText } from '../../src/bpmn/effects.js';

const compensation = { handler: 'undo', triggers: ['onFailure'], safeReinvoke: true };
const policies = {
  undone: { idempotencyKey: {}, compensation },
  turns: { loopGuards: { maxIters: 20 } },
};

function plan(loop: object) {
  const step = { id: 'book', type: 'task', effect: 'compensable', policyRef: 'undone' };
  const body = { nodes: [step], edges: [] };
  const turns = { id: 'turns', type: 'map', policyRef: 'turns', body, ...loop };
  return planWorkflow(
    toWorkflow({
      schema: 'alas-jssp/workflow@1',
      name: 'turns',
      nodes: [turns],
      edges: [],
      policies,
    }),
  );
}

/** The effect that a document undoes next. */
async function next(loop: object, effects: readonly [path: string, status: string][]) {
  const { root, ...rest } = plan(loop);
  const steps = effectSteps({ root, ...rest }, root, () => 'book');
  const held = effects.map(([path, status]) => ({ step: 'book', path, status }));
  const text = nextText(steps, 'true');
  const found = await jsonata(text).evaluate({}, { effects: held, cancelled: false });
  return found?.path ?? null;
}

describe('the effect that BPMN undoes next', () => {
  const loop = { until: 'false' };

  it('is none of a turn on which one builds that could not be undone', async () => {
    const [first, second] = ['turns[0]/book', 'turns[1]/book'];
    expect(dependsOn(plan(loop), second, first)).toBe(true);
    expect(await next(loop, [[first, 'held']])).toBe(first);
    expect(
      await next(loop, [
        [first, 'held'],
        [second, 'failed'],
      ]),
    ).toBeNull();
  });

  it('is one of a turn that came after', async () => {
    expect(
      await next(loop, [
        ['turns[2]/book', 'failed'],
        ['turns[10]/book', 'held'],
      ]),
    ).toBe('turns[10]/book');
  });

  it('is one of another item', async () => {
    expect(
      await next({ items: 'input' }, [
        ['turns[0]/book', 'held'],
        ['turns[1]/book', 'failed'],
      ]),
    ).toBe('turns[0]/book');
  });
});
