import { describe, expect, it } from 'vitest';
import {
  assignModes,
  type Instance,
  instanceFromJobs,
  replaceInstance,
} from '../../src/jssp/instance.js';
import { type Plan, type PlanEntry, planFromSchedule } from '../../src/jssp/plan.js';
import { createSchedule } from '../../src/jssp/schedule.js';
import type { Modes, Precedence, Resources, Setups } from '../../src/jssp/shop-parts.js';
import {
  createCertificate,
  createJudge,
  validate,
  verifyCertificate,
} from '../../src/validator/index.js';

/** Two jobs of two steps on three machines; the first step of each may take place on two machines. */
const classic = instanceFromJobs(
  'bench',
  [
    [
      [0, 3],
      [2, 2],
    ],
    [
      [0, 2],
      [2, 4],
    ],
  ],
  3,
);
const modes: Modes = {
  offset: Int32Array.of(0, 2, 3, 5, 6),
  machine: Int32Array.of(0, 1, 2, 0, 1, 2),
  duration: Int32Array.of(3, 5, 2, 2, 3, 4),
  chosen: Int32Array.of(0, 2, 3, 5),
};
const flexible = replaceInstance(classic, { modes });

function codes(instance: Instance, plan: Plan): string[] {
  return validate(instance, plan).violations.map(({ code }) => code);
}

const entries: PlanEntry[] = [
  { job: 0, step: 0, machine: 0, start: 0, end: 3 },
  { job: 0, step: 1, machine: 2, start: 7, end: 9 },
  { job: 1, step: 0, machine: 1, start: 0, end: 3 },
  { job: 1, step: 1, machine: 2, start: 3, end: 7 },
];

describe('alternatives', () => {
  it('are chosen by the machine of an entry', () => {
    expect(validate(flexible, { entries, makespan: 9 })).toMatchObject({
      valid: true,
      makespan: 9,
    });
    expect(codes(flexible, { entries: entries.with(2, { ...entries[2], end: 2 }) })).toEqual([
      'wrong_duration',
    ]);
  });

  it('do not include machines that cannot do the operation', () => {
    const wrong = { ...entries[2], machine: 2 };
    const { violations } = validate(flexible, { entries: entries.with(2, wrong) });
    expect(violations[0]).toMatchObject({
      code: 'wrong_machine',
      claimed: 2,
      possible: [0, 1],
      message: 'job 2, step 1 is put on machine 2, but can only be done on machine 0 or machine 1',
    });
  });

  it('may be named by their numbers, which must be true', () => {
    const inMode = (mode: number) => ({ entries: entries.with(2, { ...entries[2], mode }) });
    expect(codes(flexible, inMode(1))).toEqual([]);
    expect(codes(flexible, inMode(0))).toEqual(['wrong_machine']);
    expect(codes(flexible, inMode(2))).toEqual(['unknown_mode']);
    expect(codes(flexible, inMode(0.5))).toEqual(['unknown_mode']);
    expect(
      codes(classic, { entries: entries.with(2, { ...entries[2], machine: 0, mode: 1 }) }),
    ).toContain('unknown_mode');
  });

  it('of a schedule count, whatever is chosen in the instance', () => {
    const schedule = createSchedule(
      assignModes(flexible, Int32Array.of(0, 2, 4, 5)),
      Int32Array.of(0, 7, 0, 3),
    );
    expect(validate(flexible, schedule).valid).toBe(true);
    expect(planFromSchedule(schedule).entries).toEqual(entries);
    const inOthers = createSchedule(flexible, schedule.start);
    expect(validate(flexible, inOthers).counts).toMatchObject({ machine_overlap: 1 });
  });

  it('of operations that have started are facts', () => {
    const begun = replaceInstance(flexible, { frozen: Int32Array.of(-1, -1, 0, -1) });
    const { violations, groups } = validate(begun, { entries });
    expect(violations).toMatchObject([
      {
        code: 'frozen_reassigned',
        message: 'job 2, step 1 is planned on machine 1, but has already started on machine 0',
        frozenMachine: 0,
        machine: 1,
      },
    ]);
    expect(groups).toHaveLength(1);
  });

  it('must be those of the operations for the hot judge, which survives wrong ones', () => {
    const judge = createJudge(flexible);
    const starts = Int32Array.of(0, 7, 0, 3);
    expect(() => judge.isFeasible(starts, Int32Array.of(1, 2, 9, 5))).toThrow(
      'mode 9 is not one of job 2, step 1',
    );
    expect(() => judge.isFeasible(starts, Int32Array.of(0, 2))).toThrow('2 modes');
    expect(judge.isFeasible(starts, Int32Array.of(0, 2, 4, 5))).toBe(true);
    expect(judge.isFeasible(starts, Int32Array.of(0, 2, 3, 5))).toBe(false);
    expect(judge.isFeasible(starts)).toBe(false);
  });

  it('are in certificates', () => {
    const schedule = createSchedule(
      assignModes(flexible, Int32Array.of(0, 2, 4, 5)),
      Int32Array.of(0, 7, 0, 3),
    );
    const certificate = createCertificate(schedule, {
      createdWith: { package: 'alas-jssp', version: '1' },
    });
    expect(certificate).toMatchObject({
      schema: 'alas-jssp/certificate@2',
      modes: [1, 1, 2, 1],
      makespan: 9,
    });
    expect(verifyCertificate(certificate, flexible)).toMatchObject({ valid: true, problems: [] });
    const problemsOf = (changed: object) =>
      verifyCertificate({ ...certificate, ...changed }, flexible).problems;
    expect(problemsOf({ modes: [1, 1, 1, 1] }).length).toBeGreaterThan(0);
    expect(problemsOf({ modes: [1, 1, 3, 1] })).toEqual([
      'job 2, step 1 is in mode 3, but it has 2',
    ]);
    expect(problemsOf({ modes: undefined })).toEqual([
      'it names no modes, but the operations of bench have some',
    ]);
    expect(problemsOf({ modes: [1] })).toEqual(['it has 1 modes for 4 operations']);
  });
});

/** All operations are of two families on one matrix: 2 to change, 1 before the first one. */
const setups: Setups = {
  families: 2,
  family: Int32Array.of(0, 0, 1, 1),
  matrixOf: Int32Array.of(0, -1, 0),
  time: Int32Array.of(0, 2, 2, 0),
  first: Int32Array.of(1, 1),
  anticipatory: Uint8Array.of(1, 1, 1),
};

describe('the parts of a shop', () => {
  const judged = (instance: Instance, ...starts: number[]) =>
    validate(instance, createSchedule(instance, Int32Array.from(starts))).violations;

  it('include setups, by the machine before them', () => {
    const shop = replaceInstance(classic, { setups });
    expect(judged(shop, 1, 7, 6, 11)).toEqual([]);
    expect(judged(shop, 0, 7, 5, 11)).toMatchObject([
      {
        code: 'setup',
        begin: -1,
        setup: 1,
        earliest: 0,
        message:
          'job 1, step 1 starts at 0, but the setup of machine 0 takes 1 and would begin before the plan begins',
      },
    ]);
    expect(judged(shop, 1, 7, 5, 11)).toMatchObject([
      {
        code: 'setup',
        before: 0,
        begin: 3,
        earliest: 4,
        message:
          'job 2, step 1 starts at 5, but the setup of machine 0 after job 1, step 1 takes 2 and would begin at 3, before 4',
      },
    ]);
  });

  it('include setups that wait for the job', () => {
    const waiting = replaceInstance(classic, {
      setups: { ...setups, anticipatory: Uint8Array.of(0, 0, 0) },
    });
    expect(judged(waiting, 1, 4, 6, 11)).toMatchObject([{ code: 'setup', scope: { op: 1 } }]);
    expect(judged(waiting, 1, 5, 6, 11)).toEqual([]);
  });

  it('include transport and lags', () => {
    const transport = { time: Int32Array.of(0, 1, 2, 1, 0, 1, 2, 1, 0) };
    const moving = replaceInstance(classic, { transport });
    expect(judged(moving, 0, 5, 3, 7)).toEqual([]);
    expect(judged(moving, 0, 4, 3, 7)).toMatchObject([
      {
        code: 'lag_too_short',
        transport: 2,
        lag: 0,
        earliest: 5,
        message:
          'job 1, step 2 starts at 4, but after job 1, step 1, which ends at 3, come 2 of transport',
      },
    ]);
    expect(judged(moving, 0, 2, 3, 7)).toMatchObject([{ code: 'job_precedence' }]);
    const precedence: Precedence = {
      offset: Int32Array.of(0, 0, 1, 1, 2),
      pred: Int32Array.of(0, 2),
      minLag: Int32Array.of(1, 0),
      maxLag: Int32Array.of(-1, 0),
    };
    const lagging = replaceInstance(classic, { precedence });
    expect(judged(lagging, 0, 3, 3, 6)).toMatchObject([
      { code: 'lag_too_short' },
      {
        code: 'lag_too_long',
        latest: 5,
        message: 'job 2, step 2 starts at 6, but job 2, step 1 ends at 5 and must not wait',
      },
    ]);
  });

  it('include operators, with all who need them', () => {
    const resources: Resources = {
      count: 1,
      capacity: Int32Array.of(1),
      names: ['Ana'],
      calendar: {
        offset: Int32Array.of(0, 1),
        from: Int32Array.of(20),
        to: Int32Array.of(30),
        amount: Int32Array.of(0),
      },
      needOffset: Int32Array.of(0, 1, 1, 1, 2),
      needResource: Int32Array.of(0, 0),
      needAmount: Int32Array.of(1, 1),
      needPhase: Uint8Array.of(0, 0),
    };
    const shop = replaceInstance(flexible, {
      modes: null,
      machine: Int32Array.of(0, 2, 1, 2),
      duration: Int32Array.of(3, 2, 2, 4),
      resources,
    });
    expect(judged(shop, 0, 7, 0, 3)).toEqual([]);
    expect(judged(shop, 3, 7, 0, 2)).toMatchObject([
      {
        code: 'resource_overload',
        from: 3,
        to: 6,
        need: 2,
        capacity: 1,
        operations: [3, 0],
        scope: { op: 0 },
        message:
          'Ana is overloaded from 3 to 6: job 2, step 2 and job 1, step 1 need 2 at 3, but there is only 1',
      },
    ]);
    expect(judged(shop, 0, 7, 0, 18)).toMatchObject([
      { code: 'resource_overload', from: 20, to: 22, need: 1, capacity: 0 },
    ]);
  });
});
