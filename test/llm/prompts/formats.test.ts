import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instanceFromJobs } from '../../../src/jssp/instance.js';
import { type PlanEntry, planFromSchedule, scheduleFromPlan } from '../../../src/jssp/plan.js';
import { semiActive } from '../../../src/jssp/timing.js';
import { decodePlan } from '../../../src/llm/decoding/decode-plan.js';
import type { PlanFormat } from '../../../src/llm/planner-spec.js';
import { planFormats, planShape } from '../../../src/llm/prompts/formats.js';
import { isFeasible } from '../../../src/validator/index.js';
import { arbitraryInstanceAndSequences } from '../../arbitraries.js';

const shops = arbitraryInstanceAndSequences({ releases: true, downtimes: true });

const numbers = (entries: readonly PlanEntry[]) =>
  entries
    .map(({ job, step, machine, start, end }) => [job, step, machine, start, end].join(' '))
    .toSorted();

/** How a model may write an answer: as it was told, or loosely, or as a member of an object. */
const dresses: Record<PlanFormat, Record<string, (text: string) => string>> = {
  entries: {
    'as it is': (text) => text,
    'with blanks': (text) => JSON.stringify(JSON.parse(text), null, 2),
    'in a fence': (text) => `Here it is:\n\n\`\`\`json\n${text}\n\`\`\``,
  },
  csv: {
    'as it is': (text) => text,
    'in a fence': (text) => `Here it is:\n\n\`\`\`csv\n${text}\n\`\`\``,
    'as a member': (text) => JSON.stringify({ csv: `${text}\n` }),
    'as the second member': (text) => JSON.stringify({ next: 'nobody', csv: text }, null, 1),
  },
  sequences: {
    'as it is': (text) => text,
    'with blanks': (text) => JSON.stringify(JSON.parse(text), null, 2),
    'in a fence': (text) => `Here it is:\n\n\`\`\`json\n${text}\n\`\`\``,
  },
};

for (const [name, { write, read }] of Object.entries(planFormats)) {
  describe(`the format ${name}`, () => {
    for (const [how, dress] of Object.entries(dresses[name as PlanFormat])) {
      it(`is decoded without loss, written ${how}`, () => {
        fc.assert(
          fc.property(shops, ([instance, sequences]) => {
            const schedule = semiActive(instance, sequences);
            const { entries } = planFromSchedule(schedule);
            const decoded = decodePlan(read(dress(write(entries))), instance).plan;
            expect(numbers(decoded.entries)).toEqual(numbers(entries));
            expect(isFeasible(instance, scheduleFromPlan(instance, decoded).start)).toBe(true);
          }),
        );
      });
    }

    it('has a shape that allows nothing else', () => {
      const { schema } = planShape(name as PlanFormat, { next: { type: 'string' } });
      expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(schema.required).toEqual([expect.any(String), 'next']);
      const members = Object.keys(planFormats[name as PlanFormat].members);
      expect(schema.required).toEqual([...members, 'next']);
    });
  });
}

it('reads the rows of an object that breaks off', () => {
  const { entries } = decodePlan(
    planFormats.csv.read('{"csv":"job,step,machine,start,end\\n1,1,0,0,5\\n1,2,1,5,9\\n2,1,'),
  ).plan;
  expect(numbers(entries)).toEqual(['0 0 0 0 5', '0 1 1 5 9']);
});

it('times sequences around frozen starts', () => {
  const shop = { ...instanceFromJobs('shop', [[[0, 5]], [[0, 5]]]), frozen: Int32Array.of(-1, 3) };
  const { entries } = decodePlan('{"sequences":[{"machine":"Machine0","jobs":[2,1]}]}', shop).plan;
  expect(numbers(entries)).toEqual(['0 0 0 8 13', '1 0 0 3 8']);
});
