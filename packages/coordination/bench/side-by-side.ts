// Rides planned by this package and by OR-Tools, one thread and so many seconds each, in turns on the same machine; all
// plans are judged by the judge of this package:
//   npm run bench:coordination -- [--seconds 10] [--seeds 3] [--set large|small|all] [--out results/coordination/rides.jsonl]
//   npm run bench:coordination -- --realm P3 --realm P4 [--seconds 10]
// Large: 100 rides by 20 vehicles against the routing library (guided local search). Small: the rides of the paper, and 3 to 6
// rides by 2 or 3 vehicles, against CP-SAT. --realm: the instances of REALM-Bench in a directory, against the routing library. Needs python3 with the package `ortools`. Appends a row a problem to --out, and
// prints a table.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { AlasError } from 'alas-jssp';
import { judge } from '../src/judge/judge.js';
import type { Action } from '../src/model/plan.js';
import { type Problem, readProblem } from '../src/model/problem.js';
import { type PlanResult, planCoordination } from '../src/plan/plan.js';
import { createRideNetwork, LATE, type RideNetwork } from '../src/plan/rides/ride-network.js';
import { createTour, routeOfTour } from '../src/plan/rides/tours.js';
import { readRealm } from '../src/realm/read-realm.js';
import { randomRides } from '../test/plan/rides/random-rides.js';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    seeds: { type: 'string', default: '3' },
    set: { type: 'string', default: 'all' },
    realm: { type: 'string', multiple: true, default: [] },
    out: { type: 'string', default: 'results/coordination/rides.jsonl' },
  },
});
const seconds = Number(values.seconds);
const seeds = Array.from({ length: Number(values.seeds) }, (_, i) => i + 1);
/** A file by its place beside this one, which runs from where it is compiled to. */
const beside = (path: string) => fileURLToPath(new URL(`../../../bench/${path}`, import.meta.url));
const scratch = join(mkdtempSync(join(tmpdir(), 'rides-')), 'problem.json');

/** The answer of a script: tours are stops in the numbers of the network. */
interface PeerAnswer {
  readonly metres: number | null;
  readonly bound?: number | null;
  readonly status?: string;
  readonly tours: readonly (readonly number[])[] | null;
  readonly seconds: number;
}

const large = seeds.map((seed) => () => readProblem(randomRides(100, 20, seed)));
const sizes = [3, 4, 5, 6].flatMap((rides) =>
  seeds.map((seed) => [rides, rides < 5 ? 2 : 3, seed] as const),
);
const small = [
  () => readProblem(JSON.parse(readFileSync(beside('../problems/ride-sharing.json'), 'utf8'))),
  ...sizes.map(
    ([rides, fleet, seed]) =>
      () =>
        readProblem(randomRides(rides, fleet, seed)),
  ),
];
const realm = values.realm.flatMap((dir) =>
  readdirSync(dir)
    .filter((name) => name.endsWith('.json'))
    .map((name) => () => {
      const { problem } = readRealm(JSON.parse(readFileSync(join(dir, name), 'utf8')));
      return readProblem(problem);
    }),
);
const km = (metres: number | null) => (metres === null ? '–' : (metres / 1000).toFixed(1));
const write = (line: string) => process.stdout.write(`${line}\n`);
mkdirSync(dirname(values.out), { recursive: true });

function table(script: string, peer: string, problems: readonly (() => Problem)[]): void {
  write(
    `| problem | ours, km | status | bound | direct bound | s | ${peer}, km | status | bound | s | ours to ${peer} |`,
  );
  write('| --- | ---: | --- | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: |');
  for (const load of problems) {
    const problem = load();
    const net = createRideNetwork(problem);
    if (net === null) throw new Error(`${problem.name} is not of rides alone`);
    const ours = tryPlanning(problem);
    if (ours !== null) requireValid(problem, ours.plan.actions);
    const answer = ask(script, net);
    const theirs = answer.tours === null ? null : drivesOf(net, answer.tours);
    if (theirs !== null) requireValid(problem, theirs);
    const isBoth = answer.metres !== null && ours !== null;
    const ratio = isBoth ? ours.cost.metres / (answer.metres ?? 1) - 1 : null;
    const row = {
      schema: 'alas-coordination/rides-bench@1',
      ...{ problem: problem.name, rides: net.rides.length, vehicles: net.vehicles.length, seconds },
      ours: ours && {
        ...{ metres: ours.cost.metres, lower_bound: ours.lowerBound, status: ours.status },
        ...{ direct_bound: ours.directBound, ...ours.stats },
      },
      peer: { name: peer, ...answer, tours: undefined },
      load: Number(loadavg()[0].toFixed(1)),
      machine: `${availableParallelism()} × ${cpus()[0].model.trim()}`,
    };
    appendFileSync(values.out, `${JSON.stringify(row)}\n`);
    const cells = [
      ...[problem.name, km(ours?.cost.metres ?? null), ours?.status ?? 'none'],
      ...[ours?.lowerBound, ours?.directBound, ours?.stats.seconds].map(
        (one) => one?.toFixed(1) ?? '–',
      ),
      ...[km(answer.metres), answer.status ?? '–'],
      ...[km(answer.bound ?? null), answer.seconds.toFixed(1)],
      ratio === null ? '–' : `${ratio > 0 ? '+' : ''}${(100 * ratio).toFixed(1)} %`,
    ];
    write(`| ${cells.join(' | ')} |`);
  }
}

/** A plan of this package; null if none was found. */
function tryPlanning(problem: Problem): PlanResult | null {
  try {
    return planCoordination(problem, { budget: { seconds } });
  } catch (error) {
    if (error instanceof AlasError && ['none_found', 'no_plan'].includes(error.code)) return null;
    throw error;
  }
}

function ask(script: string, net: RideNetwork): PeerAnswer {
  writeFileSync(scratch, JSON.stringify(dataOf(net)));
  try {
    return JSON.parse(
      execFileSync('python3', [beside(script), scratch, String(seconds)]).toString(),
    );
  } catch {
    // What a script says itself stands above.
    process.stderr.write(`${script} failed: it needs python3 with the package ortools\n`);
    process.exit(2);
  }
}

/** The network as the scripts read it. */
function dataOf({ stops, minutes, metres, ready, due, size, vehicles }: RideNetwork) {
  const rows = (matrix: ArrayLike<number>) =>
    Array.from({ length: stops }, (_, a) =>
      Array.from({ length: stops }, (_, b) => Math.min(1e8, matrix[a * stops + b])),
    );
  const latest = [...due].filter((time) => time < LATE);
  return {
    ...{ minutes: rows(minutes), metres: rows(metres), ready: [...ready], due: [...due] },
    horizon: Math.max(...latest) + 24 * 60,
    rides: [...size],
    vehicles: vehicles.map(({ seats, range }) => ({ seats, range: Math.min(1e9, range) })),
  };
}

function drivesOf(net: RideNetwork, tours: readonly (readonly number[])[]): Action[] {
  return tours.flatMap((stops, v) => {
    const tour = createTour(net, v, stops);
    const route = tour && routeOfTour(net, tour);
    if (!route)
      throw new Error(`${net.problem.name}: a tour of the peer is not possible: ${stops}`);
    return [...route.drives];
  });
}

function requireValid(problem: Problem, actions: readonly Action[]): void {
  const { violations } = judge(problem, { problem: problem.name, actions, claims: {} });
  if (violations.length > 0) throw new Error(`${problem.name}: ${violations[0].message}`);
}

if (realm.length > 0) table('routing.py', 'OR-Tools routing', realm);
else if (values.set !== 'small') table('routing.py', 'OR-Tools routing', large);
if (realm.length === 0 && values.set !== 'large') table('cpsat_rides.py', 'CP-SAT', small);
