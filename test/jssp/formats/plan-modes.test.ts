import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writePlanCsv } from '../../../src/jssp/formats/plan-csv.js';
import { writePlanJson } from '../../../src/jssp/formats/plan-json.js';
import { parsePlan } from '../../../src/jssp/formats/read-plan.js';
import { assignModes, createInstance, instanceFromJobs } from '../../../src/jssp/instance.js';
import { type PlanEntry, planFromSchedule, scheduleFromPlan } from '../../../src/jssp/plan.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { anyShop } from '../shops.js';
import { anyPlan } from './arbitraries.js';
import { messageOf } from './refusal.js';

const parse = (text: string) => parsePlan(Buffer.from(text), 'f').plan;

/** A plan in which some entries name a mode. */
const withModes = fc
  .tuple(anyPlan, fc.infiniteStream(fc.integer({ min: -1, max: 5 })))
  .map(([{ entries }, dice]) =>
    entries.map((entry): PlanEntry => {
      const mode = dice.next().value;
      return mode < 0 ? entry : { ...entry, mode };
    }),
  );

test('the modes that a plan names survive JSON and CSV, where they count from 1', () => {
  fc.assert(
    fc.property(withModes, (entries) => {
      expect(parse(writePlanJson({ entries }, { instance: 'a' })).entries).toEqual(entries);
      expect(parse(writePlanCsv({ entries })).entries).toEqual(entries);
    }),
  );
  const entries = [{ job: 0, step: 0, machine: 1, start: 2, end: 5, mode: 1 }];
  expect(writePlanCsv({ entries })).toBe(
    'job,step,machine,mode,start,end\nJob1,1,Machine1,2,2,5\n',
  );
  expect(writePlanJson({ entries })).toContain('"machine":"Machine1","mode":2,"start":2');
});

test('a schedule in any modes is the same after its plan was written and read', () => {
  fc.assert(
    fc.property(anyShop, fc.infiniteStream(fc.nat(9)), (instance, dice) => {
      const { modes } = instance;
      const chosen = modes?.chosen.map((_, op) => {
        const count = modes.offset[op + 1] - modes.offset[op];
        return modes.offset[op] + (dice.next().value % count);
      });
      const assigned = chosen ? assignModes(instance, chosen) : instance;
      const start = assigned.machine.map(() => dice.next().value);
      const schedule = createSchedule(assigned, start);
      for (const write of [writePlanJson, writePlanCsv]) {
        const { plan } = parsePlan(Buffer.from(write(schedule)), 'f', instance);
        const read = scheduleFromPlan(instance, plan);
        expect([read.mode, read.start]).toEqual([schedule.mode, schedule.start]);
      }
    }),
  );
});

test('two modes of one duration on a machine are distinguished by their number', () => {
  const instance = createInstance({
    ...instanceFromJobs('twins', [[[0, 3]]]),
    modes: {
      offset: Int32Array.of(0, 2),
      machine: Int32Array.of(0, 0),
      duration: Int32Array.of(3, 3),
      chosen: Int32Array.of(1),
    },
  });
  const schedule = createSchedule(instance, Int32Array.of(4));
  expect(planFromSchedule(schedule).entries[0].mode).toBe(1);
  const { plan } = parsePlan(writePlanCsv(schedule), 'f', instance);
  expect(scheduleFromPlan(assignModes(instance, Int32Array.of(0)), plan).mode).toEqual(
    Int32Array.of(1),
  );
});

test('a mode that is no number is refused, unless the instance has no modes', () => {
  const text = 'job,step,machine,mode,start,end\n1,1,0,fast,0,3\n';
  expect(messageOf(() => parse(text))).toContain(
    'f:2: the mode is "fast"; give a mode as a number',
  );
  const classic = instanceFromJobs('classic', [[[0, 3]]]);
  expect(parsePlan(text, 'f', classic).plan.entries).toEqual([
    { job: 0, step: 0, machine: 0, start: 0, end: 3 },
  ]);
});
