import { InputError } from '@alas-jssp/core/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateFlexible } from '../../../../src/jssp/flexible-generator.js';
import { numbersInName } from '../../../../src/jssp/formats/exchange/interval-names.js';
import { parsePlan } from '../../../../src/jssp/formats/read-plan.js';
import type { Instance } from '../../../../src/jssp/instance.js';
import { type PlanEntry, planFromSchedule } from '../../../../src/jssp/plan.js';
import { modeMachine, modesOf } from '../../../../src/jssp/shop-parts.js';
import { resolveSource } from '../../../../src/jssp/suites.js';
import { semiActive } from '../../../../src/jssp/timing.js';
import { dispatchBest } from '../../../../src/search/index.js';
import { validate } from '../../../../src/validator/index.js';
import { arbitraryInstanceAndSequences } from '../../../arbitraries.js';

const ft06 = resolveSource('ft06').load();
const mk01 = resolveSource('mk01').load();
const { schedule } = dispatchBest(ft06);
const { entries } = planFromSchedule(schedule);

const read = (document: unknown, instance: Instance = ft06) =>
  parsePlan(JSON.stringify(document), 'solution.json', instance).plan;

/** The error of a document as the command line writes it. */
function refusal(document: unknown, instance?: Instance): string {
  try {
    read(document, instance);
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  throw new Error('it was read');
}

type Name = (entry: PlanEntry, base: number) => string;
const NAMES: Readonly<Record<string, Name>> = {
  interval_0_1: ({ job, step }, base) => `interval_${job + base}_${step + base}`,
  start_0_1_suffix: ({ job, step }, base) => `start_${job + base}_${step + base}_suffix`,
  J1O2: ({ job, step }, base) => `J${job + base}O${step + base}`,
  'Job 1, task 2': ({ job, step }, base) => `Job ${job + base}, task ${step + base}`,
  J1O2M3: ({ job, step, machine }, base) => `J${job + base}O${step + base}M${machine + base}`,
  J1M3: ({ job, machine }, base) => `J${job + base}M${machine + base}`,
  'x[0][1]': ({ job, step }, base) => `x[${job + base}][${step + base}]`,
  j0_t1_a0: ({ job, step }, base) => `interval_j${job + base}_t${step + base}_a${base}`,
};

describe('names of intervals', () => {
  const cases = Object.keys(NAMES).flatMap((style) => [0, 1].map((base) => [style, base] as const));

  it.each(cases)('like %s, counted from %i, are operations', (style, base) => {
    const map = Object.fromEntries(
      entries.map((entry) => [NAMES[style](entry, base), { start: entry.start, end: entry.end }]),
    );
    expect(read(map).entries).toEqual(entries);
    expect(read({ status: 'OPTIMAL', intervals: map }).entries).toEqual(entries);
    const list = Object.entries(map).map(([name, times]) => ({ name, ...times }));
    expect(read(list).entries).toEqual(entries);
    const document = { makespan: schedule.makespan, schedule: list };
    expect(read(document)).toEqual({ entries, makespan: schedule.makespan });
  });

  it('may count jobs and machines from different numbers', () => {
    const list = entries.map(({ job, machine, start, end }) => [
      `J${job + 1}M${machine}`,
      [start, end],
    ]);
    expect(read(Object.fromEntries(list)).entries).toEqual(entries);
  });

  it.each(['makespan', 'J1', 'x1y2', 'a_1_2_3', 'J1J2', 'M3', 'O1M2', 'J1M2A3'])(
    'like %s are not understood',
    (name) => {
      expect(numbersInName(name)).toBeUndefined();
    },
  );

  it('of any schedule give its plan, from 0 and from 1', () => {
    fc.assert(
      fc.property(
        arbitraryInstanceAndSequences(),
        fc.constantFrom(0, 1),
        fc.constantFrom('interval_0_1', 'J1O2', 'J1O2M3'),
        ([instance, sequences], base, style) => {
          const { entries } = planFromSchedule(semiActive(instance, sequences));
          if (entries.length === 0) return;
          const list = entries.map((entry) => ({ name: NAMES[style](entry, base), ...entry }));
          const named = list.map(({ name, start, end }) => ({ name, start, end }));
          expect(read(named, instance).entries).toEqual(entries);
        },
      ),
    );
  });
});

describe('variables of starts and ends', () => {
  it('are the intervals of the same rest of the name', () => {
    const map = Object.fromEntries(
      entries.flatMap(({ job, step, start, end }) => [
        [`start_${job}_${step}`, start],
        [`end_${job}_${step}`, end],
      ]),
    );
    expect(read({ status: 4, objective: 55, ...map }).entries).toEqual(entries);
    delete map.end_0_1;
    expect(refusal(map)).toContain('there is no end_0_1');
    expect(refusal({ ...map, end_0_1: 9, load: 3 })).toContain('load');
  });
});

describe('a part of a solution', () => {
  const some = entries.filter(({ job }) => job > 0 && job < 5);
  const named = (list: readonly PlanEntry[], base: number) =>
    list.map(({ job, step, start, end }) => ({
      name: `J${job + base}O${step + base}`,
      start,
      end,
    }));

  it('counts from where the durations are right', () => {
    const inside = some.filter(({ step }) => step > 0 && step < 5);
    for (const base of [0, 1]) expect(read(named(inside, base)).entries).toEqual(inside);
  });

  it('is refused if both are possible', () => {
    const wrong = named(
      some.filter(({ step }) => step === 2),
      0,
    ).map((one) => ({
      ...one,
      end: one.start + 99,
    }));
    expect(refusal(wrong)).toBe(
      'solution.json:$[0]: the interval "J1O2" may count from 0 or from 1, and the instance does not decide it; name the intervals of all operations',
    );
  });
});

describe('alternatives', () => {
  const shop = generateFlexible({ name: 'shop', jobs: 4, machines: 3, seed: 5, flexibility: 2 });
  const { schedule: chosen } = dispatchBest(shop);
  const plan = planFromSchedule(chosen);

  it.each([0, 1])('that are absent are not taken, with machines counted from %i', (base) => {
    const map: Record<string, unknown> = {};
    for (const { job, step, machine, start, end } of plan.entries) {
      const op = shop.jobOffset[job] + step;
      const name = `J${job + base}O${step + base}`;
      map[name] = { start, end };
      for (let mode = modesOf(shop, op)[0]; mode < modesOf(shop, op)[1]; mode++) {
        const k = modeMachine(shop, mode);
        map[`${name}M${k + base}`] = k === machine ? [start, end] : null;
      }
    }
    const { entries: back } = read(map, shop);
    expect(back.map(({ mode: _, ...rest }) => rest)).toEqual(
      plan.entries.map(({ mode: _, ...rest }) => rest),
    );
    expect(validate(shop, { entries: back })).toMatchObject({
      valid: true,
      makespan: chosen.makespan,
    });
  });

  it('are refused if the machine is missing, or the times differ', () => {
    const open = plan.entries.map(({ job, step, start, end }) => ({
      name: `J${job}O${step}`,
      start,
      end,
    }));
    expect(refusal(open, shop)).toContain('does not say on which machine it is; give the interval');
    const [{ job, step, machine, start, end }] = plan.entries;
    const late = { name: `J${job}O${step}M${machine}`, start: start + 1, end: end + 1 };
    expect(refusal([...open, late], shop)).toContain(
      `has other times than its alternative "${late.name}"`,
    );
  });

  it('by job and machine are refused if the job has several operations for the machine', () => {
    const list = planFromSchedule(dispatchBest(mk01).schedule).entries.map((entry) => ({
      name: NAMES.J1M3(entry, 0),
      start: entry.start,
      end: entry.end,
    }));
    expect(refusal(list, mk01)).toMatch(
      /^solution\.json:\$\[\d+\]: the interval "J\d+M\d+" does not fit/,
    );
  });
});

/** The model and the response of CP-SAT, as protobuf writes them: empty parts are omitted, 64 bits are in quotes. */
function cpSat(status: string | undefined, isNamed = true) {
  const variables = entries.flatMap(({ job, step }) => [
    { name: `start_${job}_${step}`, domain: ['0', '197'] },
    { name: `end_${job}_${step}`, domain: ['0', '197'] },
  ]);
  const of = (index: number) => ({ vars: [index], coeffs: ['1'] });
  const constraints = entries.map(({ job, step }, i) => ({
    ...(isNamed && { name: `interval_${job}_${step}` }),
    interval: { start: of(2 * i), end: of(2 * i + 1), size: { offset: '3' } },
  }));
  const solution = entries.flatMap(({ start, end }) => [`${start}`, `${end}`]);
  const model = { variables, constraints: [...constraints, { noOverlap: { intervals: [0, 1] } }] };
  return { model, response: { ...(status && { status }), solution } };
}

describe('CP-SAT', () => {
  it('has the values of intervals in its response, and their names in its model', () => {
    expect(read(cpSat('OPTIMAL')).entries).toEqual(entries);
  });

  it('has linear expressions, negated variables and literals', () => {
    const { model, response } = cpSat('FEASIBLE');
    const [{ start, end }] = entries;
    const last = model.variables.length;
    model.variables.push({ name: 'taken', domain: ['0', '1'] }, { name: 'x', domain: ['0', '9'] });
    response.solution.push('0', '3');
    const present = {
      name: 'interval_0_0',
      enforcementLiteral: [-last - 1],
      interval: {
        start: { vars: [last + 1], coeffs: ['2'], offset: `${start - 6}` },
        end: { vars: [-last - 2], coeffs: ['-1'], offset: `${end - 3}` },
      },
    };
    const absent = { ...present, name: 'interval_0_1', enforcement_literal: [last] };
    const { enforcementLiteral: _, ...snake } = absent;
    const [, ...others] = model.constraints;
    const constraints = [present, snake, ...others];
    expect(read({ model: { ...model, constraints }, response }).entries).toEqual(entries);
  });

  it.each([
    ['without its model', cpSat('OPTIMAL').response, 'the model of CP-SAT is missing; write both'],
    [
      'without its response',
      cpSat('OPTIMAL').model,
      'the response of CP-SAT is missing; write both',
    ],
    ['without a status, which is UNKNOWN', cpSat(undefined), 'the status is UNKNOWN: there is no'],
    ['INFEASIBLE', cpSat('INFEASIBLE'), 'the status is INFEASIBLE: there is no solution; give'],
    ['without names', cpSat('OPTIMAL', false), 'model.constraints[0].name: '],
    [
      'with the response of another model',
      { model: cpSat('OPTIMAL').model, response: { status: 'OPTIMAL', solution: ['1'] } },
      'give the response of this model',
    ],
  ])('is refused %s', (_, document, problem) => {
    expect(refusal(document)).toContain(problem);
    expect(refusal(document)).not.toContain('\n');
  });
});

describe('a solution is refused', () => {
  const one = { J1O1: { start: 0, end: 1 } };
  it.each([
    ['with no solution', { status: 'INFEASIBLE' }, 'the status is INFEASIBLE'],
    ['with no solution, by number', { status: 0, intervals: {} }, 'the status is UNKNOWN'],
    ['with a status of another kind', { status: 'ok', intervals: one }, 'the status is ok'],
    ['if all is absent', { J1O1: null, J1O2: null }, 'no interval is present; give a solution'],
    ['of another shop', { J9O9: [0, 1], J1O1: [0, 1] }, 'the interval "J9O9" does not fit'],
    ['with other intervals', { ...one, pause: [3, 4] }, 'the interval "pause" is not understood'],
    ['without an end', { J1O1: { start: 3 } }, 'J1O1.end: this is missing'],
    ['with a text', { ...one, J1O2: 'soon' }, 'J1O2: this is "soon"'],
  ])('%s', (_, document, problem) => {
    expect(refusal(document)).toContain(problem);
  });

  it('without an instance', () => {
    expect(() => parsePlan(JSON.stringify(one))).toThrow(/the jobs and machines are unknown/);
  });
});
