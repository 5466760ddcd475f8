// Trips with faults of the service and events at random, booked by processes that are killed at random (SIGKILL):
//   npm run trials:travel -- [--trips 100] [--seed 1]
// After each trip the books of the service are compared with what the log says, the trip is judged by the oracle of the
// tests, and the log is replayed. Ends with one line, and with code 1 if anything differs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openSqliteStore } from '@alas-jssp/workflow';
import { generateTravel } from '../src/travel/generate/generate-travel.js';
import { readTravel, type TravelProblem } from '../src/travel/model/travel-problem.js';
import { planTravel } from '../src/travel/plan/plan-travel.js';
import { DESK_FAULTS, parseDeskFault } from '../src/travel/service/desk-faults.js';
import { startTravelService } from '../src/travel/service/travel-service.js';
import { replayTrip } from '../src/travel/trip/open-trip.js';
import { tripStory } from '../src/travel/trip/trip-story.js';
import { type Random, randomOf } from '../test/oracle/random.js';
import { travelOracle } from '../test/travel/travel-oracle.js';

const { values } = parseArgs({
  options: {
    trips: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
});
const write = (line: string) => process.stdout.write(`${line}\n`);
// Compiled, this file is in trials/dist/trials.
const bin = fileURLToPath(new URL('../../../bin/alas-coordination.js', import.meta.url));
const counts = new Map<string, number>();
const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);

function tripOf(seed: number, { int }: Random): TravelProblem {
  const stays = int(1, 3);
  const trip = generateTravel({
    name: `trial-${seed}`,
    seed,
    home: { id: 'Home', utc_offset: -420 },
    cities: ['Berlin', 'Cologne', 'Delft'].slice(0, stays).map((id) => {
      return { id, utc_offset: 120, nights: int(1, 3), slack: 1 };
    }),
    from: '2025-06-01',
    until: '2025-06-16',
    travellers: int(1, 2),
    budget: 100 * int(30, 90),
  });
  return readTravel(trip);
}

/** Events that strike the plan that will be booked, before it begins. */
function eventsOf(problem: TravelProblem, { pick, chance }: Random) {
  const best = planTravel(problem).found[0];
  if (best === undefined || chance(0.4)) return [];
  const at = '2025-05-20T08:00Z';
  const { kind, offer } = pick(best.plan.bookings);
  if (kind === 'hotel') return [{ kind: 'full', at, offer }];
  if (kind === 'pass') return [{ kind: 'price', at, offer, percent: 30 }];
  return [{ kind: 'cancelled', at, offer }];
}

function faultsOf({ int, pick, chance }: Random): string[] {
  const lasting = ['slow', 'down', 'stuck'];
  const faults = Object.keys(DESK_FAULTS).filter((name) => !lasting.includes(name));
  const some = Array.from(
    { length: int(0, 3) },
    () => `${pick(faults)}:${pick(['flight', 'hotel', 'train', '*'])}:${int(1, 3)}`,
  );
  return chance(0.2) ? [...some, `stuck:*:${int(1, 6)}`] : some;
}

/** Runs a command in a process of its own, and kills it after some milliseconds. Returns whether it ended by itself. */
async function run(args: readonly string[], killAfter: number | null): Promise<boolean> {
  const child = spawn(process.execPath, [bin, 'travel', ...args], { stdio: 'ignore' });
  const timer = killAfter === null ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter);
  const [, signal] = await once(child, 'exit');
  clearTimeout(timer);
  return signal === null;
}

async function trial(seed: number): Promise<readonly string[]> {
  const random = randomOf(seed);
  const problem = tripOf(seed, random);
  const directory = mkdtempSync(join(tmpdir(), 'trips-'));
  const [file, events, log] = ['trip.json', 'events.json', 'trip.db'].map((name) =>
    join(directory, name),
  );
  const list = eventsOf(problem, random);
  const faults = faultsOf(random);
  writeFileSync(file, JSON.stringify(problem.facts));
  writeFileSync(
    events,
    JSON.stringify({
      schema: 'alas-coordination/travel-events@1',
      problem: problem.name,
      events: list,
    }),
  );
  const service = await startTravelService(problem, { faults: faults.map(parseDeskFault) });
  const given = ['--service', service.url, '--timeout', '5'];
  let ended = await run(
    ['book', file, '--events', events, '--log', log, ...given],
    random.int(600, 2500),
  );
  for (let kills = 0; !ended; kills++) {
    count('killed');
    const isBegun = hasTrip(log);
    const args = isBegun
      ? ['resume', log, ...given]
      : ['book', file, '--events', events, '--log', log, ...given];
    ended = await run(args, kills < 3 ? random.int(600, 2500) : null);
  }
  const faultsFound = await check(problem, service, log, faults);
  await service.stop();
  rmSync(directory, { recursive: true });
  return faultsFound.map((one) => `seed ${seed} (${faults.join(' ')}): ${one}`);
}

function hasTrip(log: string): boolean {
  const store = openSqliteStore(log);
  try {
    return store.runs().includes('trip');
  } finally {
    store.close();
  }
}

async function check(
  problem: TravelProblem,
  service: Awaited<ReturnType<typeof startTravelService>>,
  log: string,
  faults: readonly string[],
): Promise<string[]> {
  const store = openSqliteStore(log);
  try {
    const wrong: string[] = [];
    const story = tripStory(store);
    count(story.status);
    if (story.status === 'failed' || story.status === 'in_doubt')
      write(`${story.status}: ${story.problem}; ${story.remaining.join(' ')}`);
    if (faults.length > 0) count('with faults');
    const said = (story.state?.held ?? []).map(({ reference }) => reference).sort();
    const books = service
      .bookings()
      .filter(({ state }) => state === 'booked')
      .map(({ reference }) => reference)
      .sort();
    const isEqual = said.join() === books.join();
    // A trip that waits may hold what the service gave up; its trouble names it.
    const open = new Set([
      ...(story.state?.trouble?.struck ?? []),
      ...(story.state?.surplus ?? []),
    ]);
    if (story.status === 'booked' && !isEqual) wrong.push(`${said} is said, ${books} is booked`);
    if (story.status === 'waiting' && !isEqual && open.size === 0) {
      wrong.push(`waiting: ${said} is said, ${books} is booked`);
    }
    if (story.status === 'booked') {
      const { broken } = travelOracle(
        { ...problem.facts, budget: 1_000_000 },
        (story.state?.held ?? []).map(({ booking }) => booking),
      );
      if (broken.size > 0) wrong.push(`the oracle finds ${[...broken]}`);
      const spent = (story.state?.held ?? []).reduce((sum, { price }) => sum + price, 0);
      if (spent + (story.state?.lost ?? 0) > problem.budget) wrong.push('it is over the budget');
    }
    const { parity } = await replayTrip(store);
    if (!parity) wrong.push('no parity');
    return wrong;
  } finally {
    store.close();
  }
}

const [first, trips] = [Number(values.seed), Number(values.trips)];
let wrong = 0;
for (let seed = first; seed < first + trips; seed++) {
  for (const line of await trial(seed)) {
    wrong++;
    write(line);
  }
}
for (const [what, times] of counts) write(`${what.padEnd(16)} ${times}`);
write(`${trips} trips: ${wrong} wrong`);
process.exitCode = wrong > 0 ? 1 : 0;
