import { createRandom, type Random } from '@alas-jssp/core/random';
import { deriveSeed } from '@alas-jssp/core/seed';
import { describe, expect, it } from 'vitest';
import { writePlanJson } from '../../src/jssp/formats/plan-json.js';
import { parsePlan } from '../../src/jssp/formats/read-plan.js';
import type { Instance } from '../../src/jssp/instance.js';
import type { Schedule } from '../../src/jssp/schedule.js';
import { boundsFor, resolveSources } from '../../src/jssp/suites.js';
import { dispatchBest } from '../../src/search/construct/dispatch.js';
import { insertion } from '../../src/search/construct/insertion.js';
import { validate } from '../../src/validator/index.js';

/** A plan file as JSON parses it. */
interface PlanDocument {
  makespan: number;
  entries: { job: string; step: number; machine: string; start: number; end: number }[];
}

const planners: Record<string, (instance: Instance) => Schedule> = {
  'dispatch:best': (instance) => dispatchBest(instance).schedule,
  insertion,
};

const fields = ['job', 'step', 'machine', 'start', 'end', 'makespan'] as const;

/** The fields to change: in large plans half of them for each planner, all of them between the two. */
function fieldsFor(name: string, { operations }: Instance) {
  if (operations <= 400) return fields;
  return fields.filter((_, index) => (index % 2 === 0) === (name === 'insertion'));
}
const sources = resolveSources('all');

/**
 * Changes one number of a plan file to another one. All of these break a rule, for a plan says
 * everything twice: what an operation loses another one gains, and an end follows from a start.
 */
function changeOne(document: PlanDocument, field: (typeof fields)[number], random: Random): void {
  const shift = (number: number) => {
    const by = random.integer(1, 40);
    return random.integer(0, 1) === 0 && number >= by ? number - by : number + by;
  };
  const relabel = (label: string) => label.replace(/\d+/, (digits) => `${shift(Number(digits))}`);
  if (field === 'makespan') {
    document.makespan = shift(document.makespan);
    return;
  }
  const entry = document.entries[random.integer(0, document.entries.length - 1)];
  if (field === 'job' || field === 'machine') entry[field] = relabel(entry[field]);
  else entry[field] = shift(entry[field]);
}

describe.each(Object.entries(planners))('the saved schedule of %s', (name, plan) => {
  it('is accepted for all 242 instances, and refused after any single number is changed', () => {
    expect(sources).toHaveLength(242);
    for (const source of sources) {
      const instance = source.load();
      const bounds = boundsFor(instance);
      const bound = { value: bounds?.lower ?? 0, source: 'literature' };
      const text = writePlanJson(plan(instance));
      const judge = (content: string) =>
        validate(instance, parsePlan(Buffer.from(content), source.name).plan, { bound }).valid;
      if (!judge(text)) expect.fail(`${name} makes no valid plan for ${source.name}`);
      const random = createRandom(deriveSeed('single number', source.name, name));
      for (const field of fieldsFor(name, instance)) {
        const document = JSON.parse(text) as PlanDocument;
        changeOne(document, field, random);
        const changed = JSON.stringify(document);
        if (judge(changed)) expect.fail(`a changed ${field} in ${source.name} is accepted`);
      }
    }
  });
});
