import { AlasError } from '@alas-jssp/core/errors';
import { describe, expect, it } from 'vitest';
import { shopCase } from '../../../packages/lab/src/shops/cases.js';
import { plainOf } from '../../../packages/lab/src/shops/instances.js';
import { type Instance, replaceInstance } from '../../../src/jssp/instance.js';
import { type PlanEntry, planFromSchedule, scheduleFromPlan } from '../../../src/jssp/plan.js';
import { machineSequences } from '../../../src/jssp/schedule.js';
import { isClassic } from '../../../src/jssp/shop-parts.js';
import { decodePlan } from '../../../src/llm/decoding/decode-plan.js';
import { formatFor } from '../../../src/llm/prompts/formats.js';
import { writeShop } from '../../../src/llm/prompts/shop.js';
import { promptHash } from '../../../src/llm/prompts/templates.js';
import { dispatch } from '../../../src/search/index.js';
import { validate } from '../../../src/validator/index.js';
import { readShop } from '../read-shop.js';

/** Random shops with every feature alone and mixed, a third of them in execution. */
const cases = Array.from({ length: 150 }, (_, seed) => shopCase(seed));

/** All that a prompt can say of a shop. */
function said(instance: Instance) {
  const { operations, setups, jobs, ...shop } = plainOf(instance);
  const used = [...new Set(operations.map(({ family }) => family))].sort((a, b) => a - b);
  return {
    ...shop,
    jobs: jobs.map((job) => ({ ...job, weight: job.due === null ? 1 : job.weight })),
    operations: operations.map((operation) => {
      // An operation that has started has its machine, and its other modes no longer matter.
      const modes =
        operation.frozen === null ? operation.modes : [operation.modes[operation.chosen]];
      const family = setups === null ? 0 : used.indexOf(operation.family);
      const chosen = operation.frozen === null ? 0 : operation.chosen;
      return { ...operation, modes, family, chosen: operation.frozen === null ? chosen : 0 };
    }),
    setups: setups === null ? null : setupsAmong(instance, used),
  };
}

/** The setup times of the used families on each machine. */
function setupsAmong({ setups }: Instance, used: readonly number[]) {
  if (setups === null) return null;
  const { families, matrixOf, time, first, anticipatory } = setups;
  return Array.from(matrixOf, (matrix, machine) => {
    if (matrix < 0) return null;
    return {
      isEarly: anticipatory[machine],
      first: used.map((to) => first[matrix * families + to]),
      time: used.map((from) => used.map((to) => time[(matrix * families + from) * families + to])),
    };
  });
}

describe('the prompt of a shop with alternatives, setups, transport, operators and graphs', () => {
  it('says all there is to know about it', () => {
    for (const { instance } of cases) {
      expect(said(readShop(writeShop(instance, false)))).toEqual(said(instance));
    }
  });

  it('is read as no answer', () => {
    for (const { instance } of cases) {
      for (const format of ['entries', 'csv', 'sequences'] as const) {
        const prompt = `${writeShop(instance, false)}\n\n${formatFor(instance, format).plain}`;
        expect(decodePlan(prompt, instance).plan.entries).toEqual([]);
      }
    }
  });

  it('has another hash than that of a classic job shop, which has not changed', () => {
    const settings = { format: 'entries', structured: false } as const;
    const classic = promptHash('single', settings);
    expect(classic).toBe('f4a0afe1a8eca94b8c59b8406e242fe91d8a086cdd358eff986ee1549083d4d4');
    for (const { instance } of cases) {
      const own = promptHash('single', settings, undefined, instance);
      expect(own === classic).toBe(isClassic(instance));
    }
  });
});

/** Schedules of the shops before anything has begun; a rule may find none under greatest waiting times. */
const schedules = cases.flatMap(({ instance }) => {
  const shop = replaceInstance(instance, { deadline: null, frozen: null });
  try {
    return [dispatch(shop, { rule: 'mwkr' })];
  } catch (error) {
    if (error instanceof AlasError) return [];
    throw error;
  }
});

const claims = (entries: readonly PlanEntry[]) =>
  entries.map(({ job, step, machine, start, end }) => ({ job, step, machine, start, end }));

describe('the answer of a model for such a shop', () => {
  it.each(['entries', 'csv'] as const)('names the machine of each operation as %s', (format) => {
    let alternatives = 0;
    for (const schedule of schedules) {
      const { instance } = schedule;
      const { entries } = planFromSchedule(schedule);
      const { plan } = decodePlan(formatFor(instance, format).write(entries), instance);
      expect(claims(plan.entries)).toEqual(claims(entries));
      expect(scheduleFromPlan(instance, plan).makespan).toBe(schedule.makespan);
      if (instance.modes !== null) alternatives++;
    }
    expect(alternatives).toBeGreaterThan(30);
  });

  it('gives the orders of the machines by operations, which are timed to a valid schedule', () => {
    let timed = 0;
    for (const schedule of schedules) {
      const shop = schedule.instance;
      const { entries } = planFromSchedule(schedule);
      const { plan } = decodePlan(formatFor(shop, 'sequences').write(entries), shop);
      const decoded = scheduleFromPlan(shop, plan);
      expect(plan.entries).toHaveLength(shop.operations);
      expect(decoded.instance.machine).toEqual(schedule.instance.machine);
      const { valid, violations } = validate(shop, plan);
      expect({ valid, violations }).toEqual({ valid: true, violations: [] });
      if (machineSequences(decoded).join() === machineSequences(schedule).join()) timed++;
    }
    expect(timed).toBeGreaterThan(100);
  });
});
