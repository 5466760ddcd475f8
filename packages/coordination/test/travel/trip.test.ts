import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore, type LogStore, openSqliteStore } from '@alas-jssp/workflow';
import { describe, expect, it } from 'vitest';
import {
  bundledTrip,
  bundledTripEvents,
  bundledTripNames,
} from '../../src/travel/bundled-trips.js';
import { instantOf } from '../../src/travel/events/travel-events.js';
import { beginsAt } from '../../src/travel/judge/judge-travel.js';
import { readBooking } from '../../src/travel/model/travel-plan.js';
import type { TravelProblem } from '../../src/travel/model/travel-problem.js';
import { parseDeskFault } from '../../src/travel/service/desk-faults.js';
import { startTravelService, type TravelService } from '../../src/travel/service/travel-service.js';
import {
  bookTrip,
  decideTrip,
  replayTrip,
  resumeTrip,
  type TripRequest,
} from '../../src/travel/trip/open-trip.js';
import type { TripStory } from '../../src/travel/trip/trip-story.js';
import { travelOracle } from './travel-oracle.js';

const trip = bundledTrip('berlin-cologne');
const times = { timeout: 5, wait: 0.01 };

/** The bookings in the books of a service that exist. */
const booked = (service: TravelService) =>
  service.bookings().filter(({ state }) => state === 'booked');

/** What the story says is held equals what the service has in its books. */
function expectTruth(story: TripStory, service: TravelService): void {
  const said = (story.state?.held ?? []).map(({ reference }) => reference).sort();
  expect(said).toEqual(
    booked(service)
      .map(({ reference }) => reference)
      .sort(),
  );
}

async function attempt(
  faults: readonly string[],
  request: Omit<TripRequest, 'problem'> = {},
  problem: TravelProblem = trip,
) {
  const service = await startTravelService(problem, {
    faults: faults.map(parseDeskFault),
    slow: 50,
  });
  const store = createMemoryStore();
  const options = { store, service: service.url, times };
  try {
    const story = await bookTrip(options, { problem, ...request });
    return { story, service, store, options };
  } finally {
    await service.stop();
  }
}

async function expectParity(store: LogStore): Promise<void> {
  const { parity, runs } = await replayTrip(store);
  expect(runs.flatMap(({ divergence }) => divergence ?? [])).toEqual([]);
  expect(parity).toBe(true);
}

describe('a trip', () => {
  it('is booked as five transactions in the order of the paper', async () => {
    const { story, service, store } = await attempt([]);
    expect(story.status).toBe('booked');
    const held = story.state?.held ?? [];
    expect(held.map(({ id, booking }) => [id, booking.kind])).toEqual([
      ['T1', 'flight'],
      ['T2', 'hotel'],
      ['T3', 'train'],
      ['T4', 'hotel'],
      ['T5', 'flight'],
    ]);
    expect(held.map(({ after }) => after)).toEqual([[], ['T1'], ['T2'], ['T3'], ['T4']]);
    expectTruth(story, service);
    const bookings = held.map(({ booking }) => booking);
    expect([...travelOracle(trip.facts, bookings).broken]).toEqual([]);
    await expectParity(store);
  });

  it.each([
    ['busy:*:2', 'booked'],
    ['lost_answer:hotel', 'booked'],
    ['lost_request:train:2', 'booked'],
    ['sold_out:hotel:2', 'booked'],
    ['price_change:flight', 'booked'],
    ['double_booking:train', 'booked'],
    ['false_answer:hotel', 'booked'],
    ['wrong_price:hotel', 'booked'],
    ['down:train', 'waiting'],
    ['sold_out:flight:99', 'waiting'],
  ])('with the fault %s ends %s, and the books are as it says', async (fault, status) => {
    const { story, service, store } = await attempt([fault]);
    expect([story.status, story.problem]).toEqual([
      status,
      status === 'booked' ? null : expect.any(String),
    ]);
    expectTruth(story, service);
    await expectParity(store);
  });

  it.each(bundledTripNames('trip-events'))(
    'recovers from the events %s, or asks people',
    async (name) => {
      const { events } = bundledTripEvents(name);
      const { story, service, store } = await attempt([], { events });
      expect(story.status).toBe(name === 'all-at-once' ? 'waiting' : 'booked');
      const held = story.state?.held ?? [];
      if (story.status === 'booked') expectTruth(story, service);
      // Nothing begins before the event that made it necessary, and the trip fits within the budget.
      const spent = held.reduce((sum, { price }) => sum + price, 0) + (story.state?.lost ?? 0);
      expect(spent).toBeLessThanOrEqual(trip.budget);
      const now = Math.max(...events.map(({ at }) => instantOf(at)));
      const late = held.filter(({ id }) => Number(id.slice(1)) > 5 + 3 * (events.length - 1));
      for (const { booking } of late) {
        const begins = beginsAt(trip, readBooking(booking as never));
        if (name !== 'all-at-once') expect(begins ?? now).toBeGreaterThanOrEqual(now);
      }
      await expectParity(store);
    },
  );

  it('changes least: of a cancelled flight home, the flight home alone', async () => {
    const { events } = bundledTripEvents('flight-cancelled');
    const { story } = await attempt([], { events });
    expect(story.state?.held.map(({ id }) => id)).toEqual(['T1', 'T2', 'T3', 'T4', 'T6']);
    const saga = story.account.filter(({ agent }) => agent === 'saga').map(({ text }) => text);
    expect(saga[0]).toMatch(/^level 0: takes back T5, edit radius 0.33/);
  });

  it('takes back in reverse what a strike affects', async () => {
    const { events } = bundledTripEvents('train-strike');
    const { story } = await attempt([], { events });
    const saga = story.account.filter(({ agent }) => agent === 'saga').map(({ text }) => text);
    expect(saga[0]).toMatch(/^level 1: takes back T4, T3/);
    expect(saga[1]).toMatch(/^takes back T4: cologne/);
    expect(saga[2]).toMatch(/^takes back T3: BER-CGN/);
  });

  it('leaves nothing behind when it is given up', async () => {
    const problem = bundledTrip('berlin-cologne');
    const service = await startTravelService(problem, {
      faults: [parseDeskFault('sold_out:train:99')],
    });
    const store = createMemoryStore();
    const options = { store, service: service.url, times };
    const first = await bookTrip(options, { problem });
    expect(first.status).toBe('waiting');
    expect(booked(service).length).toBeGreaterThan(0);
    await decideTrip(store, 'trip', { choice: 'cancel', by: 'ann' });
    const story = await resumeTrip(options);
    expect(story).toMatchObject({ status: 'given_up', remaining: [] });
    expect(booked(service)).toEqual([]);
    await service.stop();
    await expectParity(store);
  });

  it('waits for people who choose, and books what they chose', async () => {
    const service = await startTravelService(trip);
    const store = createMemoryStore();
    const options = { store, service: service.url, times };
    const first = await bookTrip(options, { problem: trip, approve: true, proposals: 3 });
    expect(first).toMatchObject({ status: 'waiting', state: { phase: 1, held: [] } });
    expect(first.state?.proposals.length).toBe(3);
    expect(booked(service)).toEqual([]);
    const wrong = decideTrip(store, 'trip', { choice: 'choose', proposal: 4, by: 'ann' });
    await expect(wrong).rejects.toMatchObject({ code: 'no_decision' });
    await decideTrip(store, 'trip', { choice: 'choose', proposal: 2, by: 'ann' });
    const story = await resumeTrip(options);
    expect(story.status).toBe('booked');
    expect(story.state?.held.map(({ booking }) => booking.offer)).toContain('spree-rhein-day-pass');
    await expect(decideTrip(store, 'trip', { choice: 'retry', by: 'ann' })).rejects.toMatchObject({
      code: 'no_decision',
    });
    expectTruth(story, service);
    await service.stop();
    await expectParity(store);
  });

  it('goes on where a larger budget helps', async () => {
    const poor = { ...structuredClone(trip.facts), budget: 3000 };
    const { bundle, service, store } = await (async () => {
      const { readTravel } = await import('../../src/travel/model/travel-problem.js');
      const problem = readTravel(poor);
      const started = await startTravelService(problem);
      return { bundle: problem, service: started, store: createMemoryStore() };
    })();
    const options = { store, service: service.url, times };
    const first = await bookTrip(options, { problem: bundle });
    expect(first.problem).toMatch(/proves that no itinerary fits/);
    await decideTrip(store, 'trip', { choice: 'retry', budget: 5000, by: 'ann' });
    const story = await resumeTrip(options);
    expect(story.status).toBe('booked');
    expectTruth(story, service);
    await service.stop();
    await expectParity(store);
  });

  it('books the plan that the travellers bring, if it is valid', async () => {
    const { story } = await attempt([]);
    const bookings = (story.state?.held ?? []).map(({ booking }) => readBooking(booking as never));
    const plan = { problem: trip.name, bookings, claimed: null };
    const again = await attempt([], { plan });
    expect(again.story.state?.held.map(({ booking }) => booking)).toEqual(
      story.state?.held.map(({ booking }) => booking),
    );
    const wrong = { ...plan, bookings: bookings.slice(1) };
    const other = await attempt([], { plan: wrong });
    expect(other.story.account.some(({ text }) => text.includes('finds 0 of 1 valid'))).toBe(true);
    expect(other.story.status).toBe('booked');
  });

  it('is resumed by another process after any entry of its log', async () => {
    const { events } = bundledTripEvents('train-strike');
    const whole = await attempt(['double_booking:hotel'], { events });
    const length = [...whole.store.read({ runId: 'trip' })].length;
    for (const at of [90, length - 20]) {
      const directory = mkdtempSync(join(tmpdir(), 'trip-'));
      const store = openSqliteStore(join(directory, 'trip.db'));
      const service = await startTravelService(trip, {
        faults: [parseDeskFault('double_booking:hotel')],
      });
      let left = at;
      const stop = new AbortController();
      // The process ends at this entry: nothing after it is written by it.
      const dying: LogStore = {
        ...store,
        append(entries, options) {
          if (left <= 0) throw new Error('the process has ended');
          left -= entries.length;
          return store.append(entries, options);
        },
      };
      const options = { service: service.url, times };
      const request = { problem: trip, events };
      await expect(
        bookTrip({ ...options, store: dying, leave: stop.signal }, request),
      ).rejects.toThrow();
      const story = await resumeTrip({ ...options, store });
      expect([at, story.status]).toEqual([at, 'booked']);
      expectTruth(story, service);
      await expectParity(store);
      await service.stop();
      store.close();
      rmSync(directory, { recursive: true });
    }
  });
});
