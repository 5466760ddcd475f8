import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryStore, replayRun, stateOfRun } from '../../packages/workflow/src/index.js';
import { asPlan, type Candidate, type Plan, planFromSchedule } from '../../src/jssp/plan.js';
import type { Planner } from '../../src/jssp/planner.js';
import { createSchedule } from '../../src/jssp/schedule.js';
import { resolveSource } from '../../src/jssp/suites.js';
import { repairPlan } from '../../src/lcrp/plan/repair-plan.js';
import type { Ask } from '../../src/llm/client.js';
import { readJudgement } from '../../src/llm/topologies/judge.js';
import type { Variant } from '../../src/pipeline/blueprint/spec.js';
import { runPipeline } from '../../src/pipeline/pipeline.js';
import { createPlanner } from '../../src/pipeline/planners/planners.js';
import { createReplayRegistry } from '../../src/pipeline/replay-registry.js';
import { dispatch, dispatchBest } from '../../src/search/construct/dispatch.js';
import { isFeasible, validate } from '../../src/validator/index.js';
import { answer } from '../llm/scripted-models.js';
import { arbitraryExecution } from '../search/arbitrary-execution.js';
import { arbitraryPlan } from '../validator/arbitraries.js';

const ft06 = resolveSource('ft06').load();
const valid = planFromSchedule(dispatchBest(ft06, 1).schedule);

const planner = (candidate: Candidate): Planner => ({ name: 'test', plan: async () => candidate });

const context = (variant: Variant) => ({
  variant,
  seed: 1,
  repair: { seed: 2 },
  optimize: { seed: 3, budget: { iterations: 300 } },
});

const run = (variant: Variant, plan: Candidate) =>
  runPipeline(ft06, planner(plan), context(variant));

/** A plan in which everything ends so much earlier or later than it does. */
function shifted({ entries }: Plan, by: number): Plan {
  return { entries: entries.map((entry) => ({ ...entry, end: entry.end + by })) };
}

describe('no-validation', () => {
  it('keeps a plan that claims too much as it is, and the validator has the last word', async () => {
    const halved = {
      entries: valid.entries.map(({ start, end, ...entry }) => {
        return { ...entry, start: Math.floor(start / 2), end: Math.floor(end / 2) };
      }),
    };
    const result = await run('no-validation', halved);
    expect(result).toMatchObject({
      status: 'infeasible',
      error: null,
      candidate: halved,
      stages: { plan: null, repair: null, optimize: { verdict: { valid: false } } },
    });
    // The same plan, timed anew, would have been a schedule to start from.
    expect((await run('full', halved)).status).toBe('ok');
  });

  it('takes what the search finds if that ends before the plan says, be that true or not', async () => {
    const late = await run('no-validation', shifted(valid, 500));
    expect(late).toMatchObject({
      status: 'ok',
      stages: { optimize: { verdict: { valid: true } } },
    });
    const early = await run('no-validation', shifted(valid, -30));
    expect(early).toMatchObject({ status: 'infeasible', candidate: shifted(valid, -30) });
  });

  it('has nothing to begin with where operations are missing', async () => {
    const cut = { entries: valid.entries.slice(1) };
    const result = await run('no-validation', cut);
    expect(result).toMatchObject({ status: 'infeasible', error: null, candidate: cut });
    expect(result.stages.optimize?.iterations).toBe(0);
    expect(result.verdict?.counts.missing_operation).toBe(1);
  });

  it('does with a plan that is right what full does', async () => {
    const schedule = createSchedule(ft06, dispatch(ft06, { rule: 'spt' }).start);
    const [full, believed] = [await run('full', schedule), await run('no-validation', schedule)];
    expect(believed.candidate).toEqual(full.candidate);
    expect(believed.status).toBe('ok');
  });
});

describe('blind-repair', () => {
  it('repairs whatever a planner hands over, and knows of no finding', async () => {
    const damaged = arbitraryExecution({ downtimes: true }).chain((instance) =>
      fc.tuple(
        fc.constant(instance),
        arbitraryPlan(instance, dispatch(instance, { rule: 'spt' }).start),
      ),
    );
    await fc.assert(
      fc.asyncProperty(damaged, async ([instance, plan]) => {
        const options = { ...context('blind-repair'), optimize: undefined };
        const result = await runPipeline(instance, planner(plan), options);
        expect(result).toMatchObject({ status: 'ok', error: null, stages: { plan: null } });
        expect(validate(instance, result.candidate as Candidate).valid).toBe(true);
        expect(result.stages.repair?.history).toMatchObject([
          { by: 'lcrp', violations: { before: null, after: 0 }, radius: null },
        ]);
      }),
      { numRuns: 40 },
    );
  });

  it('repairs also what is right: it times it anew in its order', async () => {
    const idle = createSchedule(
      ft06,
      Int32Array.from(dispatchBest(ft06, 1).schedule.start, (t) => t + 9),
    );
    expect(isFeasible(ft06, idle.start)).toBe(true);
    const [seeing, blind] = await Promise.all([
      repairPlan(ft06, idle, { seed: 1 }),
      repairPlan(ft06, idle, { seed: 1, isBlind: true }),
    ]);
    expect(seeing.schedule.makespan).toBe(idle.makespan);
    expect(blind).toMatchObject({ keptOrder: 1, evaluations: 0 });
    expect(blind.schedule.makespan).toBe(idle.makespan - 9);
    expect((await run('blind-repair', idle)).stages.repair?.verdict.valid).toBe(true);
  });

  it('reorders nothing, for nobody says around what', async () => {
    const degraded = createPlanner('degraded:0.2:insertion') as Planner;
    const la06 = resolveSource('la06').load();
    const plan = asPlan(await degraded.plan(la06, { seed: 3 }));
    const [seeing, blind] = await Promise.all([
      repairPlan(la06, plan, { seed: 2 }),
      repairPlan(la06, plan, { seed: 2, isBlind: true }),
    ]);
    expect(blind.rebuilt).toEqual(seeing.rebuilt);
    expect(seeing.evaluations).toBeGreaterThan(0);
    expect(blind.evaluations).toBe(0);
    expect(blind.schedule.makespan).toBeGreaterThan(seeing.schedule.makespan);
  });
});

describe('self-validation', () => {
  const wrong = '{"schedule":[{"job":"Job1","step":1,"machine":"Machine2","start":0,"end":1}]}';
  const asked = (judgement: string): { ask: Ask; questions: string[] } => {
    const questions: string[] = [];
    const ask: Ask = async (request) => {
      const text = String(request.messages.at(-1)?.content);
      questions.push(text);
      return answer(text.includes('Check your plan') ? judgement : wrong, request);
    };
    return { ask, questions };
  };
  const model = createPlanner('openai:gpt-4o');

  it('believes a planner that is content with its plan', async () => {
    const { ask, questions } = asked('{"valid": true, "errors": []}');
    const result = await runPipeline(ft06, model, { ...context('self-validation'), ask });
    expect(result).toMatchObject({
      status: 'infeasible',
      error: null,
      selfVerdict: { valid: true, errors: [] },
      stages: { plan: null, repair: null },
      usage: { plan: { answers: 2 } },
    });
    expect(questions[1]).toContain('1,1,2,0,1');
    expect(questions[1]).not.toContain('missing');
  });

  it('repairs a plan that its planner has doubts about, without a finding', async () => {
    const { ask } = asked(
      'Well: {"valid": false, "errors": ["35 operations are missing", "none"]}',
    );
    const result = await runPipeline(ft06, model, { ...context('self-validation'), ask });
    expect(result).toMatchObject({
      status: 'ok',
      selfVerdict: { valid: false, errors: ['35 operations are missing', 'none'] },
      stages: { plan: null, repair: { inserted: 35, verdict: { valid: true } } },
    });
    expect(result.stages.repair?.history).toMatchObject([
      { violations: { before: null, after: 0 } },
    ]);
  });

  it('takes an answer that it cannot read for a doubt, and its log replays', async () => {
    const { ask } = asked('Roses are red.');
    const store = createMemoryStore();
    const log = { store, runId: 'self' };
    const options = { ...context('self-validation'), optimize: undefined, ask, log };
    expect(await runPipeline(ft06, model, options)).toMatchObject({ status: 'ok' });
    const registry = createReplayRegistry(stateOfRun(store, 'self').input, () => ft06);
    expect(await replayRun(store, 'self', { registry })).toMatchObject({
      parity: true,
    });
  });

  it('fails where there is no model', async () => {
    const result = await run('self-validation', valid);
    expect(result).toMatchObject({ status: 'error' });
    expect(result.error).toContain('cannot judge its own plan');
  });

  it.each([
    ['{"valid":true,"errors":[]}', true],
    ['Valid: yes', true],
    ['```json\n{ "valid" : false }\n```', false],
    ['OK.', true],
    ['It is valid, I think, but for Job3', false],
    ['', false],
  ])('reads %j as %s', (text, expected) => {
    expect(readJudgement(text).valid).toBe(expected);
  });
});

describe('the history of a repair', () => {
  it('has what was wrong before and after each round, and what it edited', async () => {
    const [first, ...rest] = valid.entries;
    const moved = { ...first, start: first.start + 100, end: first.end + 100 };
    const { stages } = await run('full', { entries: [moved, ...rest] });
    const [round, ...others] = stages.repair?.history ?? [];
    expect(others).toEqual([]);
    expect(round).toMatchObject({
      by: 'lcrp',
      violations: { before: stages.plan?.total, after: 0 },
    });
    expect(round.edited).toBeGreaterThan(0);
    expect(round.radius).toBeGreaterThanOrEqual(0);
  });
});
