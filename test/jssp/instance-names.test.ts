import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { instanceChecksum } from '../../src/jssp/checksum.js';
import { parseInstance } from '../../src/jssp/formats/read-instance.js';
import { type Instance, replaceInstance } from '../../src/jssp/instance.js';
import type { InstanceNames } from '../../src/jssp/instance-names.js';
import { labelsOf } from '../../src/jssp/labels.js';
import { describeOperation, wordsOf } from '../../src/jssp/words.js';
import { nameAll } from '../named-instances.js';
import { anyInstance } from './formats/arbitraries.js';

const plain = parseInstance('2 2\n0 29 1 78\n1 43 0 90\n');
const none: InstanceNames = { jobs: null, machines: null, operations: null };
const name = (names: Partial<InstanceNames>): Instance =>
  replaceInstance(plain, { names: { ...none, ...names } });

describe('names of an instance', () => {
  it.each<[string, Partial<InstanceNames>, string]>([
    [
      'of another number of jobs',
      { jobs: ['a'] },
      'there are 1 names of jobs; give 2, "" where there is none',
    ],
    [
      'that are twins',
      { machines: ['a', 'a'] },
      'the machines 0 and 1 are both called "a"; use distinct names',
    ],
    [
      'like the label of another job',
      { jobs: ['Job2', ''] },
      'the job 1 is called "Job2", which reads like another one; use another name, or "Job1"',
    ],
    [
      'like the words for another machine',
      { machines: ['', 'machine 0'] },
      'the machine 1 is called "machine 0", which reads like another one; use another name, or "Machine1"',
    ],
    [
      'like another step',
      { operations: ['Step 2', '', '', ''] },
      'the step 1 is called "Step 2", which reads like another one; use another name, or "Step1"',
    ],
    [
      'with a line break',
      { jobs: ['a\nb', ''] },
      'the name "a\\nb" has a character that cannot be seen; use letters, digits, signs and spaces',
    ],
    [
      'that turn what follows round',
      { jobs: ['a\u202eb', ''] },
      'the name "a\\u{202e}b" has a character that cannot be seen; use letters, digits, signs and spaces',
    ],
    [
      'with a space around',
      { jobs: [' a', ''] },
      'the name " a" begins or ends with a space; leave it out',
    ],
    [
      'that are too long',
      { jobs: ['a'.repeat(201), ''] },
      `the name "${'a'.repeat(60)}…" has 201 characters; use at most 200`,
    ],
  ])('%s are refused', (_, names, message) => {
    expect(() => name(names)).toThrow(message);
  });

  it('of steps may be alike, unless a third is called like the second of them', () => {
    const job = parseInstance('1 3\n0 1 1 2 2 3\n');
    const called = (...operations: string[]) =>
      replaceInstance(job, { names: { ...none, operations } });
    const shop = called('turning', 'milling', 'turning');
    expect(shop.names?.operations).toEqual(['turning', 'milling', 'turning']);
    const labels = labelsOf(shop);
    expect([0, 1, 2].map((step) => labels.step(0, step))).toEqual([
      'turning (1)',
      'milling',
      'turning (2)',
    ]);
    expect(wordsOf(shop).operation(2)).toBe('job 1, turning (2)');
    expect(labels.findStep(0, 'turning (2)')).toEqual({ index: 2 });
    expect(labels.findStep(0, 'turning')).toEqual({
      hint: 'say which: turning (1), turning (2)',
      alike: 2,
    });
    expect(() => called('turning', 'turning (2)', 'turning')).toThrow(
      'the step 2 is called "turning (2)", as is one of the 2 steps called "turning"; use distinct names',
    );
  });

  it('may be alike in different jobs, and the own label', () => {
    const names = { ...none, jobs: ['Job1', ''], operations: ['turn', '', 'turn', 'step 2'] };
    // A step that is called by its number goes by it.
    expect(name(names).names).toEqual({ ...names, operations: ['turn', '', 'turn', ''] });
  });

  it('are none if all are empty', () => {
    expect(name({ jobs: ['', ''] }).names).toBeNull();
  });

  it('do not change the checksum', () => {
    fc.assert(
      fc.property(anyInstance, (instance) => {
        expect(instanceChecksum(nameAll(instance))).toBe(instanceChecksum(instance));
      }),
    );
  });
});

test('words are names where there are some, and numbers where there are none', () => {
  const words = wordsOf(name({ jobs: ['WO-4711', ''], operations: ['', 'turning', '', ''] }));
  expect([words.operation(1), words.operation(2), words.machine(1)]).toEqual([
    'WO-4711, turning',
    'job 2, step 1',
    'machine 1',
  ]);
  expect(describeOperation(plain, 1)).toBe('job 1, step 2');
});

describe('labels', () => {
  const labels = labelsOf(name({ jobs: ['7', 'WO-2'], machines: ['Lathe', ''] }));

  it('are understood by name', () => {
    expect(labels.findJob('WO-2')).toEqual({ index: 1 });
    expect(labels.findMachine(' Lathe ')).toEqual({ index: 0 });
    expect(labels.findJob(7)).toEqual({ index: 0 });
  });

  it('without a name are undefined', () => {
    expect(labels.findMachine('Machine1')).toBeUndefined();
    expect(labels.findMachine(1)).toBeUndefined();
    expect(labels.findJob('Job2')).toBeUndefined();
    expect(labelsOf(plain).findJob('anything')).toBeUndefined();
  });

  it('that are numbers are refused where a name is a number', () => {
    expect(labels.findJob(2)).toEqual({ hint: 'use one of 7, WO-2', alike: 0 });
    expect(labels.findJob('J1')).toEqual({ hint: 'use one of 7, WO-2', alike: 0 });
  });

  it('that are unknown are refused with the nearest', () => {
    expect(labels.findMachine('Lathes')).toEqual({ hint: 'did you mean Lathe?', alike: 0 });
  });
});

test('a file with names may name machines by number, label and name', () => {
  const text = JSON.stringify({
    schema: 'alas-jssp/instance@1',
    machines: ['Lathe 2', ''],
    jobs: [
      { name: 'WO-4711', operations: [{ name: 'turning', machine: 'Lathe 2', duration: 3 }] },
      {
        operations: [
          { machine: 1, duration: 3 },
          { machine: 'Machine1', duration: 0 },
        ],
      },
    ],
    downtimes: [{ machine: 'Lathe 2', from: 3, to: 4, resumable: true }],
  });
  const { names, machine, calendar } = parseInstance(text);
  expect([...machine]).toEqual([0, 1, 1]);
  expect(names).toEqual({
    jobs: ['WO-4711', ''],
    machines: ['Lathe 2', ''],
    operations: ['turning', '', ''],
  });
  expect(Array.from(calendar?.offset ?? [])).toEqual([0, 1, 1]);
  expect(() => parseInstance(text.replace('"Machine1"', '"Lathe"'), { file: 'shop.json' })).toThrow(
    'shop.json:$.jobs[1].operations[1].machine: this is "Lathe"; did you mean Lathe 2?',
  );
});

test('a name may have emoji and words that joiners make, and no joiner elsewhere', () => {
  const mechanic = '\u{1f468}\u{1f3fd}\u200d\u{1f527} lathe';
  expect(name({ machines: [mechanic, ''] }).names?.machines?.[0]).toBe(mechanic);
  const persian = '\u0645\u06cc\u200c\u062e';
  const hindi = '\u0915\u094d\u200d\u0937';
  expect(name({ machines: [persian, hindi] }).names?.machines).toEqual([persian, hindi]);
  expect(() => name({ machines: ['la\u200dthe', ''] })).toThrow('cannot be seen');
  expect(() => name({ machines: ['\u0645\u200c', ''] })).toThrow('cannot be seen');
});
