import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { writeInstanceJson } from '../../../src/jssp/formats/instance-json.js';
import { parseInstance, readInstance } from '../../../src/jssp/formats/read-instance.js';
import { instanceName } from '../../../src/jssp/formats/source.js';
import { writeStandard } from '../../../src/jssp/formats/standard.js';
import {
  createInstance,
  type Instance,
  instanceFromJobs,
  replaceInstance,
} from '../../../src/jssp/instance.js';
import { arbitraryNamed } from '../../named-instances.js';
import { anyInstance, standardInstance } from './arbitraries.js';

const folder = mkdtempSync(join(tmpdir(), 'formats-'));
afterAll(() => rmSync(folder, { recursive: true }));

const parse = (text: string, name = 'any') => parseInstance(Buffer.from(text), { name });
const small = instanceFromJobs('any', [
  [
    [0, 3],
    [1, 2],
  ],
  [
    [1, 4],
    [0, 0],
  ],
]);

test('an instance with any attributes survives JSON unchanged', () => {
  fc.assert(
    fc.property(anyInstance, (instance) => {
      expect(parse(writeInstanceJson(instance), 'other')).toEqual(instance);
    }),
  );
});

test('an instance with names survives JSON unchanged', () => {
  fc.assert(
    fc.property(arbitraryNamed(anyInstance), (instance) => {
      const text = writeInstanceJson(instance);
      expect(parse(text, 'other')).toEqual(instance);
    }),
  );
});

test('an instance without attributes survives the standard format unchanged', () => {
  fc.assert(
    fc.property(standardInstance, fc.array(fc.string()), (instance, comment) => {
      expect(parse(writeStandard(instance, comment))).toEqual(instance);
    }),
  );
});

test('an instance survives the standard format wrapped, indented and with Windows line ends', () => {
  fc.assert(
    fc.property(
      standardInstance,
      fc.infiniteStream(fc.integer({ min: 0, max: 3 })),
      (instance, dice) => {
        const [head, ...jobs] = writeStandard(instance).trimEnd().split('\n');
        const gaps = [' ', '\t ', '\r\n  ', '\n# a comment, -1 -1\n'];
        const loose = jobs.map((job) => job.replace(/ /g, () => gaps[dice.next().value]));
        expect(parse(`\uFEFF${[head, ...loose].join('\r\n\r\n')}`)).toEqual(instance);
      },
    ),
  );
});

test("an instance survives Taillard's format unchanged", () => {
  fc.assert(
    fc.property(standardInstance, (instance) => {
      expect(parse(taillardText(instance))).toEqual(instance);
    }),
  );
});

test("an instance of any job lengths survives Da Col and Teppan's format unchanged", () => {
  fc.assert(
    fc.property(anyInstance, (any) => {
      const { machines, jobOffset, machine, duration } = any;
      const instance = createInstance({ name: 'any', machines, jobOffset, machine, duration });
      expect(parse(dacolTeppanText(instance))).toEqual(instance);
    }),
  );
});

test("Taillard's own header is understood: title, seeds and bounds", () => {
  const header = 'Nb of jobs, Nb of Machines, Time seed, Machine seed, Upper bound, Lower bound';
  const text = taillardText(small).replace(
    '2 2',
    `${header}\n  2  2  840612802 3981977540 1359 1254`,
  );
  expect(parse(text)).toEqual(small);
});

test('only text outside of comments determines the format', () => {
  expect(parse('# Times and Machines\n# -1 -1\n2 2\n0 3 1 2 # -1 -1\n1 4 0 0\n')).toEqual(small);
  expect(parse('# Times\n2 2\n0 3 1 2 -1 -1\n1 4 0 0\t-1   -1\n')).toEqual(small);
});

test('a job release is the release of its first operation, and the later of both counts', () => {
  const operation = { machine: 0, duration: 1 };
  const read = (release: object, first: object) =>
    parse(
      JSON.stringify({
        schema: 'alas-jssp/instance@1',
        machines: 1,
        jobs: [{ ...release, operations: [{ ...operation, ...first }, operation] }],
      }),
    ).release;
  expect(read({ release: 5 }, {})).toEqual(Int32Array.of(5, 0));
  expect(read({ release: 5 }, { release: 7 })).toEqual(Int32Array.of(7, 0));
  expect(read({ release: 5 }, { release: 2 })).toEqual(Int32Array.of(5, 0));
  expect(read({ release: 0 }, {})).toBeNull();
});

test('downtimes may be listed in any order', () => {
  const calendar = {
    offset: Int32Array.of(0, 2, 3),
    from: Int32Array.of(1, 5, 0),
    to: Int32Array.of(4, 6, 2),
    resumable: Uint8Array.of(1, 0, 0),
  };
  const instance = replaceInstance(small, { calendar });
  const document = JSON.parse(writeInstanceJson(instance));
  document.downtimes.reverse();
  expect(parse(JSON.stringify(document))).toEqual(instance);
});

test('a file is read plain or packed, and named without folder and endings', () => {
  const plain = join(folder, 'ta01.txt');
  const packed = join(folder, 'ta01.JSP.gz');
  writeFileSync(plain, writeStandard(small, ['a comment']));
  writeFileSync(packed, gzipSync(writeStandard(small)));
  const expected = replaceInstance(small, { name: 'ta01' });
  expect(readInstance(plain)).toEqual(expected);
  expect(readInstance(packed)).toEqual(expected);
});

test('a JSON instance is called after its file, and only without one after the name inside', () => {
  const file = join(folder, 'file.json');
  const text = writeInstanceJson(small);
  writeFileSync(file, text);
  expect(readInstance(file).name).toBe('file');
  expect(parseInstance(Buffer.from(text), { name: 'given' }).name).toBe('any');
  const nameless = Buffer.from(text.replace('"name":"any",', ''));
  expect(parseInstance(nameless, { name: 'given' }).name).toBe('given');
});

test('an instance is parsed from a text as from its bytes, with or without a word of its source', () => {
  const standard = writeStandard(small);
  expect(parseInstance(standard)).toEqual(replaceInstance(small, { name: 'instance' }));
  expect(parseInstance(writeInstanceJson(small))).toEqual(small);
  expect(parseInstance(standard, { file: 'a/b.txt' }).name).toBe('b');
  expect(parseInstance(standard, { name: 'given' })).toEqual(
    parseInstance(Buffer.from(standard), { name: 'given' }),
  );
  expect(() => parseInstance('')).toThrow('the file is empty');
  expect(() => parseInstance({} as string)).toThrow('this is no text (object); give a string');
});

test.each([
  ['a/ta01.txt', 'ta01'],
  ['ta01.jssp.gz', 'ta01'],
  ['v1.2.std', 'v1.2'],
  ['x.data', 'x.data'],
  ['.json', '.json'],
])('the instance in %s is called %s', (path, name) => {
  expect(instanceName(path)).toBe(name);
});

test('a million operations are written and read back', () => {
  const jobOffset = Int32Array.from({ length: 1001 }, (_, j) => j * 1000);
  const machine = Int32Array.from({ length: 1_000_000 }, (_, op) => (op * 7919) % 1000);
  const duration = machine.map((k, op) => (k + op) % 100);
  const instance = createInstance({ name: 'any', machines: 1000, jobOffset, machine, duration });
  const same = (other: Instance) =>
    Buffer.compare(Buffer.from(other.machine.buffer), Buffer.from(machine.buffer)) === 0 &&
    Buffer.compare(Buffer.from(other.duration.buffer), Buffer.from(duration.buffer)) === 0;
  expect(same(parse(writeStandard(instance)))).toBe(true);
  expect(same(parse(writeInstanceJson(instance)))).toBe(true);
});

function taillardText({ jobs, machines, machine, duration }: Instance): string {
  const rows = (numbers: Int32Array) =>
    Array.from({ length: jobs }, (_, j) =>
      numbers.subarray(j * machines, (j + 1) * machines).join(' '),
    ).join('\n');
  return `${jobs} ${machines}\nTimes\n${rows(duration)}\nMachines\n${rows(machine.map((k) => k + 1))}\n`;
}

function dacolTeppanText({ jobs, machines, jobOffset, machine, duration }: Instance): string {
  const lines = Array.from({ length: jobs }, (_, j) => {
    let line = '';
    for (let op = jobOffset[j]; op < jobOffset[j + 1]; op++)
      line += `${machine[op]}\t${duration[op]}\t`;
    return `${line}-1 -1`;
  });
  return `${jobs} ${machines}\n${lines.join('\n')}`;
}
