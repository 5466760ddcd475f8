// The trip to Berlin and Cologne with offers, a booking service that fails, and events: seven agents book it, and take
// back and plan again what a failure affects. Needs the package @alas-jssp/coordination as it is built.
import assert from 'node:assert/strict';
import {
  bookTrip,
  bundledTrip,
  bundledTripEvents,
  parseDeskFault,
  replayTrip,
  startTravelService,
} from '@alas-jssp/coordination';
import { createMemoryStore } from '@alas-jssp/workflow';
import { printTable } from './table.mjs';

const problem = bundledTrip('berlin-cologne');

/** Books the trip with these faults of the service and these events; returns a row of the table. */
async function attempt(title, faults, events) {
  const service = await startTravelService(problem, { faults: faults.map(parseDeskFault) });
  const store = createMemoryStore();
  const options = { store, service: service.url, times: { timeout: 5, wait: 0.01 } };
  const list = events === undefined ? [] : bundledTripEvents(events).events;
  const { status, state, account } = await bookTrip(options, { problem, events: list });
  const books = service.bookings().filter(({ state: now }) => now === 'booked');
  await service.stop();

  // The books of the service and the log say the same, and the log can be computed again.
  const held = state.held.map(({ reference }) => reference).sort();
  if (status === 'booked') assert.deepEqual(books.map(({ reference }) => reference).sort(), held);
  assert.ok((await replayTrip(store)).parity);

  const total = state.held.reduce((sum, { price }) => sum + price, 0) / 100;
  const back = account.filter(({ text }) => text.startsWith('takes back'));
  const transactions = state.held.map(({ id }) => id).join(' ');
  return [
    title,
    status,
    transactions,
    String(back.length),
    String(total),
    String(state.lost / 100),
  ];
}

printTable(
  ['what happens', 'status', 'transactions', 'taken back', 'total', 'lost'],
  [
    await attempt('nothing', []),
    await attempt('a hotel is sold out', ['sold_out:hotel']),
    await attempt('an answer is lost', ['lost_answer:flight']),
    await attempt('a train is booked twice', ['double_booking:train']),
    await attempt('a hotel says it is booked, and is not', ['false_answer:hotel']),
    await attempt('a hotel is booked at a higher price', ['wrong_price:hotel']),
    await attempt('the flight home is cancelled', [], 'flight-cancelled'),
    await attempt('the hotel in Berlin is full', [], 'hotel-full'),
    await attempt('trains are on strike', [], 'train-strike'),
    await attempt('all three, one after the other', [], 'all-at-once'),
  ],
);
