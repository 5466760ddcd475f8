import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '@alas-jssp/core/errors';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { applyEvents } from '../../src/disruption/apply-events.js';
import { parseEvents, writeEvents } from '../../src/disruption/events-json.js';
import { readInstanceEvents } from '../../src/disruption/realm-events.js';
import { parseInstance, readInstance } from '../../src/jssp/formats/read-instance.js';
import { instanceFromJobs } from '../../src/jssp/instance.js';
import { createSchedule } from '../../src/jssp/schedule.js';
import { temporaryDirectory } from '../harness/fixtures.js';

/** Two jobs of two and three operations on three machines: operations 1 and 2, and 3 to 5. */
const SHOP = {
  instance_id: 'small',
  num_jobs: 2,
  num_machines: 3,
  processing_times: [
    [1, 2],
    [3, 2, 3],
  ].map((job) => job.map((machine, i) => ({ operation: i + 1, machine, processing_time: 10 }))),
};

const fileOf = (...disruptions: unknown[]) => Buffer.from(JSON.stringify({ ...SHOP, disruptions }));
const eventsOf = (...disruptions: unknown[]) => parseEvents(fileOf(...disruptions)).events;

function refusal(...disruptions: unknown[]): string {
  try {
    parseEvents(fileOf(...disruptions), 'f.json');
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was wrong';
}

const times = { start_time: 20, duration: 9, impact: 'whatever that means' };
const down = (machine: number, from = 20) => ({
  kind: 'breakdown',
  at: from,
  machine,
  from,
  to: 29,
  resumable: true,
});
const late = (job: number, step: number) => ({ kind: 'delay', at: 20, job, step, until: 29 });

describe('a disruption of REALM-Bench', () => {
  it.each([
    ['a breakdown', { type: 'machine_breakdown', machine_id: 3 }, [down(2)]],
    ['an outage', { type: 'power_outage', affected_machines: [3, 1, 3] }, [down(2), down(0)]],
    ['a shutdown', { type: 'emergency_shutdown', facility: 'x' }, [down(0), down(1), down(2)]],
    [
      'a cascade, one machine after the other, and all back together',
      { type: 'cascading_failure', primary_machine: 2, cascading_machines: [1, 3] },
      [down(1), down(0, 23), down(2, 26)],
    ],
    [
      'weather, for operations counted over all jobs',
      { type: 'weather_effect', affected_operations: [5, 2], severity: 'severe' },
      [late(1, 2), late(0, 1)],
    ],
    [
      'a shortage of the operations that it names',
      { type: 'supply_delay', affected_operations: [3], shortage_percentage: 0.4 },
      [late(1, 0)],
    ],
    [
      'a shortage of a share of all operations, evenly spread',
      { type: 'supply_delay', shortage_percentage: 0.4 },
      [late(1, 0), late(1, 2)],
    ],
  ])('becomes events: %s', (_, disruption, events) => {
    expect(eventsOf({ ...times, ...disruption, affected_jobs: [1, 2] })).toEqual(events);
  });

  it('becomes known when it starts, and not before', () => {
    const one = { ...times, type: 'machine_breakdown', machine_id: 1 };
    const events = eventsOf(one, { ...one, start_time: 4 }, { ...one, start_time: 0 });
    expect(events.map(({ at }) => at)).toEqual([0, 4, 20]);
  });

  it.each([
    [
      { type: 'machine_breakdown', machine_id: 4 },
      '.machine_id: this is 4; give a machine as a whole number from 1 to 3',
    ],
    [{ type: 'machine_breakdown', machine_id: 0 }, '.machine_id: this is 0'],
    [{ type: 'machine_breakdown' }, '.machine_id: this is missing'],
    [{ type: 'power_outage', affected_machines: [1, 9] }, '.affected_machines[1]: this is 9'],
    [
      { type: 'power_outage', affected_machines: 1 },
      '.affected_machines: this is 1; give a list of machines',
    ],
    [
      { type: 'cascading_failure', primary_machine: 1, cascading_machines: [7] },
      '.cascading_machines[0]: this is 7',
    ],
    [
      { type: 'weather_effect', affected_operations: [1, 6] },
      '.affected_operations[1]: this is 6; give an operation as a whole number from 1 to 5',
    ],
    [
      { type: 'supply_delay', shortage_percentage: 40 },
      '.shortage_percentage: this is 40; give a share from 0 to 1',
    ],
    [{ type: 'supply_delay' }, '.shortage_percentage: this is missing'],
    [
      { type: 'emergency_shutdown', affected_jobs: [3] },
      '.affected_jobs[0]: this is 3; give a job as a whole number from 1 to 2',
    ],
    [{ type: 'emergency_shutdown', start_time: -1 }, '.start_time: this is -1'],
    [{ type: 'emergency_shutdown', duration: 0 }, '.duration: this is 0'],
    [
      { type: 'emergency_shutdown', duration: 2 ** 30 - 1 },
      '.duration: this is 1073741823; give a whole number from 1 to 536870911',
    ],
    [
      { type: 'emergency_shutdwn' },
      '.type: this is "emergency_shutdwn"; did you mean emergency_shutdown?',
    ],
    [{ type: 'toString' }, '.type: this is "toString"'],
  ])('is refused where it is wrong: %o', (wrong, message) => {
    const line = refusal({ ...times, type: 'emergency_shutdown' }, { ...times, ...wrong });
    expect(line).toContain(`f.json:$.disruptions[1]${message}`);
    expect(line).not.toContain('\n');
  });

  it('is refused where it is no object, and where there is no list of them', () => {
    expect(refusal('fire')).toContain('f.json:$.disruptions[0]: this is "fire"');
    const whole = Buffer.from(JSON.stringify({ ...SHOP, disruptions: {} }));
    expect(() => parseEvents(whole, 'f.json')).toThrow('f.json:$.disruptions: this is an object');
  });

  it('survives being written as a file of events', () => {
    const kinds = [
      { type: 'emergency_shutdown' },
      { type: 'weather_effect', affected_operations: [5] },
    ];
    const events = eventsOf(...kinds.map((kind) => ({ ...times, ...kind })));
    const instance = parseInstance(fileOf());
    const text = Buffer.from(writeEvents(events, { instance: 'small' }));
    expect(parseEvents(text, undefined, { instance }).events).toEqual(events);
  });

  it('is for an instance with these operations, also one in execution, and for no other', () => {
    const instance = parseInstance(fileOf());
    const bytes = fileOf({ ...times, type: 'machine_breakdown', machine_id: 1 });
    const { events } = parseEvents(bytes, 'f.json', { instance });
    const plan = createSchedule(instance, Int32Array.of(0, 10, 0, 20, 30));
    const later = applyEvents(plan, events, 20).instance;
    expect(parseEvents(bytes, 'f.json', { instance: later }).events).toEqual(events);
    const other = instanceFromJobs('other', [[[0, 10]]], 3);
    expect(() => parseEvents(bytes, 'f.json', { instance: other })).toThrow(
      'f.json: the events are for a shop with other operations than other',
    );
  });
});

describe('the events of an instance file', () => {
  it('may be none if the file says so, and not if it says nothing', () => {
    const directory = temporaryDirectory();
    const [quiet, silent, own] = ['quiet.json', 'silent.json', 'own.txt'].map((name) =>
      join(directory, name),
    );
    writeFileSync(quiet, fileOf());
    writeFileSync(silent, JSON.stringify(SHOP));
    writeFileSync(own, '1 1\n0 3\n');
    expect(readInstanceEvents(quiet)).toEqual([]);
    expect(() => readInstanceEvents(silent)).toThrow(`${silent}: this instance file has no`);
    expect(() => readInstanceEvents(own)).toThrow(`${own}: this instance file has no`);
  });
});

test('any content of a file is read or refused with an InputError in one line', () => {
  const whole = {
    ...SHOP,
    base_instance: { source_file: 'ft06.txt', raw_content: '6 6\n' },
    disruptions: [
      { ...times, type: 'cascading_failure', primary_machine: 1, cascading_machines: [2] },
      { ...times, type: 'supply_delay', affected_operations: [3], shortage_percentage: 0.5 },
    ],
  };
  const parts = fc.oneof(
    fc.jsonValue(),
    fc.integer({ min: -2, max: 8 }),
    fc.constantFrom('2 2\n0 1 1 1\n0 1 1 1', '6 6 2', undefined, 2 ** 31, '__proto__'),
  );
  const property = fc.property(fc.nat(), parts, fc.boolean(), (place, part, withoutJobs) => {
    const document: Record<string, unknown> = structuredClone(whole);
    if (withoutJobs) delete document.processing_times;
    const places = placesIn(document);
    const [holder, key] = places[place % places.length];
    holder[key] = part;
    const bytes = Buffer.from(JSON.stringify(document));
    for (const read of [() => parseInstance(bytes), () => parseEvents(bytes)]) {
      try {
        read();
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
        expect((error as Error).message).not.toContain('\n');
      }
    }
  });
  fc.assert(property, { numRuns: 2000 });
});

/** Every place in a document at which a value stands. */
function placesIn(value: object): [Record<string, unknown>, string][] {
  return Object.entries(value).flatMap(([key, item]): [Record<string, unknown>, string][] => [
    [value as Record<string, unknown>, key],
    ...(typeof item === 'object' && item !== null ? placesIn(item) : []),
  ]);
}

const samples = new URL('../../../shared/realm/', import.meta.url).pathname;

test.skipIf(!existsSync(samples)).each(['J2', 'J4'])(
  'every disruption of the samples %s becomes events that take effect or come too late',
  (folder) => {
    const kinds = new Set<string>();
    for (const name of readdirSync(join(samples, folder))) {
      const file = join(samples, folder, name);
      const instance = readInstance(file);
      const nothing = createSchedule(instance, new Int32Array(instance.operations).fill(-1));
      const events = readInstanceEvents(file);
      for (const event of events) kinds.add(event.kind);
      const { at } = events[0];
      const known = events.filter((event) => event.at === at);
      expect(applyEvents(nothing, known, at).events).toEqual(known);
    }
    expect([...kinds].sort()).toEqual(['breakdown', 'delay']);
  },
);
