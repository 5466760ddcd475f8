import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formFaults } from '../../../engines/asl/form.mjs';
import { refundAt } from '../../../examples/refund-workflow.mjs';
import { trip } from '../../../examples/travel-workflow.mjs';
import { readAsl } from '../../../src/convert/asl/read.js';
import { writeAsl } from '../../../src/convert/asl/write.js';
import { toHandlerMap } from '../../../src/convert/mapping.js';
import { blueprint } from '../../../src/pipeline/blueprint/blueprint.js';
import type { Workflow } from '../../../src/workflow/ir/workflow.js';
import { toWorkflow } from '../../../src/workflow/ir/workflow-file.js';
import { coreOf } from '../core-fields.js';
import { arbitraryWorkflow } from '../random-workflows.js';

const map = toHandlerMap({
  schema: 'alas-jssp/handler-map@1',
  handlers: { common: { arn: 'arn:aws:lambda:eu-central-1:123456789012:function:common' } },
});

const written = async (workflow: Workflow) => (await writeAsl(workflow, map)).text;

const plain = toWorkflow({
  ...{ schema: 'alas-jssp/workflow@1', name: 'plain', defaultPolicy: 'tried' },
  nodes: [
    { id: 'ask', type: 'task' },
    { id: 'enough', type: 'choice' },
    {
      ...{ id: 'each', type: 'map', items: 'input.list', maxConcurrency: 2, policyRef: 'loop' },
      body: { nodes: [{ id: 'one', type: 'task' }], edges: [] },
    },
    {
      ...{ id: 'again', type: 'map', until: '$output.done = true', policyRef: 'loop' },
      body: { nodes: [{ id: 'try', type: 'task' }], edges: [] },
    },
  ],
  edges: [
    { from: 'ask', to: 'enough' },
    { from: 'enough', to: 'each', kind: 'branch', guard: '$input.n > 1' },
    { from: 'enough', to: 'again', kind: 'default' },
  ],
  policies: {
    tried: {
      timeout: { seconds: 30 },
      retry: { maxAttempts: 3, retryOn: ['Busy'] },
      backoff: { mode: 'exponential', base: 0.5, cap: 8 },
    },
    loop: { loopGuards: { maxIters: 5 } },
  },
});

describe('a workflow that is written in the Amazon States Language and read again', () => {
  it('is the same in its core, and in all that the report lists', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryWorkflow({ rich: true, timers: true }), async (workflow) => {
        const { workflow: back, report } = readAsl(await written(workflow));
        expect(coreOf(back)).toEqual(coreOf(workflow));
        expect(back).toEqual(workflow);
        expect(report.filter(({ level }) => level !== 'native')).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('is the same where its guards are in JSONPath, and its form is right', async () => {
    // The checker of forms takes far longer than what it checks.
    let formsLeft = 10;
    await fc.assert(
      fc.asyncProperty(arbitraryWorkflow({ rich: true }), async (workflow) => {
        const { text } = await writeAsl(workflow, map, 'jsonpath');
        if (formsLeft-- > 0) expect(formFaults(text)).toEqual([]);
        expect(readAsl(text).workflow).toEqual(workflow);
      }),
      { numRuns: 30 },
    );
  });

  it('is the same for the examples and the blueprint', async () => {
    for (const workflow of [refundAt('http://localhost').workflow, trip, blueprint()]) {
      expect(readAsl(await written(workflow)).workflow).toEqual(workflow);
    }
  });

  it('lists what comes from comments, which no engine reads', async () => {
    const [validate] = blueprint().nodes;
    const { report } = readAsl(await written(blueprint()));
    const how = 'from a comment, which no engine reads';
    expect(report).toContainEqual({ feature: 'roles', place: validate.id, level: 'native', how });
  });
});

describe('a machine that was changed since it was written', () => {
  /** The plain workflow, read from its machine after a change of the text. */
  const reread = async (from: string | RegExp, to: string) => {
    const text = await written(plain);
    const changed = text.replace(from, to);
    expect(changed).not.toBe(text);
    return readAsl(changed, 'm.json').workflow;
  };

  it('gives its timeouts, attempts, guards and numbers at a time', async () => {
    const policyOf = ({ policies, nodes }: Workflow) => policies[String(nodes[0].policyRef)];
    const slow = policyOf(await reread('"TimeoutSeconds": 30', '"TimeoutSeconds": 45'));
    expect(slow).toEqual({ ...plain.policies.tried, timeout: { seconds: 45 } });
    const patient = policyOf(await reread('"MaxAttempts": 2', '"MaxAttempts": 6'));
    expect(patient.retry).toEqual({ maxAttempts: 7, retryOn: ['Busy'] });
    const guarded = await reread(/\(\$input\.n > 1\)/g, '($input.n > 9)');
    expect(guarded.edges[1].guard).toBe('$input.n > 9');
    const until = await reread('($output.done = true)', '($output.over = true)');
    expect(until.nodes[3]).toMatchObject({ until: '$output.over = true' });
    const wide = await reread('"MaxConcurrency": 2', '"MaxConcurrency": 4');
    expect(wide.nodes[2]).toMatchObject({ maxConcurrency: 4 });
  });

  it('is refused where a change cannot be read', async () => {
    await expect(reread('"BackoffRate": 2', '"BackoffRate": 3')).rejects.toThrow(
      /m\.json:\$\.States\.ask\.Retry\[0\]\.BackoffRate: this was changed since it was written/,
    );
    await expect(reread(/"Next": "enough: can it be asked"/, '"Next": "each"')).rejects.toThrow(
      /ask\.Next: this was changed/,
    );
    // The state that tries a guard beforehand would ask another one than the choice.
    await expect(reread('($input.n > 1)', '($input.n > 9)')).rejects.toThrow(
      /enough: can it be asked\.Items: this was changed/,
    );
    await expect(
      reread(/"Comment": "alas-jssp \{\\"node\\":\\"one\\"[^\n]*,\n/, ''),
    ).rejects.toThrow('m.json: the state of each/one is missing');
  });
});
