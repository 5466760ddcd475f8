import { deriveSeed } from '@alas-jssp/core/seed';
import { describe, expect, it } from 'vitest';
import {
  parseWorkflow,
  type RepairSpec,
  type Workflow,
} from '../../packages/workflow/src/index.js';
import {
  applyEvents,
  carrySchedule,
  type DisruptionEvent,
  EVENT_KINDS,
  parseEvent,
} from '../../src/disruption/index.js';
import {
  createInstance,
  type Instance,
  instanceFromJobs,
  replaceInstance,
} from '../../src/jssp/instance.js';
import { asSchedule, type Candidate, planFromSchedule } from '../../src/jssp/plan.js';
import { createSchedule } from '../../src/jssp/schedule.js';
import { resolveSource } from '../../src/jssp/suites.js';
import { policy } from '../../src/lcrp/policy/make-policy.js';
import { blueprint } from '../../src/pipeline/blueprint/blueprint.js';
import { boundPolicy } from '../../src/pipeline/handlers/repair-stage.js';
import { runPipeline } from '../../src/pipeline/pipeline.js';
import { createPlanner } from '../../src/pipeline/planners/planners.js';
import { dispatchBest } from '../../src/search/construct/dispatch.js';
import { isFeasible } from '../../src/validator/index.js';

/** The blueprint with other bounds of its repair, as a person would write them into the file. */
function bounded(changes: Partial<RepairSpec>, repairable = 'order', rounds = 1): Workflow {
  const file = JSON.parse(JSON.stringify(blueprint({ optimize: false, rounds })));
  for (const node of file.nodes) {
    if (node.type === 'map') Object.assign(node.body.nodes[0].repair, changes);
  }
  for (const edge of file.edges) if (edge.to === 'repair') edge.repairable = repairable;
  return parseWorkflow(JSON.stringify(file));
}

const la06 = resolveSource('la06').load();
const tiny = instanceFromJobs('tiny', [[[0, 3]], [[0, 4]]]);
const hopeless = createInstance({ ...tiny, deadline: Int32Array.of(3, 4) });

async function repaired(workflow: Workflow) {
  const context = { seed: 3, repair: { seed: 2 }, workflow };
  const result = await runPipeline(la06, createPlanner('degraded:0.2:insertion'), context);
  const { repair } = result.stages;
  return { ...result, ...repair, makespan: repair?.verdict.makespan ?? 0 };
}

describe('the repair specification of a node', () => {
  it('lets a repair of its own do what it did before it had force', async () => {
    const { status, evaluations, makespan, rebuilt } = await repaired(bounded({}));
    expect(status).toBe('ok');
    expect(evaluations).toBeGreaterThan(0);
    expect(makespan).toBeLessThan(rebuilt?.makespan ?? 0);
  });

  it.each([
    ['its primitives', bounded({ primitives: ['time'] })],
    ['the edge that leads to it', bounded({}, 'time')],
  ])('reorders nothing where %s name times only', async (_, workflow) => {
    const { status, evaluations, makespan, rebuilt } = await repaired(workflow);
    expect({ status, evaluations, makespan }).toEqual({
      status: 'ok',
      evaluations: 0,
      makespan: rebuilt?.makespan,
    });
  });

  it.each([
    ['primitives without times', bounded({ primitives: ['order'] })],
    ['an edge that lets nothing be changed', bounded({}, 'none')],
  ])('hands on the plan as it was given with %s', async (_, workflow) => {
    const { status, candidate, plan, rounds } = await repaired(workflow);
    expect({ status, rounds, candidate }).toEqual({
      status: 'infeasible',
      rounds: 0,
      candidate: plan,
    });
  });

  it('ends after its rounds, though the loop around it would go on', async () => {
    const overlapping = createSchedule(hopeless, Int32Array.of(1, 0));
    const planner = { name: 'late', plan: async () => overlapping };
    const rounds = async (maxRepairs: number) => {
      const workflow = bounded({ maxRepairs }, 'order', 3);
      const context = { seed: 1, repair: { seed: 2 }, workflow };
      return (await runPipeline(hopeless, planner, context)).stages.repair?.rounds;
    };
    expect([await rounds(1), await rounds(2), await rounds(3), await rounds(9)]).toEqual([
      1, 2, 3, 3,
    ]);
  });

  it('bounds the policy: never more than that allows', () => {
    const far = policy({
      radius: { first: 10, most: 100 },
      fallback: { degradation: 0, iterations: 9 },
      limits: { mostChanged: 7 },
    });
    const spec: RepairSpec = { primitives: ['order', 'time'], covers: [] };
    expect(boundPolicy(far, undefined)).toBe(far);
    expect(boundPolicy(far, spec)).toEqual(far);
    expect(boundPolicy(far, { ...spec, maxRadius: 5, maxEdits: 3 })).toMatchObject({
      radius: { first: 10, most: 5 },
      limits: { mostChanged: 3 },
      fallback: null,
    });
    expect(boundPolicy(far, { ...spec, maxRadius: 500, maxEdits: 30 })).toMatchObject({
      radius: { first: 10, most: 100 },
      limits: { mostChanged: 7 },
    });
    const timed = boundPolicy(far, { ...spec, primitives: ['time'] });
    expect(timed).toMatchObject({ budget: { passes: 0 }, fallback: null });
  });

  it('changes fewer places with a smaller radius, and none beyond the edits that it has', async () => {
    const near = await repaired(bounded({ maxRadius: 1 }));
    const one = await repaired(bounded({ maxEdits: 1 }));
    const free = await repaired(bounded({}));
    expect(near.rebuilt).toEqual(free.rebuilt);
    // A single operation passes no other.
    expect(one.makespan).toBe(one.rebuilt?.makespan);
    expect(free.makespan).toBeLessThan(near.makespan);
    for (const { status } of [near, one, free]) expect(status).toBe('ok');
  });
});

/** Events of each kind at 20 of a schedule of ft06. */
const EVENTS: Readonly<Record<string, readonly string[]>> = {
  breakdown: ['breakdown:machine=3,from=20,to=35'],
  duration: ['duration:at=20,job=2,step=6,factor=2'],
  arrival: ['arrival:at=20,name=r,operations=0:9/1:9/2:9,release=20'],
  cancellation: ['cancellation:at=20,job=3'],
  delay: ['delay:at=20,job=4,step=6,until=60'],
  restored: ['breakdown:machine=3,from=20,to=40', 'restored:at=20,machine=3'],
  capacity: ['capacity:resource=0,from=20,to=35,amount=0'],
  alternative: ['alternative:at=20,job=2,step=6,machine=1,duration=4'],
};

/** The instance with an operator whom all operations of machine 3 need. */
function withOperator(instance: Instance): Instance {
  const { operations, machine } = instance;
  const needs = (op: number) => (machine[op] === 3 ? 1 : 0);
  const needOffset = new Int32Array(operations + 1);
  for (let op = 0; op < operations; op++) needOffset[op + 1] = needOffset[op] + needs(op);
  const count = needOffset[operations];
  return replaceInstance(instance, {
    resources: {
      ...{ count: 1, capacity: Int32Array.of(1), names: null, calendar: null, needOffset },
      needResource: new Int32Array(count),
      needAmount: new Int32Array(count).fill(1),
      needPhase: new Uint8Array(count),
    },
  });
}

describe('coverage of disruptions', () => {
  it.each(EVENT_KINDS)(
    'is what the repair does: the plan from before a %s is repaired',
    async (kind) => {
      const ft06 = resolveSource('ft06').load();
      const shop = kind === 'capacity' ? withOperator(ft06) : ft06;
      const { schedule } = dispatchBest(shop, 1);
      expect(Object.keys(EVENTS), 'kinds with examples in EVENTS').toContain(kind);
      const events = EVENTS[kind].map((text): DisruptionEvent => parseEvent(text, { knownBy: 20 }));
      const applied = applyEvents(schedule, events, 20);
      const starts = carrySchedule(schedule, applied);
      const old = planFromSchedule(createSchedule(applied.instance, starts));
      const planner = { name: 'old', plan: async () => old };
      const workflow = blueprint({ optimize: false, disruptions: [kind] });
      const context = { seed: 1, repair: { seed: deriveSeed(1, kind) }, workflow };
      const { status, candidate } = await runPipeline(applied.instance, planner, context);
      expect(status).toBe('ok');
      const { start } = asSchedule(applied.instance, candidate as Candidate);
      expect(isFeasible(applied.instance, start)).toBe(true);
    },
  );
});
