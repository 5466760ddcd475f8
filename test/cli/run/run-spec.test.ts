import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../../src/cli/common/session.js';
import { type RunCommandOptions, withRunOptions } from '../../../src/cli/run/run-options.js';
import { outOf, specOf } from '../../../src/cli/run/run-spec.js';
import { fillRunSpec, layOver } from '../../../src/harness/run/fill-spec.js';
import type { RunSpec } from '../../../src/harness/run/spec.js';
import { messageOf } from '../../jssp/formats/refusal.js';

const session = { host: { stdout: {} } } as unknown as Session;

/** The spec that a command line stands for, also for --resume. */
function specFor(line: string, before?: RunSpec) {
  const command = withRunOptions(session, new Command('run').exitOverride());
  const options = command
    .parse(line === '' ? [] : line.split(' '), { from: 'user' })
    .opts<RunCommandOptions>();
  const earlier = before && fillRunSpec(before);
  const spec = specOf(options, earlier);
  return fillRunSpec(earlier === undefined ? spec : layOver(earlier, { ...spec, workers: 1 }));
}

describe('the options of alas-jssp run', () => {
  it('are the defaults of a spec where none is given, but for the workers', () => {
    const { workers, ...rest } = specFor('');
    expect({ ...rest, workers: 1 }).toEqual(fillRunSpec({}));
    expect(workers).toBeGreaterThanOrEqual(1);
  });

  it('stand for a spec, each in its place', () => {
    const settings = '--replicates 3 --rounds 2 --optimize 10s --variant full,no-repair';
    const limits = '--time-limit 9 --save-schedules --log a.db --workers 4';
    const models = '--record answers --prices prices.json --llm-concurrency 2 --budget-usd 1.5';
    const rates = '--requests-per-minute 30 --tokens-per-minute 900 --budget-tokens 70';
    const more =
      '--budget-seconds 60 --planner insertion --planner dispatch:spt --suite ft --suite la';
    expect(specFor(`${settings} ${limits} ${models} ${rates} ${more}`)).toEqual(
      fillRunSpec({
        suite: 'ft,la',
        planners: ['insertion', 'dispatch:spt'],
        variants: ['full', 'no-repair'],
        replicates: 3,
        rounds: 2,
        optimize: '10s',
        limits: { seconds: 9 },
        saveSchedules: true,
        log: 'a.db',
        workers: 4,
        models: {
          ...{ record: 'answers', prices: 'prices.json', concurrency: 2 },
          ...{ requestsPerMinute: 30, tokensPerMinute: 900 },
          budget: { tokens: 70, usd: 1.5, seconds: 60 },
        },
      }),
    );
  });

  it('repair plans, or what is disrupted', () => {
    expect(specFor('--repair')).toMatchObject({ repair: true, repairer: 'lcrp', disruption: null });
    expect(specFor('--repair llm --planner openai:gpt-4o')).toMatchObject({
      repair: true,
      repairer: 'llm',
    });
    expect(specFor('--disrupt light')).toMatchObject({
      repair: false,
      disruption: { spec: 'light', methods: ['none'], policy: 'default' },
    });
    expect(specFor('--disrupt light --repair lcrp,none --policy high-stability')).toMatchObject({
      repair: true,
      disruption: { methods: ['lcrp', 'none'], policy: 'high-stability' },
    });
    expect(messageOf(() => specFor('--repair affected'))).toContain('add --disrupt');
    expect(messageOf(() => specFor('--policy default'))).toContain('goes with --disrupt only');
    expect(messageOf(() => specFor('--disrupt light --repair llm'))).toContain('omit one');
  });

  it('change nothing of a run to resume that they do not speak of', () => {
    const runs: RunSpec[] = [
      {},
      { variants: ['full'], rounds: 3, seed: 9 },
      { disruption: { spec: 'light', methods: ['none', 'lcrp'] }, repair: true },
      { planners: ['openai:gpt-4o'], repairer: 'llm', models: { budget: { tokens: 5 } } },
    ];
    for (const before of runs) expect(specFor('', before)).toEqual(fillRunSpec(before));
    expect(specFor('--budget-tokens 9', runs[3]).models.budget).toMatchObject({ tokens: 9 });
    expect(specFor('--repair lcrp', runs[2]).disruption).toMatchObject({ methods: ['lcrp'] });
  });

  it('name the directory after the suite', () => {
    const rest = { seed: 0, saveSchedules: false, failOn: [], format: 'csv' } as never;
    expect(outOf({ ...(rest as object), suite: 'ft,la' } as never)).toMatch(/^results\/ft-la-/);
    expect(outOf(rest)).toMatch(/^results\/dmu-\d/);
    expect(outOf({ ...(rest as object), out: false } as never)).toBeUndefined();
    expect(outOf({ ...(rest as object), resume: 'old' } as never)).toBe('old');
  });
});
