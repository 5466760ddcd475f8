// A trip from San Francisco to Berlin and Cologne: flights, hotels and a train, each booked as soon as
// the bookings it depends on exist, checked by validators that see bookings only, and cancelled in
// reverse order if the trip fails.
import assert from 'node:assert/strict';
import { createMemoryStore } from '@alas-jssp/workflow';
import { startService } from './booking-service.mjs';
import { fateOf, printTable } from './table.mjs';
import { kinds, tripAt } from './travel-workflow.mjs';

/** What the validators said of a run, in order. */
const verdictsOf = (store) =>
  [...store.read({ runId: 'trip' })].flatMap(({ nodeId, eventType, payload }) => {
    const said = payload.corrections ?? payload.errors?.flat() ?? [];
    const what = said.map(({ name, message }) => `${name}: ${message}`).join('; ');
    if (!['ValidatePass', 'ValidateFail', 'HandOver'].includes(eventType)) return [];
    return [[nodeId, eventType, what || 'nothing to say']];
  });

/** Books the trip with services in the given moods. */
async function attempt(title, moods, input = {}) {
  const service = await startService(moods);
  const store = createMemoryStore();
  // One booking at a time, so that what is printed is the same every time.
  const options = { store, maxConcurrency: 1, runId: 'trip' };
  const { status, error } = await tripAt(service.url).run(input, options);
  const fates = kinds.map((kind) => fateOf(service, kind));
  await service.stop();
  const all = status === 'COMPLETED' ? ['done'] : ['-', 'undone'];
  assert.ok(fates.every((fate) => all.includes(fate)));

  const undone = [...store.read({ runId: 'trip' })]
    .filter(({ eventType }) => eventType === 'Compensated')
    .map(({ nodeId }) => nodeId.split('/').at(-1));
  const row = [title, status, ...fates, error?.code ?? '-', undone.join(', ') || '-'];
  return { row, verdicts: verdictsOf(store) };
}

const attempts = [await attempt('nothing', {})];
for (const kind of kinds) attempts.push(await attempt(`${kind} is down`, { [kind]: 'down' }));
attempts.push(await attempt('the flight goes to Bonn', {}, { city: 'Bonn' }));
printTable(
  ['what goes wrong', 'status', ...kinds, 'error', 'undone in this order'],
  attempts.map(({ row }) => row),
);
for (const { row, verdicts } of [attempts[0], attempts.at(-1)]) {
  console.log(`\nWhat the validators said when what goes wrong is: ${row[0]}\n`);
  printTable(['step', 'entry', 'what'], verdicts);
}
