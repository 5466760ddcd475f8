import { virtualClock } from '@alas-jssp/core/virtual-clock';
import { describe, expect, test } from 'vitest';
import { FAULTS_SCHEMA, resumeRun } from '../../src/index.js';
import { chain, createWorld, effect, entryLines, flow, plain, runIn, SAGA } from './world.js';

const faults = (...rules: object[]) => ({ schema: FAULTS_SCHEMA, rules }) as never;
const workflow = flow({
  nodes: [effect('a'), { ...plain('b'), policyRef: 'timed' }],
  edges: chain('a', 'b'),
  policies: {
    saga: SAGA,
    timed: { timeout: { seconds: 5 }, retry: { maxAttempts: 2 } },
  },
});

describe('injected faults', () => {
  test('a failure hits the attempts that the rule names, and is logged before it acts', async () => {
    const inject = faults({ label: 'f', node: 'b', attempt: 1, kind: 'failure', code: 'Down' });
    const { result, entries } = await runIn(workflow, 0, { inject });
    expect(result.status).toBe('COMPLETED');
    expect(entryLines(entries, 'Inject', 'Retry')).toEqual(['Inject b', 'Retry b']);
    expect(entries.find(({ eventType }) => eventType === 'Inject')?.payload).toEqual({
      label: 'f',
      kind: 'failure',
      attempt: 1,
    });
    const always = faults({ label: 'f', node: '*', kind: 'failure', code: 'Down' });
    const failed = await runIn(workflow, 0, { inject: always });
    expect(failed.result.error).toMatchObject({ code: 'Down', nodeId: 'a' });
    expect(failed.world.calls).toEqual(['undo a']);
  });

  test('timeouts and slow answers take the time that they would', async () => {
    const clock = virtualClock();
    const inject = faults(
      { label: 't', node: 'b', attempt: 1, kind: 'timeout' },
      { label: 's', node: 'b', attempt: 2, kind: 'slow', seconds: 3 },
    );
    const { result, entries } = await runIn(workflow, 0, { clock, inject });
    expect(result.status).toBe('COMPLETED');
    expect(clock.now()).toBe(8000);
    expect(entryLines(entries, 'Timeout')).toEqual(['Timeout b']);
    const slow = faults({ label: 's', node: 'b', kind: 'slow', seconds: 30 });
    expect((await runIn(workflow, 0, { inject: slow })).result.error?.code).toBe('Timeout');
  });

  test('outputs are replaced, patched or made to violate something', async () => {
    const { registry } = createWorld();
    const violations = { overlap: (output: unknown) => [output, output] as never };
    const output = async (rule: object, input: never = 0 as never) =>
      (
        await runIn(workflow, input, {
          inject: faults({ label: 'w', node: 'b', ...rule }),
          registry: { ...registry, violations },
        })
      ).result.output;
    expect(await output({ kind: 'wrong-output', value: 99 })).toBe(99);
    expect(await output({ kind: 'wrong-output', patch: { x: 1 } }, { y: 2 } as never)).toEqual({
      x: 1,
      y: 2,
    });
    expect(await output({ kind: 'violation', code: 'overlap' })).toEqual([2, 2]);
  });

  test.each(['before', 'after'])(
    'a crash %s the effect breaks the run off once, and it can be resumed',
    async (when) => {
      const inject = faults({ label: 'c', node: 'a', kind: 'crash', when });
      const world = createWorld();
      const log = (await import('../../src/index.js')).createMemoryStore();
      const run = runIn(workflow, 0, { world, log, inject });
      await expect(run).rejects.toMatchObject({ code: 'InjectedCrash' });
      expect(world.standing.size).toBe(when === 'after' ? 1 : 0);
      const options = { registry: world.registry, clock: virtualClock(), inject };
      expect((await resumeRun(log, 'run', options)).status).toBe('COMPLETED');
      expect([...world.made.values()]).toEqual([1]);
    },
  );

  test('chance depends on the seeds alone', async () => {
    const many = flow({ nodes: Array.from({ length: 40 }, (_, k) => plain(`n${k}`)) });
    const hit = async (seed: number) => {
      const inject = faults({ label: 's', node: 'n*', kind: 'slow', seconds: 1, probability: 0.5 });
      return entryLines((await runIn(many, 0, { inject, seed })).entries, 'Inject');
    };
    const first = await hit(1);
    expect(first.length).toSatisfy((n: number) => n > 8 && n < 32);
    expect(await hit(1)).toEqual(first);
    expect(await hit(2)).not.toEqual(first);
  });

  test('an unknown violation is rejected before the run begins', async () => {
    const inject = faults({ label: 'x', node: 'b', kind: 'violation', code: 'overlap' });
    const world = createWorld();
    await expect(runIn(workflow, 0, { inject, world })).rejects.toThrow(
      '$.rules[0].code: there is no violation overlap; register it under violations',
    );
    expect(world.calls).toEqual([]);
  });

  test('a violation that cannot be made fails the step, and what was done is undone', async () => {
    const world = createWorld();
    const violations = {
      overlap: () => {
        throw new Error('no machine');
      },
    };
    const { result } = await runIn(workflow, 0, {
      inject: faults({ label: 'x', node: 'b', kind: 'violation', code: 'overlap' }),
      registry: { ...world.registry, violations },
    });
    expect(result).toMatchObject({ status: 'COMPENSATED', error: { message: 'no machine' } });
    expect(world.standing.size).toBe(0);
  });

  test('rules that are no rules are refused with their path', async () => {
    const inject = faults({ label: 'x', node: 'b', kind: 'slow' });
    await expect(runIn(workflow, 0, { inject })).rejects.toThrow('$.rules[0].seconds');
  });
});
