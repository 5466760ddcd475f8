// How exact the kernel of the search is. Build first, then
//   node bench/search-exactness.mjs [--moves 1000000]
// 1. Heads and tails after so many random moves on the machines of ta01, ta41 and a shop with
//    releases and downtimes, compared with timing from nothing every 1,000 moves.
// 2. What the estimates of N6 moves on critical blocks are off by, in the course of a search. Those
//    of neighbours may never exceed the makespan after the swap.
// Ends with an error at the first number that is wrong.
import { deepStrictEqual, ok } from 'node:assert';
import { parseArgs } from 'node:util';
import { generateRandom, replaceInstance, resolveSource } from 'alas-jssp/jssp';
import { dispatch } from 'alas-jssp/search';
import { createRandom } from '../dist/core/random.js';
import { createCalendar, latestStart } from '../dist/jssp/calendar.js';
import { createSchedule, machineSequences } from '../dist/jssp/schedule.js';
import { headsAndTails, machineNeighbours, semiActive } from '../dist/jssp/timing.js';
import { orderByTime } from '../dist/search/evolution/solution.js';
import { createKernel } from '../dist/search/kernel.js';
import { endWithError } from './search/rows.mjs';

// Wrong options end in one line.
process.on('uncaughtException', endWithError);

const { values } = parseArgs({ options: { moves: { type: 'string', default: '1000000' } } });
const MOVES = Number(values.moves);
const BETWEEN_CHECKS = 1000;
/** States of a search that are looked at, and iterations from one to the next. */
const STATES = 2000;
const STEPS = 25;

const random = createRandom(1);
const shop = withReleases(generateRandom({ jobs: 30, machines: 15, seed: 1, recirculation: true }));
const benchmarks = ['ta01', 'ta41'].map((name) => resolveSource(name).load());

for (const instance of [...benchmarks, withDowntimes(shop)]) checkMoves(instance);
const columns = ['exact', 'below', 'above', 'mean error', 'most below', 'most above'];
console.log(`\n${'estimates'.padEnd(24)}${'moves'.padStart(10)}${columns.map(pad).join('')}`);
for (const instance of [...benchmarks, shop]) checkEstimates(instance);

function pad(text) {
  return text.padStart(12);
}

function withReleases(instance) {
  const release = instance.duration.map(() => (random.next() < 0.3 ? random.integer(0, 1500) : 0));
  return replaceInstance(instance, { release, name: 'releases' });
}

function withDowntimes(instance) {
  const downtimes = [];
  for (let machine = 0; machine < instance.machines; machine++) {
    for (let to = 0; to < 3000; ) {
      const from = to + random.integer(50, 400);
      to = from + random.integer(10, 100);
      downtimes.push({ machine, from, to, resumable: random.next() < 0.5 });
    }
  }
  const calendar = createCalendar(instance.machines, downtimes);
  return replaceInstance(instance, { calendar, name: 'releases and downtimes' });
}

function loaded(instance) {
  const kernel = createKernel(instance);
  kernel.load(orderByTime(dispatch(instance, { rule: 'mwkr' }).start));
  return kernel;
}

/** Random moves of an operation to the other side of another one on its machine. */
function checkMoves(instance) {
  const kernel = loaded(instance);
  const { machineSuccessor } = kernel.arrays;
  let refused = 0;
  let checks = 0;
  for (let made = 0; made < MOVES; ) {
    const u = random.integer(0, instance.operations - 1);
    let v = machineSuccessor[u];
    for (let step = random.integer(0, 9); step > 0 && v < instance.operations; step--) {
      if (machineSuccessor[v] < instance.operations) v = machineSuccessor[v];
    }
    if (v === instance.operations) continue;
    const isForward = random.next() < 0.5;
    const { moveAfter, moveBefore } = kernel.exports;
    if (isForward ? moveAfter(u, v) : moveBefore(v, u)) made++;
    else refused++;
    if (made !== BETWEEN_CHECKS * (checks + 1) && made !== MOVES) continue;
    compare(kernel);
    checks++;
  }
  console.log(
    `${instance.name}: ${MOVES} moves, ${refused} refused as cycles; heads, tails and makespan right in ${checks} of ${checks} comparisons`,
  );
}

/** Compares heads, tails and makespan with what the machine orders come to from nothing. */
function compare({ instance, arrays, number, exports }) {
  const place = new Int32Array(instance.operations);
  arrays.order.forEach((op, i) => {
    place[op] = i;
  });
  const places = createSchedule(
    instance,
    number.map((op) => place[op]),
  );
  const sequences = machineSequences(places);
  const { end, makespan } = semiActive(instance, sequences);
  const { tail } = headsAndTails(instance, sequences);
  deepStrictEqual(
    number.map((op) => arrays.end[op]),
    end,
  );
  deepStrictEqual(
    number.map((op) => arrays.rest[op]),
    instance.calendar === null
      ? tail.map((time, op) => time + instance.duration[op])
      : restsByCalendar(instance, sequences, exports.horizon()),
  );
  deepStrictEqual(exports.makespan(), makespan);
}

/** The time from the latest start of each operation to a time by which all is to be done. */
function restsByCalendar(instance, sequences, horizon) {
  const { order } = headsAndTails(instance, sequences);
  const { successor } = machineNeighbours(instance, sequences);
  const latest = new Int32Array(instance.operations);
  for (const op of order.toReversed()) {
    const isLast = instance.jobOf[op + 1] !== instance.jobOf[op];
    const byJob = isLast ? horizon : latest[op + 1];
    const byMachine = successor[op] < 0 ? horizon : latest[successor[op]];
    latest[op] = latestStart(instance, op, Math.min(byJob, byMachine));
  }
  return latest.map((start) => horizon - start);
}

function checkEstimates(instance) {
  const kernel = loaded(instance);
  kernel.exports.configure(6, 10, 4, false);
  kernel.exports.seedRandom(1);
  kernel.exports.start();
  const neighbours = [];
  const others = [];
  for (let state = 0; state < STATES; state++) {
    kernel.exports.search(STEPS, 2 ** 30, 0);
    for (const move of movesOf(kernel)) {
      const error = errorOf(kernel, move);
      const isSwap = kernel.arrays.machineSuccessor[move.u] === move.v;
      (isSwap ? neighbours : others).push(error);
    }
  }
  ok(neighbours.every((error) => error <= 0));
  tell(`${instance.name}, neighbours`, neighbours);
  tell(`${instance.name}, others`, others);
}

/** N6 on a critical path, where heads and tails rule out a cycle. */
function movesOf({ instance, arrays }) {
  const { end, rest, duration, machinePredecessor, jobPredecessor, jobSuccessor } = arrays;
  const moves = [];
  for (const block of blocksOf({ instance, arrays })) {
    const [front, back] = [block[0], block.at(-1)];
    for (const op of block) {
      const [next, before] = [jobSuccessor[op], jobPredecessor[op]];
      if (op !== back && next !== back && rest[back] > rest[next] - duration[next]) {
        moves.push({ u: op, v: back, isForward: true });
      }
      // A swap of neighbours is the same in both directions.
      if (op === front || machinePredecessor[op] === front || before === front) continue;
      if (end[front] > end[before] - duration[before]) {
        moves.push({ u: front, v: op, isForward: false });
      }
    }
  }
  return moves;
}

/** The blocks of two or more operations of a critical path. */
function blocksOf({ instance, arrays }) {
  const { end, release, last, jobPredecessor, machinePredecessor } = arrays;
  const makespan = Math.max(...last.map((op) => end[op]));
  let op = last.find((one) => end[one] === makespan);
  const blocks = [[op]];
  for (;;) {
    const [a, b] = [jobPredecessor[op], machinePredecessor[op]];
    const ready = Math.max(end[a], end[b]);
    if (ready === 0 || ready < release[op]) break;
    const viaMachine = end[b] === ready && b < instance.operations;
    op = viaMachine ? b : a;
    if (viaMachine) blocks[0].unshift(op);
    else blocks.unshift([op]);
  }
  return blocks.filter((block) => block.length > 1);
}

/** What an estimate exceeds the makespan after the move by, in percent of that. */
function errorOf({ arrays, exports }, { u, v, isForward }) {
  const { machineSuccessor, machinePredecessor } = arrays;
  const estimate = isForward ? exports.estimateAfter(u, v) : exports.estimateBefore(v, u);
  const [following, preceding] = [machineSuccessor[u], machinePredecessor[v]];
  ok(isForward ? exports.moveAfter(u, v) : exports.moveBefore(v, u));
  const makespan = exports.makespan();
  ok(isForward ? exports.moveBefore(u, following) : exports.moveAfter(v, preceding));
  return (100 * (estimate - makespan)) / makespan;
}

function tell(name, errors) {
  const share = (has) => `${((100 * errors.filter(has).length) / errors.length).toFixed(1)} %`;
  const mean = errors.reduce((sum, error) => sum + Math.abs(error), 0) / errors.length;
  const least = errors.reduce((a, b) => Math.min(a, b), 0);
  const most = errors.reduce((a, b) => Math.max(a, b), 0);
  const figures = [
    share((error) => error === 0),
    share((error) => error < 0),
    share((error) => error > 0),
    `${mean.toFixed(2)} %`,
    `${(-least).toFixed(2)} %`,
    `${most.toFixed(2)} %`,
  ];
  console.log(
    `${name.padEnd(24)}${String(errors.length).padStart(10)}${figures.map(pad).join('')}`,
  );
}
