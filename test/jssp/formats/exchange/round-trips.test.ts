import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instanceChecksum } from '../../../../src/jssp/checksum.js';
import {
  planFromJobShopLib,
  writeJobShopLibSchedule,
} from '../../../../src/jssp/formats/exchange/job-shop-lib-schedule.js';
import { writePyJobShopSolution } from '../../../../src/jssp/formats/exchange/pyjobshop-solution.js';
import { writeJobShopLib } from '../../../../src/jssp/formats/exchange/write-job-shop-lib.js';
import { writePyJobShop } from '../../../../src/jssp/formats/exchange/write-pyjobshop.js';
import { parseInstance } from '../../../../src/jssp/formats/read-instance.js';
import { parsePlan } from '../../../../src/jssp/formats/read-plan.js';
import { type Instance, replaceInstance } from '../../../../src/jssp/instance.js';
import { planFromSchedule, scheduleFromPlan } from '../../../../src/jssp/plan.js';
import { semiActive } from '../../../../src/jssp/timing.js';
import { validate } from '../../../../src/validator/index.js';
import { arbitraryInstanceAndSequences } from '../../../arbitraries.js';
import { anyShop } from '../../shops.js';
import { anyInstance } from '../arbitraries.js';

/** The losses that make another problem of an instance. */
const looser = (losses: readonly { effect: string; feature: string }[]) =>
  losses.filter(({ effect }) => effect === 'looser').map(({ feature }) => feature);

/** An instance without jobs that have no operations, which PyJobShop cannot have, and without frozen releases. */
const hasNoEmptyJob = ({ jobOffset }: Instance) =>
  jobOffset.every((offset, j) => j === 0 || offset > jobOffset[j - 1]);

test('an instance that PyJobShop can express survives it with the same checksum', () => {
  let count = 0;
  fc.assert(
    fc.property(anyInstance.filter(hasNoEmptyJob), (instance) => {
      const clean =
        instance.frozen === null ? instance : replaceInstance(instance, { release: null });
      const { text, losses } = writePyJobShop(clean);
      if (looser(losses).length > 0 || losses.some(({ note }) => /without tasks/.test(note)))
        return;
      count++;
      expect(instanceChecksum(parseInstance(text))).toBe(instanceChecksum(clean));
    }),
    { numRuns: 300 },
  );
  expect(count).toBeGreaterThan(30);
});

test('a shop that PyJobShop can express survives it with the same checksum', () => {
  let count = 0;
  fc.assert(
    fc.property(anyShop, (shop) => {
      const instance = replaceInstance(shop, { setups: null, transport: null });
      const { text, losses } = writePyJobShop(instance);
      if (looser(losses).length > 0) return;
      count++;
      expect(instanceChecksum(parseInstance(text))).toBe(instanceChecksum(instance));
    }),
    { numRuns: 200 },
  );
  expect(count).toBeGreaterThan(20);
});

test('an instance that job_shop_lib can express survives it with the same checksum', () => {
  fc.assert(
    fc.property(anyInstance, (instance) => {
      const parts = { weight: null, frozen: null, calendar: null };
      const clean = replaceInstance(
        instance,
        hasNoEmptyJob(instance) ? parts : { ...parts, due: null, deadline: null },
      );
      const { text, losses } = writeJobShopLib(clean);
      expect(looser(losses)).toEqual([]);
      expect(instanceChecksum(parseInstance(text))).toBe(instanceChecksum(clean));
    }),
  );
});

test('a semi-active schedule survives job_shop_lib, and other starts are reported as lost', () => {
  fc.assert(
    fc.property(
      arbitraryInstanceAndSequences({ releases: true }),
      fc.nat(5),
      ([any, sequences], delay) => {
        const instance = replaceInstance(any, { calendar: null, frozen: null });
        const early = semiActive(instance, sequences);
        const start = early.start.map((time) => time + delay);
        const schedule = scheduleFromPlan(instance, planFromSchedule({ ...early, start }));
        const { text, losses } = writeJobShopLibSchedule(schedule);
        const isLost = looser(losses).includes('start-times');
        if (isLost) return;
        const { plan } = planFromJobShopLib(JSON.parse(text));
        expect(scheduleFromPlan(instance, plan).start).toEqual(schedule.start);
        expect(validate(instance, plan).valid).toBe(validate(instance, schedule).valid);
      },
    ),
  );
});

test('a schedule survives PyJobShop, also in its own numbers of tasks and modes', () => {
  fc.assert(
    fc.property(arbitraryInstanceAndSequences(), ([instance, sequences]) => {
      const schedule = semiActive(instance, sequences);
      const { text } = writePyJobShopSolution(schedule);
      const { plan } = parsePlan(text, undefined, instance);
      expect(plan.entries).toEqual(planFromSchedule(schedule).entries);
    }),
  );
});
