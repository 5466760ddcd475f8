import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Instance, instanceFromJobs, replaceInstance } from '../../../src/jssp/instance.js';
import { planFromSchedule } from '../../../src/jssp/plan.js';
import { decodePlan } from '../../../src/llm/decoding/decode-plan.js';
import { planFormats } from '../../../src/llm/prompts/formats.js';
import { writeShop } from '../../../src/llm/prompts/shop.js';
import { dispatch } from '../../../src/search/index.js';
import { arbitraryInstance } from '../../arbitraries.js';
import { readShop } from '../read-shop.js';

const everything = {
  releases: true,
  dueDates: true,
  weights: true,
  deadlines: true,
  downtimes: true,
};

/** All that a prompt can say; jobs after the last one with operations cannot be told from none. */
function said(instance: Instance) {
  const { machines, machine, duration, release, frozen, calendar, jobOf } = instance;
  const jobs = (jobOf.at(-1) ?? -1) + 1;
  const isThere = (job: number) => instance.jobOffset[job] < instance.jobOffset[job + 1];
  const perJob = (times: Int32Array | null, none: number) =>
    Array.from({ length: jobs }, (_, job) => (isThere(job) ? (times?.[job] ?? none) : none));
  const due = perJob(instance.due, -1);
  return {
    ...{ machines, machine, duration, release, frozen, calendar },
    jobOffset: Array.from(instance.jobOffset).slice(0, jobs + 1),
    due,
    weight: perJob(instance.weight, 1).map((weight, job) => (due[job] < 0 ? 1 : weight)),
    deadline: perJob(instance.deadline, -1),
  };
}

describe('writeShop', () => {
  it('says all there is to know about an instance', () => {
    fc.assert(
      fc.property(arbitraryInstance(everything), fc.boolean(), (instance, hasFrozen) => {
        fc.pre(instance.operations > 0);
        const frozen = hasFrozen ? instance.machine.map((k, op) => (op % 3) - 1 + k) : null;
        const shop = replaceInstance(instance, { frozen });
        expect(said(readShop(writeShop(shop, false)))).toEqual(said(shop));
      }),
    );
  });

  it('says only what applies', () => {
    const plain = instanceFromJobs('plain', [[[0, 3]], [[1, 4]]]);
    expect(writeShop(plain, false)).toMatchInlineSnapshot(`
      "A job shop: 2 operations of 2 jobs on the machines Machine0 to Machine1.

      The jobs, each with its operations in the order in which they must be done, first the machine, then the duration:
      Job1: M0 3
      Job2: M1 4

      Rules: an operation starts when the one before it in its job has ended, or later. A machine does one operation at a time. An operation that has started runs for its whole duration. Times are whole numbers from 0. The aim is that the last operation ends as early as possible."
    `);
    expect(writeShop(plain, true)).toContain('some of the jobs of a larger shop');
  });

  it('is never taken for an answer, nor in the way of one', () => {
    fc.assert(
      fc.property(arbitraryInstance(everything), fc.boolean(), (instance, isPart) => {
        for (const { plain, write } of Object.values(planFormats)) {
          const prompt = `${writeShop(instance, isPart)}\n\n${plain}`;
          expect(decodePlan(prompt, instance).plan.entries).toEqual([]);
          const shop = replaceInstance(instance, { deadline: null });
          const text = write(planFromSchedule(dispatch(shop, { rule: 'mwkr' })).entries);
          const claims = (answer: string) =>
            decodePlan(answer, instance).plan.entries.map(({ job, step, machine, start, end }) => {
              return { job, step, machine, start, end };
            });
          expect(claims(`${prompt}\n\n${text}`)).toEqual(claims(text));
        }
      }),
    );
  });
});
