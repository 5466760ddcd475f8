import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '@alas-jssp/core/errors';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DisruptionEvent, EVENT_KINDS } from '../../src/disruption/event.js';
import { parseEvents, readEvents, writeEvents } from '../../src/disruption/events-json.js';
import { parseInstance } from '../../src/jssp/formats/read-instance.js';
import { instanceFromJobs } from '../../src/jssp/instance.js';
import { messageOf } from '../jssp/formats/refusal.js';
import { temporaryDirectory } from '../temporary-directory.js';
import { arbitraryEvent } from './arbitraries.js';

const parse = (document: unknown, options = {}) =>
  parseEvents(Buffer.from(JSON.stringify(document)), 'e.json', options);
const schema = 'alas-jssp/events@1';
const shop = instanceFromJobs('shop', [
  [
    [0, 3],
    [1, 4],
  ],
  [],
]);

test('random events are of every kind', () => {
  const kinds = fc.sample(arbitraryEvent, { seed: 1, numRuns: 500 }).map(({ kind }) => kind);
  expect(EVENT_KINDS.filter((kind) => !kinds.includes(kind))).toEqual([]);
});

describe('a file of events', () => {
  test('survives a round trip', () => {
    fc.assert(
      fc.property(fc.array(arbitraryEvent, { maxLength: 5 }), (events) => {
        const bytes = Buffer.from(writeEvents(events, { instance: 'ft06' }));
        expect(parseEvents(bytes)).toEqual({ events, instance: 'ft06' });
      }),
    );
  });

  test('is read from a file, and errors name it', () => {
    const path = join(temporaryDirectory(), 'events.json');
    writeFileSync(path, writeEvents([]));
    expect(readEvents(path)).toEqual({ events: [] });
    writeFileSync(path, '{ "schema": "x" }');
    expect(messageOf(() => readEvents(path))).toBe(
      `${path}:$.schema: this is "x"; give "alas-jssp/events@1", and use that format`,
    );
  });

  const breakdown = { kind: 'breakdown', machine: 'Machine0', from: 5, to: 9 };
  test.each<[string, unknown, string]>([
    [
      'a list',
      [],
      'e.json:$: this is an empty list; give an object with the keys schema, events and, if need be, instance',
    ],
    [
      'a key too many',
      { schema, events: [], x: 1 },
      'e.json:$: the key "x" is unknown; give an object with the keys schema, events and, if need be, instance',
    ],
    ['no events', { schema }, 'e.json:$.events: this is missing; give a list of events'],
    [
      'no object',
      { schema, events: [3] },
      'e.json:$.events[0]: this is 3; give an object with a kind',
    ],
    [
      'no kind',
      { schema, events: [{}] },
      `e.json:$.events[0].kind: this is missing; use one of ${EVENT_KINDS.join(', ')}`,
    ],
    [
      'a time in quotes',
      { schema, events: [breakdown, { ...breakdown, to: '9' }] },
      'e.json:$.events[1].to: this is "9"; give a whole number from 0 to 1073741823',
    ],
    [
      'a job without operations',
      { schema, events: [{ kind: 'arrival', at: 1, job: { operations: [] } }] },
      'e.json:$.events[0].job.operations: this is an empty list; give at least one operation',
    ],
    [
      'nothing about when',
      { schema, events: [{ kind: 'cancellation', job: 'Job1' }] },
      'e.json:$.events[0].at: this is missing; give the time at which it becomes known',
    ],
    [
      'a machine that there is not',
      { schema, events: [{ ...breakdown, machine: 2 }] },
      'e.json:$.events[0].machine: this is "Machine2", which does not exist; use Machine0 to Machine1',
    ],
    [
      'a job that there is not',
      { schema, events: [{ kind: 'cancellation', at: 1, job: 3 }] },
      'e.json:$.events[0].job: this is "Job3", which does not exist; use Job1 to Job2',
    ],
    [
      'a step that there is not',
      { schema, events: [{ kind: 'delay', at: 1, job: 1, step: 3, until: 4 }] },
      'e.json:$.events[0].step: this is 3, which does not exist; use 1 to 2',
    ],
    [
      'a step of an empty job',
      { schema, events: [{ kind: 'delay', at: 1, job: 2, step: 1, until: 4 }] },
      'e.json:$.events[0].step: this is 1, which does not exist; this job has no steps',
    ],
    [
      'an arrival on a machine that there is not',
      {
        schema,
        events: [{ kind: 'arrival', at: 1, job: { operations: [{ machine: 5, duration: 1 }] } }],
      },
      'e.json:$.events[0].job.operations[0].machine: this is "Machine5", which does not exist; use Machine0 to Machine1',
    ],
  ])('with %s is refused in one line', (_what, document, message) => {
    expect(messageOf(() => parse(document, { instance: shop }))).toBe(message);
  });

  test('with a number that no machine or job has names those of the shop', () => {
    const job = { name: 'WO-1', operations: [{ machine: 'Lathe', duration: 3 }] };
    const document = { schema: 'alas-jssp/instance@1', machines: ['Lathe', 'Mill'], jobs: [job] };
    const named = parseInstance(Buffer.from(JSON.stringify(document)));
    const refuse = (event: object) =>
      messageOf(() => parse({ schema, events: [event] }, { instance: named }));
    expect(refuse({ ...breakdown, machine: 2 })).toMatch(
      /which does not exist; use one of Lathe, Mill$/,
    );
    expect(refuse({ kind: 'cancellation', at: 1, job: 7 })).toMatch(/; use one of WO-1$/);
  });

  test('may name jobs that arrive with it', () => {
    const arrival = { kind: 'arrival', at: 3, job: { operations: [{ machine: 0, duration: 1 }] } };
    const delay = { kind: 'delay', at: 5, job: 'Job3', step: 1, until: 6 };
    expect(parse({ schema, events: [arrival, delay] }, { instance: shop }).events).toHaveLength(2);
  });

  test('takes the time of events without one from the caller', () => {
    const events = [{ kind: 'cancellation', job: 'Job1' }];
    expect(parse({ schema, events }, { knownBy: 7 }).events[0].at).toBe(7);
  });

  test('is never anything but read or refused with an InputError', () => {
    const loose = fc.record(
      {
        kind: fc.constantFrom('breakdown', 'duration', 'arrival', 'delay', 'restored', 'x'),
        at: fc.oneof(fc.nat(), fc.jsonValue()),
        machine: fc.oneof(fc.nat(), fc.jsonValue()),
        job: fc.oneof(fc.nat(), fc.jsonValue()),
        from: fc.oneof(fc.nat(), fc.jsonValue()),
        to: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(loose, fc.jsonValue()), (event) => {
        try {
          parse({ schema, events: [event] });
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('is not written from malformed events', () => {
    const event = { kind: 'restored', at: Number.NaN, machine: 0 } as DisruptionEvent;
    expect(messageOf(() => writeEvents([event]))).toBe(
      '$[0].at: this is NaN; give a whole number from 0 to 1073741823',
    );
  });
});
