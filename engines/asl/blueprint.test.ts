import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Workflow } from '../../packages/workflow/src/index.js';
import { type RunSpec, VARIANTS } from '../../src/harness/index.js';
import { resolveSource } from '../../src/jssp/suites.js';
import type { Ask } from '../../src/llm/client.js';
import { type PipelineEngine, runPipeline } from '../../src/pipeline/pipeline.js';
import { pipelineWorkflow } from '../../src/pipeline/pipeline-workflow.js';
import { createPlanner } from '../../src/pipeline/planners/planners.js';
import { answer } from '../../test/llm/scripted-models.js';
import { type Bridge, startBridge } from '../bridge.mjs';
import { compareRecords, machineOf, onAsl } from './blueprint.mjs';
import { type Engine, find, start } from './engine.mjs';
import { formFaults } from './form.mjs';

test.each(VARIANTS)('the blueprint is a machine of the right form: %s', async (variant) => {
  const workflow = await pipelineWorkflow({ variant, repair: {}, optimize: {} });
  expect(formFaults(await machineOf(workflow))).toEqual([]);
});

describe.skipIf(find() === undefined)('the blueprint on ASL', () => {
  let bridge: Bridge;
  let engine: Engine;

  beforeAll(async () => {
    bridge = await startBridge();
    engine = await start({ stub: bridge.url });
  });

  afterAll(async () => {
    await engine.stop();
    await bridge.stop();
  });

  const spec = (planners: string[], variants: RunSpec['variants']): RunSpec => {
    return { suite: 'ft06,la01', planners, variants, optimize: '500-iterations' };
  };

  async function compare(given: RunSpec, convert?: (workflow: Workflow) => Promise<string>) {
    const compared = [];
    const runner = { engine, bridge, ...(convert && { convert }) };
    for await (const one of compareRecords(given, runner)) compared.push(one);
    return compared;
  }

  test.each([
    ['dispatch:mwkr', ['ok', 'ok', 'ok', 'ok', 'ok']],
    ['degraded:0.4', ['ok', 'infeasible', 'infeasible', 'ok', 'ok']],
    ['file:no-{instance}.json', ['error', 'error', 'error', 'error', 'error']],
  ])('ends in the same records as our own runtime: %s', async (planner, ends) => {
    const variants = VARIANTS.filter((variant) => variant !== 'self-validation');
    const compared = await compare(spec([planner], variants));
    expect(compared.map(({ differences }) => differences)).toEqual(compared.map(() => []));
    expect(compared.map(({ theirs }) => theirs.status)).toEqual([...ends, ...ends]);
    for (const { calls } of compared) expect(calls).toBeGreaterThanOrEqual(3);
  });

  test('ends in the same records where a model is told what is wrong, round after round', async () => {
    const compared = await compare({
      suite: 'ft06,la01,la02,la03',
      planners: ['replay:test/llm/cassettes/scripted'],
      repairer: 'llm',
      rounds: 2,
    });
    expect(compared.map(({ differences }) => differences)).toEqual([[], [], [], []]);
    const rounds = compared.map(({ theirs }) => theirs.repair?.rounds?.length ?? 0);
    expect(rounds).toEqual([1, 3, 0, 3]);
  });

  test.each([
    ['{"valid": true, "errors": []}', 'infeasible'],
    ['{"valid": false, "errors": ["35 operations are missing"]}', 'ok'],
  ])('ends the same where a planner judges its own plan: %s', async (judgement, status) => {
    const wrong = '{"schedule":[{"job":"Job1","step":1,"machine":"Machine2","start":0,"end":1}]}';
    const ask: Ask = async (request) => {
      const text = String(request.messages.at(-1)?.content);
      return answer(text.includes('Check your plan') ? judgement : wrong, request);
    };
    const run = async (on?: PipelineEngine) => {
      const result = await runPipeline(
        resolveSource('ft06').load(),
        createPlanner('openai:gpt-4o'),
        {
          variant: 'self-validation',
          seed: 1,
          repair: { seed: 2 },
          optimize: { seed: 3, budget: { iterations: 300 } },
          ask,
          engine: on,
        },
      );
      return { ...result, seconds: null, progress: null };
    };
    const here = await run();
    expect(here.status).toBe(status);
    expect(await run(onAsl({ engine, bridge }, `self-${status}`))).toEqual(here);
  });

  /** A converter that errs: it changes the states of the right machine. */
  const erring = (change: (states: Record<string, Record<string, unknown>>) => void) => {
    return async (workflow: Workflow) => {
      const machine = JSON.parse(await machineOf(workflow));
      change(machine.States);
      return JSON.stringify(machine);
    };
  };

  test('ends in other records if it takes the wrong way', async () => {
    const convert = erring(({ verdict }) => {
      const last = (verdict.Choices as object[]).at(-1);
      verdict.Choices = [{ ...last, Condition: '{% true %}' }];
    });
    const [one] = await compare(spec(['degraded:0.4'], ['full']), convert);
    expect(one.ours.status).toBe('ok');
    expect(one.differences).not.toEqual([]);
  });

  test('has no record if it swallows an error', async () => {
    const convert = erring(({ plan }) => {
      plan.Catch = [];
    });
    const swallowed = compare(spec(['file:no-{instance}.json'], ['full']), convert);
    await expect(swallowed).rejects.toThrow('no-ft06.json: there is no such file');
  });
});
