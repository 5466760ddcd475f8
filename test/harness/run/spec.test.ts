import { describe, expect, it } from 'vitest';
import { fillRunSpec, layOver } from '../../../src/harness/run/fill-spec.js';
import { RUN_DEFAULTS, type RunSpec } from '../../../src/harness/run/spec.js';
import { specDifferences } from '../../../src/harness/run/spec-differences.js';
import { messageOf } from '../../jssp/formats/refusal.js';

describe('fillRunSpec', () => {
  it('says everything, and leaves a filled spec as it is', () => {
    const specs: RunSpec[] = [
      {},
      { variants: ['full'] },
      { variants: ['full', 'no-repair'], repair: false, optimize: null },
      { planners: ['openai:gpt-4o'], repairer: 'llm', rounds: 3 },
      { disruption: { spec: 'light' }, limits: { seconds: 2 }, models: { budget: { usd: 1 } } },
    ];
    for (const spec of specs) {
      const filled = fillRunSpec(spec);
      expect(fillRunSpec(filled)).toEqual(filled);
      expect(fillRunSpec(JSON.parse(JSON.stringify(filled)))).toEqual(filled);
    }
    expect(fillRunSpec({})).toEqual(RUN_DEFAULTS);
    expect(RUN_DEFAULTS).toMatchObject({ variants: ['full'], repair: false, optimize: null });
  });

  it('repairs and searches where variants are named, and repairs where llm is', () => {
    expect(fillRunSpec({ variants: ['full'] })).toMatchObject({
      repair: true,
      optimize: '20k-iterations',
    });
    const model = fillRunSpec({ planners: ['openai:gpt-4o'], repairer: 'llm' });
    expect(model).toMatchObject({ repair: true, optimize: null });
  });

  it('takes a budget as an object, too', () => {
    const { optimize } = fillRunSpec({ optimize: { seconds: 10, target: 55 } });
    expect(optimize).toBe('10s,target:55');
    expect(messageOf(() => fillRunSpec({ optimize: {} }))).toContain('the budget limits nothing');
  });

  it('names planners and methods as they are called, each once', () => {
    const methods = ['lcrp', 'none', 'lcrp'];
    const planners = ['insertion', 'dispatch:spt', 'insertion'];
    expect(fillRunSpec({ planners, disruption: { spec: 'light', methods } })).toMatchObject({
      planners: ['insertion', 'dispatch:spt'],
      disruption: { methods: ['lcrp', 'none'], policy: 'default' },
    });
  });

  it.each<[RunSpec, string]>([
    [{ planners: [] }, 'there is no planner to run; name one'],
    [{ planners: ['magic'] }, "there is no planner 'magic'; use one of"],
    [{ variants: [] }, 'there is no variant to run; name one'],
    [{ variants: ['half' as never] }, "there is no variant 'half'; use one of full, no-repair"],
    [{ repairer: 'lcpr' as never }, "there is no repairer 'lcpr'; did you mean lcrp"],
    [{ repairer: 'llm' }, 'no planner asks a model that could repair'],
    [{ replicates: 0 }, 'replicates is 0; use a whole number of at least 1'],
    [{ seed: 1.5 }, 'seed is 1.5; use a whole number of at least 0'],
    [{ seed: Number.NaN }, 'seed is NaN; use a whole number of at least 0'],
    [{ rounds: 0 }, 'rounds is 0; use a whole number of at least 1'],
    [{ optimize: '5' }, "'5' is no budget; write it like 10s"],
    [{ limits: { seconds: 0 } }, 'time limit is 0; use seconds up to 2000000'],
    [{ limits: { megabytes: Infinity } }, 'memory limit is Infinity; use megabytes up to 1048576'],
    [{ disruption: { spec: 'light', methods: [] } }, 'there is no repair method to run; name one'],
    [{ disruption: { spec: 'light', methods: ['lcpr'] } }, "no repair method 'lcpr'"],
    [{ models: { concurrency: 0 } }, 'requests at once is 0; use a whole number of at least 1'],
    [{ models: { requestsPerMinute: 1.5 } }, 'requests per minute is 1.5; use a whole number'],
    [{ models: { budget: { usd: -1 } } }, 'budget of dollars is -1; use a number above 0'],
    [{ round: 3 } as never, "a run has no setting 'round'; did you mean rounds"],
    [{ limits: { second: 3 } } as never, "a run has no setting 'second'; did you mean seconds"],
    [
      { disruption: { spec: 'light', method: [] } } as never,
      "a run has no setting 'method'; did you",
    ],
    [{ optimize: { seconds: 1, iteration: 9 } } as never, "'iteration'; did you mean iterations"],
    [3 as never, 'the spec of a run is 3; use an object'],
    [{ suite: 3 } as never, 'suite is 3; use a string'],
    [{ workers: '2' } as never, '$.workers: this is "2"; use a whole number of at least 1'],
    [{ repair: 'llm' } as never, '$.repair: this is "llm"; use a boolean'],
    [{ disruption: {} } as never, '$.disruption.spec: this is missing; use a string'],
    [{ optimize: 5 } as never, 'optimize is 5; see RunSpec'],
    [null as never, '$: this is null; use an object'],
    [{ planners: 'insertion' } as never, '$.planners: this is "insertion"; use an array'],
  ])('refuses %j in one line', (spec, message) => {
    const refusal = messageOf(() => fillRunSpec(spec));
    expect(refusal).toContain(message);
    expect(refusal).not.toContain('\n');
  });
});

describe('layOver', () => {
  it('takes what is given and leaves the rest, whatever it lies in', () => {
    const before = fillRunSpec({
      seed: 3,
      limits: { seconds: 5 },
      models: { budget: { tokens: 9 } },
    });
    const given = { seed: undefined, limits: { megabytes: 64 }, models: { budget: { usd: 2 } } };
    expect(fillRunSpec(layOver(before, given))).toEqual({
      ...before,
      limits: { seconds: 5, megabytes: 64, threads: 1 },
      models: { ...before.models, budget: { tokens: 9, usd: 2, seconds: null } },
    });
    expect(fillRunSpec(layOver(before, { limits: { seconds: null } })).limits.seconds).toBeNull();
  });

  it('does not take a run of the plain pipeline for one of variants', () => {
    const before = fillRunSpec({});
    expect(fillRunSpec(layOver(before, { rounds: 2 }))).toEqual({ ...before, rounds: 2 });
  });
});

describe('specDifferences', () => {
  const all = ['records', 'results', 'files', 'execution'] as const;

  it('finds none between a spec and itself', () => {
    expect(specDifferences(RUN_DEFAULTS, RUN_DEFAULTS, all)).toEqual([]);
  });

  it('finds every setting, in words', () => {
    const other = fillRunSpec({
      suite: 'la',
      planners: ['openai:gpt-4o', 'insertion'],
      variants: ['full', 'no-repair'],
      replicates: 2,
      seed: 1,
      repairer: 'llm',
      rounds: 2,
      disruption: { spec: 'light' },
      limits: { seconds: 40, megabytes: 500 },
      saveSchedules: true,
      log: 'a.db',
      workers: 2,
      models: {
        ...{ record: 'r', prices: 'p', concurrency: 2, requestsPerMinute: 1, tokensPerMinute: 1 },
        budget: { tokens: 1, usd: 1, seconds: 1 },
      },
    });
    const lines = specDifferences(other, RUN_DEFAULTS, all).map(
      ({ words, run, baseline }) => `${words} ${run} instead of ${baseline}`,
    );
    expect(lines).toEqual([
      'suite la instead of dmu',
      'planners openai:gpt-4o, insertion instead of dispatch:best',
      'variants full, no-repair instead of full',
      'replicates 2 instead of 1',
      'seed 1 instead of 0',
      'repair on instead of off',
      'repairer llm instead of lcrp',
      'rounds 2 instead of 1',
      'optimize 20k-iterations instead of none',
      'disruption light instead of none',
      'repair methods lcrp instead of none',
      'policy default instead of none',
      'time limit 40 s instead of none',
      'memory limit 500 MB instead of none',
      'saving of schedules on instead of off',
      'log a.db instead of none',
      'workers 2 instead of 1',
      'directory of answers r instead of none',
      'file of prices p instead of none',
      'requests at once 2 instead of 4',
      'requests per minute 1 instead of none',
      'tokens per minute 1 instead of none',
      'budget of tokens 1 instead of none',
      'budget of dollars 1 instead of none',
      'budget of seconds 1 instead of none',
    ]);
  });

  it('speaks only of what is asked for', () => {
    const other = { ...RUN_DEFAULTS, seed: 1, rounds: 2, workers: 3 };
    const found = specDifferences(other, RUN_DEFAULTS, ['results']);
    expect(found).toEqual([{ setting: 'rounds', words: 'rounds', run: '2', baseline: '1' }]);
  });
});
