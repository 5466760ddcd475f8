import { createRandom } from '@alas-jssp/core/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCalendar } from '../../../src/jssp/calendar.js';
import { generateTaillard } from '../../../src/jssp/generator.js';
import { instanceFromJobs, replaceInstance } from '../../../src/jssp/instance.js';
import type { PlanEntry } from '../../../src/jssp/plan.js';
import { decodePlan } from '../../../src/llm/decoding/decode-plan.js';
import { validate } from '../../../src/validator/index.js';
import { mutate, writings, writtenEntries } from './plan-texts.js';

const instance = generateTaillard({ jobs: 4, machines: 3, timeSeed: 1, machineSeed: 2 });
const texts = writings(instance);
const shop = instanceFromJobs('shop', [
  [
    [0, 30],
    [1, 40],
  ],
  [
    [1, 20],
    [0, 10],
  ],
]);

/** The five numbers of entries, sorted. */
function numbers(entries: readonly PlanEntry[]): string[] {
  return entries
    .map(({ job, step, machine, start, end }) => [job, step, machine, start, end].join(' '))
    .toSorted();
}

function decoded(text: string): string[] {
  return numbers(decodePlan(text, shop).plan.entries);
}

/** How often a kind of thing was ignored. */
function ignored(text: string, kind: string): number {
  const items = decodePlan(text, shop).ignored.filter((item) => item.kind === kind);
  return items.reduce((sum, { count }) => sum + count, 0);
}

const lines = (...list: string[]) => list.join('\n');
const ANSWER = lines(
  '- Job: Job1, Step: 1, Machine: Machine0, Start Time: 0, End Time: 30, Duration: 30',
  '- Job: Job1, Step: 2, Machine: Machine1, Start Time: 30, End Time: 70, Duration: 40',
);
const ANSWERED = ['0 0 0 0 30', '0 1 1 30 70'];

describe('decodePlan reads a whole plan', () => {
  for (const [name, text] of Object.entries(texts)) {
    it(`written as ${name}`, () => {
      const { plan, candidates } = decodePlan(text, instance);
      expect(numbers(plan.entries)).toEqual(numbers(writtenEntries(instance)));
      expect(candidates).toMatchObject({ found: 1, chosen: 0 });
      expect(validate(instance, { entries: plan.entries }).valid).toBe(true);
    });
  }

  it('without knowing the instance, where the text says it all', () => {
    const { plan } = decodePlan(texts['paper lines']);
    expect(numbers(plan.entries)).toEqual(numbers(writtenEntries(instance)));
  });

  it('and says where each entry stands', () => {
    const text = texts['paper lines'];
    for (const { job, step, place } of decodePlan(text, instance).plan.entries) {
      const said = text.slice(place.offset, place.end);
      expect(said).toContain(`Job${job + 1}, Step: ${step + 1}`);
      expect(text.split('\n')[place.line - 1]).toContain(said);
    }
  });

  it('with the makespan that it claims', () => {
    expect(decodePlan(texts['paper lines'], instance).claimedMakespan).toBe(99);
    expect(decodePlan(texts['pretty json'], instance).plan.makespan).toBe(99);
    expect(decodePlan('**FINAL MAKESPAN: 1,300**').claimedMakespan).toBe(1300);
    expect(decodePlan('FINAL MAKESPAN: [value]').claimedMakespan).toBeNull();
    expect(decodePlan('The best known makespan is 55.').claimedMakespan).toBeNull();
  });
});

describe('decodePlan takes claims as they are', () => {
  it('false machines and durations included', () => {
    expect(decoded('Job 2, Step 1: Machine 7, Start: 5, End: 6')).toEqual(['1 0 7 5 6']);
  });

  it('fills in what is missing from what is said, and marks it', () => {
    const { entries } = decodePlan('Job 1, Step 2: start 30', shop).plan;
    expect(entries).toMatchObject([{ machine: 1, start: 30, end: 70, filled: ['machine', 'end'] }]);
    expect(decodePlan('**Machine 0:**\n- Job 2: 20-30', shop).plan.entries).toMatchObject([
      { job: 1, step: 1, machine: 0, filled: ['step'] },
    ]);
  });

  it('finds the job of rows before the first heading, if they fit only one', () => {
    const text = lines(
      '- Op1: Machine1 (0-20)',
      '- Op2: Machine0 (30-40)',
      '',
      'Job 1:',
      '- Op1: M0 (0-30)',
    );
    const { entries } = decodePlan(text, shop).plan;
    expect(numbers(entries)).toEqual(['0 0 0 0 30', '1 0 1 0 20', '1 1 0 30 40']);
    expect(entries[0].filled).toEqual(['job']);
    expect(decoded(lines('- Op1: Machine1 (0-20)', '- Op2: Machine0 (30-41)'))).toEqual([]);
  });

  it('counts from 0, or machines from 1, where the instance proves it', () => {
    const row = (job: number, step: number, machine: number, start: number, end: number) =>
      `{"job":${job},"step":${step},"machine":${machine},"start":${start},"end":${end}}`;
    const whole = ['0 0 0 0 30', '0 1 1 30 70', '1 0 1 0 20', '1 1 0 30 40'];
    expect(
      decoded(
        lines(row(0, 0, 0, 0, 30), row(0, 1, 1, 30, 70), row(1, 0, 1, 0, 20), row(1, 1, 0, 30, 40)),
      ),
    ).toEqual(whole);
    expect(
      decoded(
        lines(row(1, 1, 1, 0, 30), row(1, 2, 2, 30, 70), row(2, 1, 2, 0, 20), row(2, 2, 1, 30, 40)),
      ),
    ).toEqual(whole);
  });

  it('drops a time of more groups of digits than any time has, and does not cut it', () => {
    expect(decoded('Job1, Step 2, M1, Start: 1,234,567,890,123, End: 1,234,567,890,163')).toEqual(
      [],
    );
    expect(decoded('Job1, Step 2, M1, Start: 1,234,567, End: 1,234,607')).toEqual([
      '0 1 1 1234567 1234607',
    ]);
  });

  it('reads thousands separators and decimals that are whole', () => {
    expect(decoded('Job1, Step 2, M1, Start: 1,030.0, End: 1,070')).toEqual(['0 1 1 1030 1070']);
  });
});

describe('decodePlan keeps what is complete of a text that breaks off', () => {
  it('in JSON', () => {
    const text = '[{"job":1,"step":1,"machine":0,"start":0,"end":30},{"job":1,"step":2,"start":3';
    expect(decoded(text)).toEqual(['0 0 0 0 30']);
    expect(ignored(text, 'cut_off')).toBe(1);
  });

  it('in lines, where a number at the end may be the half of one', () => {
    expect(decoded(`${ANSWER}\n- Job: Job2, Step: 1, Machine: Machine1, Start Time: 1`)).toEqual(
      ANSWERED,
    );
    const text = `${ANSWER}\n- Job: Job2, Step: 1, Machine: Machine1, Start Time: 12, End Time: 3`;
    expect(decodePlan(text, shop).plan.entries.at(-1)).toMatchObject({
      start: 12,
      end: 32,
      filled: ['end'],
    });
    expect(decodePlan(`${text}5`, shop).plan.entries.at(-1)).toMatchObject({ end: 35 });
  });
});

describe('decodePlan invents nothing', () => {
  it('from a text without a schedule', () => {
    for (const text of ['', 'I cannot do that: 300 operations, 15 machines.', '[1, 2, 3]', '{}']) {
      expect(decodePlan(text, shop).plan.entries).toEqual([]);
    }
  });

  it('from ellipses, ranges and promises', () => {
    const text = lines(ANSWER, '- ...', '- Steps 2-5 follow: 40-90', '[Continuing for Jobs 3-9]');
    expect(decoded(text)).toEqual(ANSWERED);
    expect(ignored(text, 'ellipsis')).toBe(1);
    expect(ignored(text, 'range')).toBe(1);
  });

  it('from placeholders, letters and times of day', () => {
    expect(decoded('Job1, Step 1, Machine0, Start Time: [start], End Time: [end]')).toEqual([]);
    expect(decoded('Job1, Step 1, Machine A, Start: 0, End: 5')).toEqual([]);
    expect(decoded('Job1, Step 1, Machine 0, Start: 8:00, End: 9:30')).toEqual([]);
    expect(decoded('**Machine 0:**\n- Job 1: 0h - 3h')).toEqual([]);
  });

  it('from the data of the instance, in words or in code', () => {
    const text = lines(
      'Job1:',
      '  Step 1: Machine Machine0, Duration 30',
      "x = {'machine': 0, 'duration': 3}",
    );
    expect(decoded(text)).toEqual([]);
    expect(ignored(text, 'no_start')).toBe(2);
  });

  it('from an example of the format', () => {
    const example = lines(
      'Example format:',
      '- Job: Job1, Step: 1, Machine: Machine1, Start Time: 0, End Time: 3, Duration: 3',
    );
    expect(decoded(example)).toEqual([]);
    expect(decoded(`${example}\n\nMy answer:\n${ANSWER}`)).toEqual(ANSWERED);
    expect(decoded(`${ANSWER}\n\n${example}`)).toEqual(ANSWERED);
  });

  it('from the order of a few jobs on one machine', () => {
    expect(decoded('Machine 0: Job 1')).toEqual([]);
    expect(decodePlan(texts.sequences).ignored[0]).toMatchObject({ kind: 'needs_instance' });
  });
});

describe('decodePlan chooses among several schedules', () => {
  const complete = (shift: number) =>
    lines(
      `Job1 Step1 M0 ${shift}-${shift + 30}`,
      `Job1 Step2 M1 ${shift + 30}-${shift + 70}`,
      `Job2 Step1 M1 ${shift}-${shift + 20}`,
      `Job2 Step2 M0 ${shift + 30}-${shift + 40}`,
    );

  it('the last complete one', () => {
    const text = lines('First:', complete(0), 'Better:', complete(5), 'In short:', ANSWER);
    const { plan, candidates } = decodePlan(text, shop);
    expect(plan.entries.map(({ start }) => start)).toEqual([5, 35, 5, 35]);
    expect(candidates).toEqual({ found: 3, chosen: 1, why: 'it is the last complete one' });
    expect(ignored(text, 'other_schedule')).toBe(6);
  });

  it('or else the one with the most entries, but never joins what different agents say', () => {
    const text = lines(
      'Job Scheduler Agent: a draft',
      ANSWER,
      'Supervisor Agent: the first operation of job 2',
      'Job 2, Step 1: Machine 1, Start: 0, End: 20',
    );
    expect(decoded(text)).toEqual(ANSWERED);
  });

  it('but not what the user says', () => {
    expect(decoded(lines('User:', ANSWER, 'Assistant: I cannot.'))).toEqual([]);
  });
});

describe('decodePlan on any text', () => {
  const check = (text: string) => {
    const { plan, ignored: passed } = decodePlan(text, instance);
    validate(instance, plan);
    for (const { place } of plan.entries) {
      expect(place.offset).toBeGreaterThanOrEqual(0);
      expect(place.end).toBeGreaterThan(place.offset);
      expect(place.end).toBeLessThanOrEqual(text.length);
    }
    expect(passed.every(({ count, line }) => count > 0 && line > 0)).toBe(true);
  };

  it('never throws, and says only what stands there', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), check), { numRuns: 1000 });
    fc.assert(
      fc.property(fc.integer(), (seed) => check(mutate(texts, createRandom(seed)))),
      { numRuns: 3000 },
    );
  });

  it('takes no more than linear time for what could make it slow', () => {
    const endless = [
      '{"a":',
      '[',
      '(',
      'Job 1 (',
      "{'",
      '","\\',
      '1,234',
      'Start ',
      '| 1 ',
      'M1: 1, ',
    ];
    for (const part of endless) check(part.repeat(20_000));
  });
});

describe('decodePlan times machine orders', () => {
  const order = (text: string) => numbers(decodePlan(text, shop).plan.entries);

  it('also of machines that do one job, if they are named beside it', () => {
    const one =
      '{"sequences":[{"machine":"Machine0","jobs":[1,2]},{"machine":"Machine1","jobs":[2]}]}';
    expect(order(one)).toEqual(['0 0 0 0 30', '1 0 1 0 20', '1 1 0 30 40']);
    expect(order('{"Machine0":[1,2],"Machine1":[2]}')).toEqual(['0 0 0 0 30', '1 1 0 30 40']);
  });

  it('also if times that name no operation stand before them', () => {
    const text =
      'Machine0: 3 to 10\n{"sequences":[{"machine":"M0","jobs":[1,2]},{"machine":"M1","jobs":[2,1]}]}';
    expect(order(text)).toHaveLength(4);
  });

  it('around downtimes and releases', () => {
    const calendar = createCalendar(2, [
      { machine: 0, from: 5, to: 10, resumable: true },
      { machine: 1, from: 15, to: 25, resumable: false },
    ]);
    const release = Int32Array.of(0, 0, 2, 50);
    const { plan } = decodePlan(
      '{"sequences":[{"machine":"M0","jobs":[1,2]},{"machine":"M1","jobs":[2,1]}]}',
      replaceInstance(shop, { calendar, release }),
    );
    expect(numbers(plan.entries)).toEqual([
      '0 0 0 0 35',
      '0 1 1 45 85',
      '1 0 1 25 45',
      '1 1 0 50 60',
    ]);
  });
});
