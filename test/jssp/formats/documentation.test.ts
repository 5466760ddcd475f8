import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { detectFormat, parseInstance } from '../../../src/jssp/formats/read-instance.js';
import { parsePlan } from '../../../src/jssp/formats/read-plan.js';
import { instanceFromJobs } from '../../../src/jssp/instance.js';

const page = readFileSync(new URL('../../../docs/reference/formats.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/^```([a-z-]+)\n(.*?)^```$/gms)].map(([, format, text]) => ({
  format,
  bytes: Buffer.from(text),
}));

test.each(['standard', 'taillard', 'dacol-teppan'])(
  'the %s example of the documentation is recognized and is the instance it should be',
  (format) => {
    const [{ bytes }] = examples.filter((example) => example.format === format);
    expect(detectFormat(bytes)).toBe(format);
    expect(parseInstance(bytes, { name: 'x' })).toEqual(
      instanceFromJobs('x', [
        [
          [0, 29],
          [1, 78],
        ],
        [
          [1, 43],
          [0, 90],
        ],
      ]),
    );
  },
);

test('the JSON example of the documentation has everything an instance can have', () => {
  const [{ bytes }] = examples.filter(({ format }) => format === 'json');
  expect(parseInstance(bytes, { name: 'x' })).toMatchObject({
    name: 'tiny',
    jobs: 2,
    release: Int32Array.of(5, 0, 20),
    due: Int32Array.of(150, -1),
    weight: Int32Array.of(4, 1),
    deadline: Int32Array.of(-1, 300),
    frozen: Int32Array.of(5, -1, -1),
    calendar: { offset: Int32Array.of(0, 0, 1), resumable: Uint8Array.of(1) },
  });
});

test('the REALM-Bench example of the documentation has machines and operations from 1', () => {
  const [{ bytes }] = examples.filter(({ format }) => format === 'realm');
  const shop = instanceFromJobs('small', [
    [
      [1, 29],
      [2, 78],
    ],
    [[1, 43]],
  ]);
  expect(parseInstance(bytes)).toEqual(shop);
});

test('the JSON and the CSV plan of the documentation are the same', () => {
  const [json, csv] = examples
    .filter(({ format }) => format === 'plan')
    .map(({ bytes }) => parsePlan(bytes));
  expect(json.instance).toBe('tiny');
  expect(json.plan).toEqual({ ...csv.plan, makespan: 107 });
  expect(csv.plan.entries).toEqual([
    { job: 0, step: 0, machine: 0, start: 0, end: 29 },
    { job: 0, step: 1, machine: 1, start: 29, end: 107 },
  ]);
});

test('the .fjs example of the documentation has one operation with an alternative', () => {
  const [{ bytes }] = examples.filter(({ format }) => format === 'fjs');
  const { modes, machine } = parseInstance(bytes, { file: 'x.txt' });
  expect(modes?.offset).toEqual(Int32Array.of(0, 2, 3, 4));
  expect([...machine]).toEqual([0, 1, 1]);
});

test('the shop of the documentation has every part', () => {
  const [{ bytes }] = examples.filter(({ format }) => format === 'shop');
  const { modes, setups, transport, precedence, resources } = parseInstance(bytes);
  for (const part of [modes, setups, transport, precedence, resources]) expect(part).not.toBeNull();
  expect(resources?.names).toEqual(['Ana', 'fitters']);
  expect(precedence?.maxLag).toEqual(Int32Array.of(-1, 60));
});
