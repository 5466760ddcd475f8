import { describe, expect, it } from 'vitest';
import { readArgo } from '../../../src/convert/argo/read.js';
import { runWorkflow } from '../../../src/workflow/hosts/run.js';
import { checkWorkflow } from '../../../src/workflow/ir/check/check.js';
import type { Workflow } from '../../../src/workflow/ir/workflow.js';
import { createMemoryStore } from '../../../src/workflow/log/memory-store.js';
import { CONDITIONS, DIAMOND, LOOPS, TRIES } from './documents.js';

/** Runs a workflow whose steps answer what is given for their paths, and tells the paths that ran. */
async function ran(
  workflow: Workflow,
  answers: Record<string, unknown> = {},
  input: unknown = {},
): Promise<{ status: string; steps: string[]; inputs: Record<string, unknown> }> {
  const steps: string[] = [];
  const inputs: Record<string, unknown> = {};
  const say = {
    kind: 'pure',
    run: (given: unknown, { nodeId }: { nodeId: string }) => {
      steps.push(nodeId);
      inputs[nodeId] = given;
      const answer = answers[nodeId];
      if (answer instanceof Error) throw answer;
      return answer ?? { result: 'said', said: 'said' };
    },
  };
  const fail = {
    kind: 'pure',
    run: () => {
      throw new Error('it failed before');
    },
  };
  const handlers = { say, try: say, fail };
  const { status } = await runWorkflow(workflow, input as never, {
    registry: { handlers } as never,
    store: createMemoryStore(),
  });
  return { status, steps, inputs };
}

const errorsOf = (workflow: Workflow) =>
  checkWorkflow(workflow).filter(({ severity }) => severity === 'error');

describe('a document that was written by hand', () => {
  it('is a graph where it was a DAG', async () => {
    const { workflow, report } = await readArgo(DIAMOND);
    expect(workflow.name).toBe('by-hand');
    expect(workflow.edges.map(({ from, to }) => `${from}${to}`).sort()).toEqual(
      'AB AC BD CD'.split(' '),
    );
    expect(errorsOf(workflow)).toEqual([]);
    expect(report.filter(({ level }) => level === 'unsupported')).toEqual([]);
    const [a, , b] = ['A', 'C', 'B'].map((id) => workflow.nodes.find((node) => node.id === id));
    expect(a).toMatchObject({ handler: 'say', params: { arguments: { text: 'first' } } });
    expect(b).toMatchObject({ input: { text: 'outputs.A.said' } });
    expect(workflow.meta).toMatchObject({ argo: { templates: { say: { script: {} } } } });
    const { steps, inputs } = await ran(workflow, { B: { result: 'of B' } });
    expect([steps[0], steps[3]]).toEqual(['A', 'D']);
    expect(inputs.D).toEqual({ text: 'of B' });
  });

  it('asks its conditions, and goes on after what was skipped', async () => {
    const { workflow } = await readArgo(CONDITIONS);
    expect(errorsOf(workflow)).toEqual([]);
    const big = await ran(workflow, { measure: { result: '4' } }, { kind: 'big' });
    expect(big).toMatchObject({ status: 'COMPLETED', steps: ['measure', 'large', 'after'] });
    const low = await ran(workflow, { measure: { result: '3' } }, { kind: 'big' });
    expect(low).toMatchObject({ status: 'COMPLETED', steps: ['measure', 'after'] });
    const small = await ran(workflow, { measure: { result: '4' } }, { kind: 'tiny' });
    expect(small).toMatchObject({ status: 'COMPLETED', steps: ['measure', 'small', 'after'] });
  });

  it('goes over items that are known, over those that a step gives, and over numbers', async () => {
    const { workflow } = await readArgo(LOOPS);
    const list = [
      { of: 'x', wanted: true },
      { of: 'y', wanted: false },
      { of: 'z', wanted: true },
    ];
    const { status, steps, inputs } = await ran(workflow, { list: { result: 'noon', said: list } });
    expect(status).toBe('COMPLETED');
    expect(steps.filter((step) => step.startsWith('given'))).toEqual([
      'given[0]/given',
      'given[2]/given',
    ]);
    expect(inputs['given[2]/given']).toEqual({ text: 'z' });
    expect(inputs['fixed/1/fixed']).toEqual({ steps_list_outputs_result: 'noon' });
    expect(steps.filter((step) => step.startsWith('counted'))).toHaveLength(3);
  });

  it('has attempts, waits and deadlines, and goes on after failures', async () => {
    const { workflow, report } = await readArgo(TRIES);
    expect(errorsOf(workflow)).toEqual([]);
    expect(workflow.policies).toMatchObject({
      try: {
        retry: { maxAttempts: 5, retryOn: ['*'] },
        backoff: { mode: 'exponential', base: 2 },
        timeout: { seconds: 20 },
      },
    });
    const main = workflow.nodes[0];
    const { nodes } = main.type === 'parallel' ? main.branches.main : workflow;
    expect(nodes.find(({ id }) => id === 'approve')).toMatchObject({ type: 'wait' });
    const pause = nodes.find(({ id }) => id === 'pause');
    expect(workflow.policies[pause?.policyRef ?? '']).toMatchObject({ wait: { seconds: 90 } });
    const levels = report.filter(({ feature }) => feature === 'wait').map(({ level }) => level);
    expect(levels).toEqual(['native', 'emulated']);
  });

  it.each([
    ['B || C', 'unsupported_depends'],
    ['(B || C) && A', 'unsupported_depends'],
    ['!B', 'unsupported_depends'],
    ['B.AllFailed', 'unsupported_depends'],
    ['B.Failed && C', 'unsupported_depends'],
    ['E', 'bad_argo'],
    ['D', 'bad_argo'],
  ])('is refused where it depends on %j', async (depends, code) => {
    const text = DIAMOND.replace('B && C.Succeeded', JSON.stringify(depends));
    await expect(readArgo(text, 'x.yaml')).rejects.toMatchObject({
      code,
      location: { file: 'x.yaml' },
    });
  });

  it.each(['"{{=1 == 1}}"', '"{{steps.measure.status}} == Failed"', '"a =~ b"', '"(a == b"'])(
    'is refused where it asks %s',
    async (when) => {
      const text = CONDITIONS.replace('"{{workflow.parameters.kind}} != big"', when);
      await expect(readArgo(text)).rejects.toMatchObject({ code: 'unsupported_condition' });
    },
  );

  it('is refused where a template calls itself', async () => {
    const text = DIAMOND.replace('name: C, template: say', 'name: C, template: main');
    await expect(readArgo(text)).rejects.toMatchObject({ code: 'unsupported_recursion' });
  });

  it('says what of it is lost', async () => {
    const lossy = TRIES.replace('limit: "4"', 'expression: asInt(lastRetry.exitCode) > 1');
    const { report } = await readArgo(lossy);
    expect(report).toContainEqual(
      expect.objectContaining({ feature: 'retry', level: 'unsupported' }),
    );
  });
});
