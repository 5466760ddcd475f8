import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/core/errors.js';
import { blueprint, HANDLER_KINDS } from '../../../src/pipeline/blueprint/blueprint.js';
import { REPAIRERS, VARIANTS } from '../../../src/pipeline/blueprint/spec.js';
import { createPipelineRegistry } from '../../../src/pipeline/handlers/handlers.js';
import { checkWorkflow, parseWorkflow, writeWorkflow } from '../../../src/workflow/index.js';

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
        expect(checkWorkflow(workflow, { handlers: HANDLER_KINDS })).toEqual([]);
        expect(parseWorkflow(new TextEncoder().encode(writeWorkflow(workflow)))).toEqual(workflow);
        expect(blueprint(some)).toEqual(workflow);
      }),
      { numRuns: 30 },
    );
  });

  it('knows the handlers that the pipeline has, no more and no fewer', () => {
    const { handlers } = createPipelineRegistry({} as never, { planner: { name: '' } } as never);
    expect(Object.keys(handlers).sort()).toEqual(Object.keys(HANDLER_KINDS).sort());
  });

  it('leaves out of a variant what its name says', () => {
    expect(idsOf()).toEqual([
      ...['plan', 'validate', 'verdict', 'repair', 'repaired', 'optimize', 'finalCheck'],
      ...['giveUp', 'supervise'],
    ]);
    expect(idsOf({ variant: 'no-repair' })).not.toContain('repair');
    expect(idsOf({ rounds: 0 })).toEqual(idsOf({ variant: 'no-repair' }));
    expect(idsOf({ variant: 'no-optimization' })).not.toContain('optimize');
    expect(idsOf({ optimize: false })).toEqual(idsOf({ variant: 'no-optimization' }));
    const unjudged = idsOf({ variant: 'no-validation' });
    expect(unjudged).toEqual(['plan', 'optimize', 'finalCheck', 'giveUp', 'supervise']);
  });

  it('refines a draft until repairs are bounded and cover the disruptions that are named', () => {
    const workflow = blueprint({ rounds: 3, disruptions: ['breakdown', 'delay'] });
    const map = workflow.nodes.find(({ id }) => id === 'repair');
    expect(map?.type === 'map' && map.body.nodes[0].repair).toMatchObject({
      maxRounds: 3,
      covers: ['breakdown', 'delay'],
    });
    expect(workflow.policies.rounds.loopGuards).toEqual({ maxIters: 3 });
    const codes = (workflow.meta.refined as string[]).map((line) => line.split(' ')[0]);
    expect(new Set(codes)).toEqual(
      new Set(['unbounded_loop', 'no_timeout', 'unbounded_repair', 'uncovered_disruption']),
    );
  });

  it('gives a model its rounds and one more in which we repair, and has the better plan chosen', () => {
    const workflow = blueprint({ rounds: 3, repairer: 'llm' });
    const map = workflow.nodes.find(({ id }) => id === 'repair');
    expect(map?.type === 'map' && map.body.nodes).toMatchObject([
      { id: 'fix', handler: 'mend', params: { rounds: 3 }, repair: { maxRounds: 4 } },
      { id: 'revalidate', handler: 'validate' },
      { id: 'gather', handler: 'choose', role: 'supervisor' },
    ]);
    expect(workflow.policies.rounds.loopGuards).toEqual({ maxIters: 4 });
    expect(workflow.policies.mend.timeout?.seconds).toBeGreaterThan(0);
  });

  it('refuses what it cannot refine, with what the checker found', () => {
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
