import { readFileSync } from 'node:fs';
import { InputError } from '@alas-jssp/core/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkWorkflow,
  describeWorkflow,
  parseWorkflow,
  writeWorkflow,
} from '../../../packages/workflow/src/index.js';
import { planPolicy } from '../../../src/lcrp/plan/repair-plan.js';
import { blueprint } from '../../../src/pipeline/blueprint/blueprint.js';
import { REPAIRERS, VARIANTS } from '../../../src/pipeline/blueprint/spec.js';
import { pipelineSteps } from '../../../src/pipeline/handlers/handlers.js';

const spec = fc.record({
  variant: fc.constantFrom(...VARIANTS),
  rounds: fc.nat(4),
  repairer: fc.constantFrom(...REPAIRERS),
  optimize: fc.boolean(),
});
const idsOf = (...of: Parameters<typeof blueprint>) => blueprint(...of).nodes.map(({ id }) => id);

describe('blueprint', () => {
  it('builds workflows in which the checker finds nothing, whatever the spec', () => {
    fc.assert(
      fc.property(spec, (some) => {
        const workflow = blueprint(some);
        expect(checkWorkflow(workflow, { handlers: pipelineSteps })).toEqual([]);
        expect(parseWorkflow(writeWorkflow(workflow))).toEqual(workflow);
        expect(blueprint(some)).toEqual(workflow);
      }),
      { numRuns: 30 },
    );
  });

  it('calls only handlers that the pipeline has, and between them all of those', () => {
    const specs = [
      ...REPAIRERS.map((repairer) => blueprint({ repairer, rounds: 2 })),
      blueprint({ variant: 'self-validation' }),
    ];
    const called = specs.flatMap(({ nodes }) =>
      nodes
        .flatMap((node) => (node.type === 'map' ? node.body.nodes : [node]))
        .flatMap((node) => (node.type === 'task' ? (node.handler ?? node.id) : [])),
    );
    expect([...new Set(called)].sort()).toEqual(Object.keys(pipelineSteps).sort());
  });

  it('leaves out of a variant what its name says', () => {
    expect(idsOf()).toEqual([
      ...['plan', 'validate', 'verdict', 'repair', 'repaired', 'optimize', 'finalCheck'],
      ...['fail', 'supervise'],
    ]);
    expect(idsOf({ variant: 'no-repair' })).not.toContain('repair');
    expect(idsOf({ rounds: 0 })).toEqual(idsOf({ variant: 'no-repair' }));
    expect(idsOf({ variant: 'no-optimization' })).not.toContain('optimize');
    expect(idsOf({ optimize: false })).toEqual(idsOf({ variant: 'no-optimization' }));
    const unjudged = idsOf({ variant: 'no-validation' });
    expect(unjudged).toEqual(['plan', 'optimize', 'finalCheck', 'fail', 'supervise']);
    expect(idsOf({ variant: 'blind-repair' })).toEqual([
      ...['plan', 'repair', 'optimize', 'finalCheck', 'fail', 'supervise'],
    ]);
    expect(idsOf({ variant: 'self-validation' })).toEqual([
      ...['plan', 'selfCheck', 'verdict', 'repair', 'optimize', 'finalCheck', 'fail', 'supervise'],
    ]);
  });

  it('bounds every repair and every step that may not end, and covers the disruptions that are named', () => {
    const workflow = blueprint({ rounds: 3, disruptions: ['breakdown', 'delay'] });
    const map = workflow.nodes.find(({ id }) => id === 'repair');
    expect(map?.type === 'map' && map.body.nodes[0].repair).toMatchObject({
      maxRadius: planPolicy.radius.most,
      covers: ['breakdown', 'delay'],
    });
    expect(workflow.policies.repair.loopGuards).toEqual({ maxIters: 3 });
    expect(workflow.policies.plan.timeout?.seconds).toBeGreaterThan(0);
    expect(workflow.policies.optimize.timeout?.seconds).toBeGreaterThan(0);
    expect(workflow.meta).not.toHaveProperty('refined');
  });

  it('is what docs/reference/workflow.md shows', () => {
    const document = readFileSync(
      new URL('../../../docs/reference/workflow.md', import.meta.url),
      'utf8',
    );
    const [, shown] = /```text\n(job-shop: [\s\S]*?)```/.exec(document) ?? [];
    const text = describeWorkflow(blueprint({ rounds: 2, disruptions: ['breakdown', 'delay'] }));
    expect(text.trimEnd()).toBe(shown?.trimEnd());
  });

  it('gives a model its rounds and one more in which we repair, and has the better plan chosen', () => {
    const workflow = blueprint({ rounds: 3, repairer: 'llm' });
    const map = workflow.nodes.find(({ id }) => id === 'repair');
    expect(map?.type === 'map' && map.body.nodes).toMatchObject([
      { id: 'fix', handler: 'llmRepair', params: { rounds: 3 } },
      { id: 'revalidate', handler: 'validate' },
      { id: 'keep', handler: 'keepBest', role: 'supervisor' },
    ]);
    expect(workflow.policies.repair.loopGuards).toEqual({ maxIters: 4 });
    expect(workflow.policies.fix.timeout?.seconds).toBeGreaterThan(0);
  });

  it('refuses a spec that the checker finds an error in, with the findings', () => {
    const findings = (...of: Parameters<typeof blueprint>) => {
      try {
        return blueprint(...of);
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
        return (error as InputError).value;
      }
    };
    const uncovered = [{ code: 'uncovered_disruption', message: 'no repair covers earthquake' }];
    expect(findings({ disruptions: ['earthquake'] })).toMatchObject(uncovered);
    expect(findings({ variant: 'no-repair', disruptions: ['delay'] })).toMatchObject([
      { code: 'uncovered_disruption' },
    ]);
    expect(() => blueprint({ variant: 'half' as never })).toThrow("no variant 'half'");
    expect(() => blueprint({ rounds: -1 })).toThrow('-1 rounds');
  });
});
