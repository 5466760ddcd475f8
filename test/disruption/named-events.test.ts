import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { applyEvents, completeEvents } from '../../src/disruption/apply-events.js';
import type { EventInput } from '../../src/disruption/event.js';
import { formatEvent, parseEvent } from '../../src/disruption/event-text.js';
import { describeEvent } from '../../src/disruption/event-words.js';
import { parseEvents, writeEvents } from '../../src/disruption/events-json.js';
import { instanceFromJobs, replaceInstance } from '../../src/jssp/instance.js';
import { dispatch } from '../../src/search/construct/dispatch.js';
import { arbitraryInstance } from '../arbitraries.js';
import { arbitraryNames, nameAll } from '../named-instances.js';
import { arbitraryChoices, eventsFor } from './arbitraries.js';

const shops = arbitraryInstance({ downtimes: true, dueDates: true }).chain((shop) =>
  arbitraryNames(shop).map((names) => ({ shop, named: replaceInstance(shop, { names }) })),
);

/** Jobs that arrive are called `rush 0`, `rush 1` and so on; some of their steps have the same name. */
function withNames(events: readonly EventInput[]): EventInput[] {
  return events.map((event, i) => {
    if (event.kind !== 'arrival') return event;
    const operations = event.job.operations.map((one, k) => ({
      ...one,
      name: `part ${k % 2}, /:%`,
    }));
    return { ...event, job: { ...event.job, name: `rush ${i}, /:%`, operations } };
  });
}

test('names change nothing but names, and last', () => {
  let arrived = 0;
  fc.assert(
    fc.property(shops, fc.nat(40), arbitraryChoices, ({ shop, named }, now, choices) => {
      const schedule = dispatch(shop, { rule: 'mwkr' });
      const events = withNames(eventsFor(schedule, now, choices));
      const options = { tooLate: 'skip' } as const;
      const plain = applyEvents(schedule, events, now, options);
      const applied = applyEvents(dispatch(named, { rule: 'mwkr' }), events, now, options);
      const { names } = applied.instance;
      expect({ ...applied.instance, names: null }).toEqual(plain.instance);
      expect(applied.newOf).toEqual(plain.newOf);
      expect(plain.instance.names).toBeNull();
      const before = named.names;
      applied.newOf.forEach((op, old) => {
        if (op >= 0) expect(names?.operations?.[op] ?? '').toBe(before?.operations?.[old] ?? '');
      });
      for (const { job, name } of applied.arrived) {
        arrived++;
        expect(names?.jobs?.[job]).toBe(before === null ? undefined : name);
      }
    }),
  );
  expect(arrived).toBeGreaterThan(10);
});

test('events survive files and the short form by their names', () => {
  fc.assert(
    fc.property(shops, fc.nat(40), arbitraryChoices, ({ named }, now, choices) => {
      const schedule = dispatch(named, { rule: 'mwkr' });
      const events = completeEvents(withNames(eventsFor(schedule, now, choices)), now);
      const text = writeEvents(events, { shop: named });
      expect(parseEvents(Buffer.from(text), undefined, { instance: named }).events).toEqual(events);
      for (const event of events) {
        expect(parseEvent(formatEvent(event, named), { instance: named })).toEqual(event);
      }
    }),
  );
});

describe('in a shop with names', () => {
  const shop = nameAll(
    instanceFromJobs('shop', [
      [
        [0, 5],
        [1, 4],
      ],
      [
        [1, 3],
        [0, 2],
      ],
    ]),
  );
  const read = (...events: object[]) =>
    parseEvents(Buffer.from(JSON.stringify({ schema: 'alas-jssp/events@1', events })), 'e.json', {
      instance: shop,
      knownBy: 9,
    }).events;

  it('an event may name a job that arrives before it', () => {
    const operations = [{ name: 'grinding', machine: 'Lathe B', duration: 4 }];
    const events = read(
      { kind: 'arrival', at: 2, job: { name: 'RUSH', operations } },
      { kind: 'delay', job: 'RUSH', step: 'grinding', until: 9 },
      { kind: 'duration', job: 'WO-4712', step: 'turning b', factor: 2 },
      { kind: 'cancellation', job: 'Job1' },
    );
    expect(events.slice(1)).toMatchObject([{ job: 2, step: 0 }, { job: 1, step: 1 }, { job: 0 }]);
  });

  it('steps of one name are numbered, and the number is required', () => {
    const operations = ['turning', 'milling', 'turning'].map((name) => ({
      ...{ name, machine: 'Lathe B', duration: 4 },
    }));
    const arrival = { kind: 'arrival', at: 2, job: { name: 'RUSH', operations } };
    const late = (step: string) => read(arrival, { kind: 'delay', job: 'RUSH', step, until: 9 })[1];
    expect(late('turning (2)')).toMatchObject({ job: 2, step: 2 });
    expect(() => late('turning')).toThrow(
      'e.json:$.events[1].step: this is "turning", of which there are 2; say which: turning (1), turning (2)',
    );
  });

  it.each<[object, string]>([
    [
      { kind: 'restored', machine: 'Lathe Z' },
      'e.json:$.events[0].machine: this is "Lathe Z", which does not exist; did you mean Lathe A, Lathe B?',
    ],
    [
      { kind: 'cancellation', job: 'WO-9999' },
      'e.json:$.events[0].job: this is "WO-9999", which does not exist; use one of WO-4711, WO-4712',
    ],
    [
      { kind: 'delay', job: 'WO-4711', step: 'milling', until: 9 },
      'e.json:$.events[0].step: this is "milling", which does not exist; use one of turning a, turning b',
    ],
    [
      { kind: 'arrival', job: { operations: [{ machine: 'Mill', duration: 4 }] } },
      'e.json:$.events[0].job.operations[0].machine: this is "Mill", which does not exist; use one of Lathe A, Lathe B',
    ],
  ])('%j is refused by its name', (event, message) => {
    expect(() => read(event)).toThrow(message);
  });

  it('a job does not arrive under the name of another', () => {
    const job = { name: 'WO-4712', operations: [{ machine: 0, duration: 4 }] };
    const schedule = dispatch(shop, { rule: 'mwkr' });
    expect(() => applyEvents(schedule, [{ kind: 'arrival', job }], 3)).toThrow(
      'arrival of "WO-4712": there is a job of that name already; give it another one',
    );
  });

  it('descriptions of events use names', () => {
    const [event] = read({ kind: 'duration', job: 'WO-4712', step: 'turning b', factor: 2 });
    expect(describeEvent(event, shop)).toBe('new duration of WO-4712, turning b');
    expect(formatEvent(event, shop)).toBe('duration:at=9,job=WO-4712,step=turning b,factor=2');
    const schedule = dispatch(shop, { rule: 'mwkr' });
    expect(() => applyEvents(schedule, [{ ...event, at: 60 }], 60)).toThrow(
      'new duration of WO-4712, turning b: the operation was done at',
    );
  });
});
