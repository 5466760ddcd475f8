import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSharedPlans, type SharedPlan } from '../../src/harness/worker/shared-plans.js';
import { runTest, temporaryDirectory } from './fixtures.js';

const VARIANTS = ['full', 'no-repair', 'no-validation', 'blind-repair'] as const;

function moody(mode = '') {
  const counter = join(temporaryDirectory(), 'starts');
  const planner = `moody=exec:node test/harness/planners/moody-program.mjs ${counter} ${mode}`;
  return { planner: planner.trim(), starts: () => readFileSync(counter, 'utf8').length };
}

describe('variants of a program', () => {
  it('share its plan, although it would answer differently again', async () => {
    const { planner, starts } = moody();
    const { records } = await runTest({
      suite: 'ft06,la01',
      planners: [planner],
      variants: VARIANTS,
      replicates: 2,
      optimize: '100-iterations',
      workers: 2,
    });
    expect(records).toHaveLength(16);
    // One plan for each instance and replicate.
    expect(starts()).toBe(4);
    for (const instance of ['ft06', 'la01']) {
      for (const replicate of [0, 1]) {
        const claims = records
          .filter((one) => one.instance === instance && one.replicate === replicate)
          .map(({ claimed_makespan }) => claimed_makespan);
        expect(new Set(claims).size).toBe(1);
      }
    }
    const all = new Set(records.map(({ claimed_makespan }) => claimed_makespan));
    expect(all.size).toBe(4);
    for (const record of records) expect(record.process?.exit_code).toBe(0);
  });

  it('share its failure', async () => {
    const { planner, starts } = moody('fails');
    const { records } = await runTest({
      suite: 'ft06',
      planners: [planner],
      variants: ['full', 'no-repair'],
      optimize: '100-iterations',
      workers: 2,
    });
    expect(records.map(({ status }) => status)).toEqual(['error', 'error']);
    expect(records[0].error).toBe(records[1].error);
    expect(starts()).toBe(1);
    // The summary first, for tables; then all of it.
    expect(records[0].error).toBe(
      'the program ended with exit code 3: at solve (solver.js:17); its stderr: ' +
        'start 1: the licence is missing | ask the vendor for one | at solve (solver.js:17)',
    );
    expect(records[1].process).toMatchObject({
      exit_code: 3,
      stderr:
        'start 1: the licence is missing\nask the vendor for one\n    at solve (solver.js:17)\n',
    });
  });
});

describe('createSharedPlans', () => {
  const cell = { instance: 'a', specification: 'exec:x', replicate: 0 };
  const plan: SharedPlan = {
    made: { plan: { entries: [] } },
    progress: { points: [], claimedLowerBound: null, process: null },
    seconds: 1,
  };

  it('lets another task plan if the first one ends without a plan', async () => {
    const plans = createSharedPlans({ variants: ['full', 'no-repair'] }, () => true);
    const first = await plans.turn(cell);
    const waiting = plans.turn(cell);
    first.end();
    const second = await waiting;
    expect([first.planned, second.planned]).toEqual([undefined, undefined]);
  });

  it('hands over a plan as soon as it is known, also to tasks that wait', async () => {
    const plans = createSharedPlans({ variants: ['full', 'no-repair'] }, () => true);
    const first = await plans.turn(cell);
    const waiting = plans.turn(cell);
    first.keep(plan);
    expect((await waiting).planned).toBe(plan);
    first.end();
  });

  it('shares nothing in a run of one variant', async () => {
    const plans = createSharedPlans({ variants: ['full'] }, () => true);
    (await plans.turn(cell)).keep(plan);
    expect((await plans.turn(cell)).planned).toBeUndefined();
  });
});
