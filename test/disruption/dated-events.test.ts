import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { completeEvents } from '../../src/disruption/apply-events.js';
import { formatEvent, parseEvent } from '../../src/disruption/event-text.js';
import { parseEvents, writeEvents } from '../../src/disruption/events-json.js';
import { instanceFromJobs, replaceInstance } from '../../src/jssp/instance.js';
import { dispatch } from '../../src/search/construct/dispatch.js';
import { arbitraryInstance } from '../arbitraries.js';
import { arbitraryChoices, eventsFor } from './arbitraries.js';

/** Quarters of an hour; summer ends in the night behind the epoch. */
const timeScale = { epoch: '2026-10-24T20:00:00+02:00', unit: 900, zone: 'Europe/Berlin' };

const shops = arbitraryInstance({ downtimes: true, dueDates: true }).map((shop) =>
  replaceInstance(shop, { timeScale }),
);

test('events survive files and the short form by their dates', () => {
  fc.assert(
    fc.property(shops, fc.nat(40), arbitraryChoices, (shop, now, choices) => {
      const events = completeEvents(eventsFor(dispatch(shop, { rule: 'mwkr' }), now, choices), now);
      const text = writeEvents(events, { shop });
      expect(text).not.toMatch(/"(at|from|to|until|release|due)":\d/);
      expect(parseEvents(Buffer.from(text), undefined, { instance: shop }).events).toEqual(events);
      for (const event of events) {
        const short = formatEvent(event, shop);
        expect(parseEvent(short, { instance: shop })).toEqual(event);
      }
    }),
  );
});

describe('an event of a shop with a clock', () => {
  const shop = replaceInstance(instanceFromJobs('shop', [[[0, 4]]]), { timeScale });

  it('has its times as numbers, or by the clocks of the zone', () => {
    const event = parseEvent('breakdown:machine=0,from=2026-10-25T02:30,to=44', { instance: shop });
    expect(event).toMatchObject({ at: 26, from: 26, to: 44 });
    const rush = parseEvent('arrival:at=2026-10-24T20:15,operations=0:4,due=2026-10-25T06:00', {
      instance: shop,
    });
    expect(rush).toMatchObject({ at: 1, job: { release: 1, due: 44 } });
  });

  it.each([
    ['from=2026-10-24T10:00', 'from of the event', 'is before the epoch; give'],
    ['from=2026-10-25', 'from of the event', 'is no time; give day and hour'],
  ])('is refused for %s, with the key', (field, place, problem) => {
    const read = () => parseEvent(`breakdown:machine=0,${field}`, { instance: shop });
    expect(read).toThrow(place);
    expect(read).toThrow(problem);
  });

  it('is refused in a file with its path', () => {
    const job = { operations: [{ machine: 0, duration: 4 }], due: 'soon' };
    const document = { schema: 'alas-jssp/events@1', events: [{ kind: 'arrival', at: 1, job }] };
    const read = () =>
      parseEvents(Buffer.from(JSON.stringify(document)), 'news.json', { instance: shop });
    expect(read).toThrow('news.json:$.events[0].job.due: "soon" is no time; give');
  });
});
