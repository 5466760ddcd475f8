import { describe, expect, it } from 'vitest';
import { fillRunSpec } from '../../src/harness/run/fill-spec.js';
import { RUN_DEFAULTS } from '../../src/harness/run/spec.js';
import { namedSource, runTest, temporaryDirectory } from './fixtures.js';

const program = (way: string) => `exec:node test/harness/planners/unruly-program.mjs ${way}`;

describe('a planner that never comes to its end', () => {
  it('has the best plan that it handed over in time, also if its thread has to be ended', async () => {
    const sources = ['loops', 'listens'].map(namedSource);
    const planners = ['module:test/harness/planners/tireless.mjs'];
    const limits = { seconds: 2 };
    const { records } = await runTest({ sources, planners, workers: 1, limits });
    for (const record of records) {
      expect(record).toMatchObject({ status: 'ok', makespan: 10, error: null });
      expect(record).toMatchObject({ claimed_lower_bound: 4, contradiction: null });
      const way = record.improvements.map(({ value, lower_bound }) => [value, lower_bound]);
      expect(way).toEqual([
        [16, null],
        [10, null],
        [10, 4],
      ]);
      expect(record.seconds.plan).toBeGreaterThanOrEqual(2);
      // They came before the planner was stopped.
      expect(record.improvements.at(-1)?.seconds).toBeLessThan(2);
    }
  });
});

describe('programs as planners of a run', () => {
  it('make a record each under their names, whatever becomes of them, and the run is whole', async () => {
    const ways = ['plans', 'plans_and_fails', 'tells'];
    const planners = ways.map((way) => `${way}=${program(way)}`);
    const out = temporaryDirectory();
    const run = { suite: 'ft06', planners, workers: 2, out, saveSchedules: true };
    const { records, manifest } = await runTest(run);
    expect(manifest.spec.planners).toEqual(planners);
    expect(records.map(({ planner, status, error }) => [planner, status, error])).toEqual([
      ['plans', 'ok', null],
      ['plans_and_fails', 'error', 'the program ended with exit code 4'],
      ['tells', 'ok', null],
    ]);
    expect(records.map(({ process }) => process?.exit_code)).toEqual([0, 4, 0]);
    const [, , told] = records;
    expect(told.claimed_lower_bound).toBe(197);
    expect(told.contradiction).toContain(
      'a lower bound of 197, but the literature has a schedule of 55',
    );
    expect(told.lower_bound).toBe(55);
    expect(told.proven_optimal).toBe(false);
    // What is refuted is no part of the way.
    expect(told.improvements.map(({ lower_bound }) => lower_bound)).toEqual([4, 4]);
    const { records: again } = await runTest({ ...run, resume: true });
    expect(again.map(({ planner }) => planner)).toEqual(ways);
  });

  it('have handed over what they printed when their time is over', async () => {
    const planners = [program('tells_and_hangs')];
    const { records } = await runTest({
      suite: 'ft06',
      planners,
      workers: 1,
      limits: { seconds: 4 },
    });
    expect(records[0]).toMatchObject({ planner: planners[0], status: 'ok', makespan: 197 });
    expect(records[0].process).toMatchObject({ exit_code: null, signal: 'SIGKILL' });
  });

  it('are refused before the run if they are not there, or two have one name', async () => {
    const refused = (...planners: string[]) => expect(runTest({ suite: 'ft06', planners })).rejects;
    await refused('exec:no-such-program-17').toThrow('there is no program no-such-program-17');
    await refused('a=insertion', `a=${program('plans')}`).toThrow("two planners are named 'a'");
    await refused('insertion=search:1s').toThrow("'insertion' is a planner itself");
    await refused('m=openai:gpt-4o', 'm=insertion').toThrow("two planners are named 'm'");
    await refused('exec:node x {seconds}').toThrow('give one with --time-limit');
  });
});

describe('the search as a planner', () => {
  it('hands over plans and bounds, equal ones for equal seeds and iterations', async () => {
    const run = { suite: 'la02', planners: ['search:2k-iterations'], workers: 1 };
    const [one, other] = [await runTest(run), await runTest(run)].map(({ records }) => records[0]);
    expect(one).toMatchObject({ status: 'ok', contradiction: null });
    expect(one.makespan).toBe(other.makespan);
    expect(one.improvements.at(-1)).toMatchObject({
      value: one.makespan,
      lower_bound: one.claimed_lower_bound,
    });
    expect(one.claimed_lower_bound).toBeLessThanOrEqual(655);
  });

  it('is refused a budget that is none', () => {
    expect(() => fillRunSpec({ planners: ['search:soon'] })).toThrow("'soon' is no budget");
    expect(RUN_DEFAULTS.limits.threads).toBe(1);
  });
});
