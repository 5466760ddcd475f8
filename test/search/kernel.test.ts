import { createRandom } from '@alas-jssp/core/random';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { latestStart } from '../../src/jssp/calendar.js';
import {
  createInstance,
  type Instance,
  instanceFromJobs,
  MAX_TIME,
  replaceInstance,
} from '../../src/jssp/instance.js';
import { MAX_TOTAL_WEIGHT } from '../../src/jssp/instance-checks.js';
import { objectives, objectiveValue } from '../../src/jssp/objectives.js';
import { createSchedule, machineSequences } from '../../src/jssp/schedule.js';
import { headsAndTails, semiActive } from '../../src/jssp/timing.js';
import { orderByTime } from '../../src/search/evolution/solution.js';
import {
  createKernel,
  type Kernel,
  layOutTabuTable,
  valueOfCost,
  type Watched,
} from '../../src/search/kernel.js';
import { createProblem } from '../../src/search/problem.js';
import { arbitraryInstance, arbitraryInstanceAndSequences } from '../arbitraries.js';
import { estimatedTardiness } from './reference-estimate.js';
import {
  isAcyclicByHeads,
  isSurelyAcyclic,
  type Move,
  makeMove,
  movesOf,
  onlyPathTo,
} from './reference-moves.js';

/** A kernel at work on given machine orders. */
function load(instance: Instance, sequences: Int32Array, watched?: Watched): Kernel {
  const kernel = createKernel(instance, watched);
  kernel.load(orderByTime(semiActive(instance, sequences).start));
  return kernel;
}

/** The place of each operation in the kernel's order. */
function placesOf({ instance, arrays, number }: Kernel): Int32Array {
  const place = new Int32Array(instance.operations);
  arrays.order.forEach((op, i) => {
    place[op] = i;
  });
  return number.map((op) => place[op]);
}

/** The machine sequences that a kernel's order implies. */
function sequencesOf(kernel: Kernel): Int32Array {
  return machineSequences(createSchedule(kernel.instance, placesOf(kernel)));
}

/** The same without operations of zero duration, which may stand anywhere. */
function busyOrdersOf(kernel: Kernel): number[] {
  return [...sequencesOf(kernel)].filter((op) => kernel.instance.duration[op] > 0);
}

/** Makes the kernel prove that its heads, tails and makespan are those of its machine orders. */
function expectExact(kernel: Kernel): void {
  const { instance, arrays, number } = kernel;
  const { duration } = instance;
  expectExactHeads(kernel);
  const rest = [...number.map((op) => arrays.rest[op])];
  if (instance.calendar !== null) {
    const { horizon, farHorizon } = kernel.exports;
    expect(rest).toEqual(restsByCalendar(kernel, horizon()));
    const farRest = [...number.map((op) => arrays.farRest[op])];
    expect(farRest).toEqual(restsByCalendar(kernel, farHorizon()));
    return;
  }
  const { tail } = headsAndTails(instance, sequencesOf(kernel));
  expect(rest).toEqual([...tail.map((t, op) => t + duration[op])]);
}

/** The time from the latest start of each operation to a time by which all must be done. */
function restsByCalendar(kernel: Kernel, horizon: number): number[] {
  const { instance, arrays, number } = kernel;
  const operationOf = new Int32Array(instance.operations);
  number.forEach((one, op) => {
    operationOf[one] = op;
  });
  const latest = new Map([[instance.operations, horizon]]);
  for (const one of [...arrays.order].reverse()) {
    const { jobSuccessor, machineSuccessor } = arrays;
    const before = (successor: Int32Array) => latest.get(successor[one]) ?? Number.NaN;
    const by = Math.min(before(jobSuccessor), before(machineSuccessor));
    latest.set(one, latestStart(instance, operationOf[one], by));
  }
  return [...number].map((one) => horizon - (latest.get(one) ?? Number.NaN));
}

/** The same, where the search has no use for tails and does not keep them. */
function expectExactHeads(kernel: Kernel): void {
  const { arrays, number, exports } = kernel;
  const schedule = scheduleOf(kernel);
  expect([...number.map((op) => arrays.end[op])]).toEqual([...schedule.end]);
  expect(exports.makespan()).toBe(schedule.makespan);
}

/** The schedule of a kernel's machine orders, timed from nothing. */
function scheduleOf(kernel: Kernel) {
  return semiActive(kernel.instance, sequencesOf(kernel));
}

/** Two operations of one machine that occupy it, the earlier one first; null if there are none. */
function drawPair(kernel: Kernel, random: ReturnType<typeof createRandom>) {
  const { instance } = kernel;
  const place = placesOf(kernel);
  const { machineOffset, machineOperations, machines, duration } = instance;
  const k = random.integer(0, machines - 1);
  const ops = [...machineOperations.subarray(machineOffset[k], machineOffset[k + 1])]
    .filter((op) => duration[op] > 0)
    .sort((a, b) => place[a] - place[b]);
  if (ops.length < 2) return null;
  const first = random.integer(0, ops.length - 2);
  return [ops[first], ops[random.integer(first + 1, ops.length - 1)]] as const;
}

const shapes = [{}, { releases: true }, { releases: true, downtimes: true }];

describe.each(shapes)('the kernel on random instances %j', (shape) => {
  const cases = fc.tuple(arbitraryInstanceAndSequences(shape), fc.nat());

  it('keeps heads, tails and order exact over any moves, and refuses those that close a cycle', () => {
    let made = 0;
    let refused = 0;
    fc.assert(
      fc.property(cases, ([[instance, sequences], seed]) => {
        const kernel = load(instance, sequences);
        expectExact(kernel);
        const random = createRandom(seed);
        for (let move = 0; move < 30; move++) {
          const pair = drawPair(kernel, random);
          if (pair === null) continue;
          const [u, v] = pair.map((op) => kernel.number[op]);
          const before = kernel.arrays.order.slice();
          const { moveAfter, moveBefore } = kernel.exports;
          const done = random.next() < 0.5 ? moveAfter(u, v) : moveBefore(v, u);
          if (done) made++;
          else {
            refused++;
            expect(kernel.arrays.order).toEqual(before);
          }
          expectExact(kernel);
        }
      }),
      { numRuns: 100 },
    );
    expect(made).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(20);
  });
});

describe('the estimates of the kernel', () => {
  it('never exceed the makespan after a swap of neighbours on a machine', () => {
    let swaps = 0;
    fc.assert(
      fc.property(
        arbitraryInstanceAndSequences({ releases: true }),
        fc.nat(),
        ([instance, sequences], seed) => {
          const kernel = load(instance, sequences);
          const random = createRandom(seed);
          for (let i = 0; i < 20; i++) {
            const pair = drawPair(kernel, random);
            const current = sequencesOf(kernel);
            if (pair === null || current.indexOf(pair[1]) !== current.indexOf(pair[0]) + 1)
              continue;
            const [u, v] = pair.map((op) => kernel.number[op]);
            const { estimateAfter, estimateBefore, moveAfter, makespan } = kernel.exports;
            const estimate = estimateAfter(u, v);
            expect(estimateBefore(v, u)).toBe(estimate);
            if (!moveAfter(u, v)) continue;
            swaps++;
            expect(estimate).toBeLessThanOrEqual(makespan());
          }
        },
      ),
      { numRuns: 300 },
    );
    expect(swaps).toBeGreaterThan(300);
  });
});

describe('the estimates of the kernel under downtimes', () => {
  it('say of a swap of neighbours that all ends by the horizon wherever it does', () => {
    const outcomes = { inTime: 0, late: 0 };
    const shape = { releases: true, downtimes: true };
    fc.assert(
      fc.property(arbitraryInstanceAndSequences(shape), fc.nat(), ([instance, sequences], seed) => {
        fc.pre(instance.calendar !== null);
        const kernel = load(instance, sequences);
        const random = createRandom(seed);
        for (let i = 0; i < 20; i++) {
          const pair = drawPair(kernel, random);
          const current = sequencesOf(kernel);
          if (pair === null || current.indexOf(pair[1]) !== current.indexOf(pair[0]) + 1) continue;
          const [u, v] = pair.map((op) => kernel.number[op]);
          const { moveAfter, makespan, horizon } = kernel.exports;
          const { estimateAfterByCalendar, estimateBeforeByCalendar } = kernel.exports;
          const estimate = estimateAfterByCalendar(u, v);
          expect(estimateBeforeByCalendar(v, u)).toBe(estimate);
          if (!moveAfter(u, v)) continue;
          if (estimate > horizon()) expect(makespan()).toBeGreaterThan(horizon());
          outcomes[estimate > horizon() ? 'late' : 'inTime']++;
        }
      }),
      { numRuns: 300 },
    );
    expect(outcomes.inTime).toBeGreaterThan(100);
    expect(outcomes.late).toBeGreaterThan(20);
  });
});

describe('the search of the kernel', () => {
  it('is the same in whatever slices it is made, by iterations or by trials', () => {
    const cases = arbitraryInstanceAndSequences({ releases: true, downtimes: true });
    const sizes = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(cases, sizes, fc.boolean(), ([instance, sequences], slice, isLimited) => {
        // Under a limit moves are tried out.
        const triesOut = isLimited && instance.operations > 0;
        const watched = triesOut ? { op: [0], due: [10_000], weight: [-1] } : undefined;
        const run = (steps: number, trials: number) => {
          const kernel = load(instance, sequences, watched);
          const { exports } = kernel;
          exports.configure(6, 5, 3, false);
          exports.seedRandom(slice);
          exports.limitTrials(trials);
          exports.start();
          let calls = 1;
          const left = () => Math.min(steps, 60 - exports.iterations());
          while (exports.search(left(), 100, 0) !== 0 && left() > 0) calls++;
          return { calls, order: kernel.bestOrder(), iterations: exports.iterations() };
        };
        const [whole, byTrials] = [run(60, 2 ** 30), run(60, slice)];
        expect({ ...run(slice, 2 ** 30), calls: 1 }).toEqual({ ...whole, calls: 1 });
        expect({ ...byTrials, calls: 1 }).toEqual({ ...whole, calls: 1 });
        // A call with trials left over has made all its iterations.
        const isWhole = triesOut && whole.iterations === 60;
        if (isWhole) expect(byTrials.calls).toBeGreaterThan(60 / (slice + 1));
      }),
      { numRuns: 100 },
    );
  });

  it('repeats itself for equal seeds, and its best order has the makespan that it reports', () => {
    fc.assert(
      fc.property(
        arbitraryInstanceAndSequences({ releases: true, downtimes: true }),
        fc.integer({ min: 1, max: 999 }),
        ([instance, sequences], seed) => {
          const run = () => {
            const kernel = load(instance, sequences);
            kernel.exports.configure(6, 5, 3, false);
            kernel.exports.seedRandom(seed);
            kernel.exports.start();
            kernel.exports.search(200, 100, 0);
            const best = kernel.exports.bestCost();
            const order = kernel.bestOrder();
            kernel.load(order);
            expectExact(kernel);
            expect(kernel.exports.makespan()).toBe(best);
            return [...order];
          };
          expect(run()).toEqual(run());
        },
      ),
      { numRuns: 100 },
    );
  });
});

/** Random shops that the kernel may have to search, with due dates that hurt. */
const searchedShops = (shape: { downtimes?: boolean }) =>
  arbitraryInstanceAndSequences({ maxJobs: 7, maxLength: 7, releases: true, ...shape }).chain(
    ([instance, sequences]) =>
      fc.record({
        instance: fc
          .array(fc.integer({ min: -1, max: 60 }), {
            minLength: instance.jobs,
            maxLength: instance.jobs,
          })
          .map((due) => replaceInstance(instance, { due: Int32Array.from(due) })),
        sequences: fc.constant(sequences),
        seed: fc.integer({ min: 1, max: 999 }),
      }),
  );

const searched = searchedShops({});

/** Trials of an iteration: all moves; none, where estimates decide; the most promising ones. */
const kinds = [5, 6, 7].flatMap((hood) =>
  objectives.flatMap((objective) =>
    (objective === 'makespan' ? [-1] : [-1, 0, 2]).map((tried) => ({ hood, objective, tried })),
  ),
);

describe.each(kinds)('a step of the search in N$hood for $objective, $tried tried', (kind) => {
  const { hood, objective, tried } = kind;
  const isTardiness = objective !== 'makespan';

  /** A kernel that has started, and another one at work on the same machine orders. */
  const startPair = (instance: Instance, sequences: Int32Array, seed: number) => {
    const { watched } = createProblem(instance, objective);
    const [kernel, twin] = [1, 2].map(() => load(instance, sequences, watched));
    kernel.exports.configure(hood, 4, 3, isTardiness);
    kernel.exports.configureTrials(tried);
    kernel.exports.seedRandom(seed);
    kernel.exports.start();
    return { kernel, twin };
  };

  it('moves an operation, closes no cycle, and keeps heads, tails and costs exact', () => {
    let moved = 0;
    fc.assert(
      fc.property(
        fc.oneof(searched, searchedShops({ downtimes: true })),
        ({ instance, sequences, seed }) => {
          const { kernel } = startPair(instance, sequences, seed);
          let best = Number.POSITIVE_INFINITY;
          for (let step = 0; step < 25; step++) {
            best = Math.min(best, objectiveValue(scheduleOf(kernel), objective));
            expect(kernel.exports.bestCost()).toBe(best);
            const before = busyOrdersOf(kernel);
            const goesOn = kernel.exports.search(1, 2 ** 30, -1) !== 0;
            // A move that the graph refuses, as it does with a cycle, would leave all as it was.
            if (goesOn) expect(busyOrdersOf(kernel)).not.toEqual(before);
            else expect(busyOrdersOf(kernel)).toEqual(before);
            if (isTardiness) expectExactHeads(kernel);
            else expectExact(kernel);
            if (!goesOn) break;
            moved++;
          }
        },
      ),
      { numRuns: 60 },
    );
    expect(moved).toBeGreaterThan(100);
  });

  it.skipIf(tried > 0)(
    'takes the best of the moves of a path, none of which closes a cycle',
    () => {
      let chosen = 0;
      fc.assert(
        fc.property(searched, ({ instance: shop, sequences, seed }) => {
          // At most one job is tardy.
          const due = shop.due?.map((date, job) => (job === seed % shop.jobs ? date : -1)) ?? null;
          const instance = replaceInstance(shop, { due });
          const { kernel, twin } = startPair(instance, sequences, seed);
          const target = onlyLateOne(kernel, isTardiness);
          const path = target === null ? null : onlyPathTo(kernel, target);
          if (path === null) return;
          const moves = movesOf(kernel, hood, path, !isTardiness).filter((move) =>
            tried === 0
              ? isAcyclicByHeads(kernel, move)
              : isTardiness || isSurelyAcyclic(kernel, move),
          );
          // Every move on the twin, from the same orders each time.
          const order = Int32Array.from(orderByTime(scheduleOf(kernel).start));
          const outcomes = moves.flatMap(({ kind, u, v }) => {
            twin.load(order);
            const { estimateAfter, estimateBefore } = twin.exports;
            const estimate = kind === 'u after v' ? estimateAfter(u, v) : estimateBefore(v, u);
            const byTails = tried === 0 ? estimatedTardiness(twin, { kind, u, v }) : null;
            const isAcyclic = makeMove(twin, { kind, u, v });
            if (!isTardiness || tried === 0) expect(isAcyclic).toBe(true);
            if (!isAcyclic) return [];
            const exact = objectiveValue(scheduleOf(twin), objective);
            return [
              { cost: byTails ?? (isTardiness ? exact : estimate), orders: busyOrdersOf(twin) },
            ];
          });
          expect(kernel.exports.search(1, 2 ** 30, -1) !== 0).toBe(outcomes.length > 0);
          if (outcomes.length === 0) return;
          const least = Math.min(...outcomes.map(({ cost }) => cost));
          const bestOnes = outcomes.filter(({ cost }) => cost === least);
          expect(bestOnes.map(({ orders }) => orders)).toContainEqual(busyOrdersOf(kernel));
          if (outcomes.length > bestOnes.length) chosen++;
        }),
        { numRuns: 250 },
      );
      expect(chosen).toBeGreaterThan(10);
    },
  );
});

/** Swaps neighbours until every machine has its operations by job. */
function oneJobAfterTheOther({ instance, number, arrays, exports }: Kernel): void {
  const jobOf = new Int32Array(instance.operations + 1).fill(-1);
  number.forEach((op, original) => {
    jobOf[op] = instance.jobOf[original];
  });
  for (let hasMoved = true; hasMoved; ) {
    hasMoved = false;
    for (const op of number) {
      const next = arrays.machineSuccessor[op];
      if (jobOf[next] < 0 || jobOf[next] > jobOf[op]) continue;
      if (exports.moveAfter(op, next) !== 0) hasMoved = true;
    }
  }
}

describe('moves by estimates for all jobs', () => {
  it('are the best of the path by their definition, after any moves and with long times, too', () => {
    let chosen = 0;
    fc.assert(
      fc.property(
        searched,
        fc.constantFrom(1, 1000),
        ({ instance: shop, sequences, seed }, unit) => {
          const times = (values: Int32Array) => values.map((value) => value * unit);
          const instance = replaceInstance(shop, {
            duration: times(shop.duration),
            release: shop.release && times(shop.release),
            due:
              shop.due && times(shop.due).map((due, job) => (due >= 0 && job % 2 === 0 ? due : -1)),
          });
          const { watched } = createProblem(instance, 'total-weighted-tardiness');
          const kernel = load(instance, sequences, watched);
          // Nothing is forbidden.
          kernel.exports.configure(6, 0, 0, true);
          kernel.exports.configureTrials(0);
          kernel.exports.seedRandom(seed);
          kernel.exports.start();
          for (let step = 0; step < 12; step++) {
            const target = onlyLateOne(kernel, true);
            const path = target === null ? null : onlyPathTo(kernel, target);
            const moves = path === null ? [] : movesOf(kernel, 6, path, false);
            const outcomes = moves
              .filter((move) => isAcyclicByHeads(kernel, move))
              .map((move) => ({
                cost: estimatedTardiness(kernel, move),
                orders: machineOrdersAfter(kernel, move),
              }));
            if (kernel.exports.search(1, 2 ** 30, -1) === 0) return;
            if (path === null) continue;
            const least = Math.min(...outcomes.map(({ cost }) => cost));
            const bestOnes = outcomes.filter(({ cost }) => cost === least);
            const orders = machineOrdersAfter(kernel, null);
            expect(bestOnes.map((one) => one.orders)).toContainEqual(orders);
            if (step > 0 && outcomes.length > bestOnes.length) chosen++;
          }
        },
      ),
      { numRuns: 200 },
    );
    expect(chosen).toBeGreaterThan(20);
  });

  it('are the best of the path where times have more than doubled since the start', () => {
    // Each job begins one machine later than the one before: all machines are busy all the time, or one at a time.
    const steps = [0, 1, 2, 3].map((job) =>
      [0, 1, 2, 3].map((step) => [(job + step) % 4, 4000 + ((17 * job + 5 * step * step) % 80)]),
    );
    const shop = instanceFromJobs('square', steps as [number, number][][]);
    const instance = replaceInstance(shop, { due: Int32Array.of(-1, -1, -1, 0) });
    const { watched } = createProblem(instance, 'total-weighted-tardiness');
    const busy = [0, 1, 2, 3].flatMap((k) =>
      [0, 1, 2, 3].map((step) => 4 * ((4 + k - step) % 4) + step),
    );
    let compared = 0;
    for (let seed = 1; seed < 20; seed++) {
      const kernel = load(instance, Int32Array.from(busy), watched);
      kernel.exports.configure(6, 0, 0, true);
      kernel.exports.configureTrials(0);
      kernel.exports.seedRandom(seed);
      kernel.exports.start();
      expect(kernel.exports.makespan()).toBeLessThan(2 ** 14);
      oneJobAfterTheOther(kernel);
      expect(kernel.exports.makespan()).toBeGreaterThan(2 ** 15);
      for (let step = 0; step < 5; step++) {
        const target = onlyLateOne(kernel, true);
        const path = target === null ? null : onlyPathTo(kernel, target);
        const outcomes = (path === null ? [] : movesOf(kernel, 6, path, false))
          .filter((move) => isAcyclicByHeads(kernel, move))
          .map((move) => ({
            cost: estimatedTardiness(kernel, move),
            orders: machineOrdersAfter(kernel, move),
          }));
        kernel.exports.search(1, 2 ** 30, -1);
        if (outcomes.length === 0) continue;
        const least = Math.min(...outcomes.map(({ cost }) => cost));
        const bestOnes = outcomes.filter(({ cost }) => cost === least).map(({ orders }) => orders);
        expect(bestOnes).toContainEqual(machineOrdersAfter(kernel, null));
        if (outcomes.length > bestOnes.length) compared++;
      }
    }
    expect(compared).toBeGreaterThan(0);
  });

  it('keep costs exact where jobs are too many for them, and where limits count', () => {
    const jobs = 140;
    const shop = instanceFromJobs(
      'shop',
      Array.from({ length: jobs }, (_, job) => [
        [job % 3, 1 + (job % 7)],
        [(job + 1) % 3, 1 + (job % 5)],
      ]),
    );
    const due = Int32Array.from({ length: jobs }, (_, job) => 3 * job);
    for (const changes of [{ due }, { deadline: due.map((time) => time + 160) }]) {
      for (const tried of [0, 3]) {
        const instance = replaceInstance(shop, changes);
        const objective = 'due' in changes ? 'total-weighted-tardiness' : 'makespan';
        const problem = createProblem(instance, objective);
        const kernel = load(instance, instance.machineOperations, problem.watched);
        kernel.exports.configure(6, 4, 3, objective !== 'makespan');
        kernel.exports.configureTrials(tried);
        kernel.exports.seedRandom(1);
        kernel.exports.start();
        const before = kernel.exports.bestCost();
        kernel.exports.search(300, 2 ** 30, 0);
        const best = kernel.exports.bestCost();
        expect(best).toBeLessThan(before);
        kernel.load(kernel.bestOrder());
        expect(valueOfCost(best)).toBe(problem.valueOf(scheduleOf(kernel)));
      }
    }
  });
});

/** The operations of each machine in their order, after a move of neighbours of a block or as they are. */
function machineOrdersAfter({ arrays, instance }: Kernel, move: Move | null): number[][] {
  const { order, machine, machinePredecessor, machineSuccessor, duration } = arrays;
  const { operations } = instance;
  const orders: number[][] = Array.from({ length: instance.machines }, () => []);
  for (const first of order) {
    if (duration[first] === 0 || machinePredecessor[first] < operations) continue;
    for (let op = first; op < operations; op = machineSuccessor[op]) orders[machine[op]].push(op);
  }
  if (move === null) return orders;
  const { kind, u, v } = move;
  const queue = orders[machine[u]];
  const mover = kind === 'u after v' ? u : v;
  const goal = kind === 'u after v' ? v : u;
  queue.splice(queue.indexOf(mover), 1);
  queue.splice(queue.indexOf(goal) + (mover === u ? 1 : 0), 0, mover);
  return orders;
}

/** The operation at the end of every critical path, or of the only tardy job; else null. */
function onlyLateOne(kernel: Kernel, isTardiness: boolean): number | null {
  const { arrays, exports } = kernel;
  const late = isTardiness
    ? [...arrays.watched].filter((op, i) => arrays.end[op] > arrays.watchedDue[i])
    : [...arrays.last].filter((op) => arrays.end[op] === exports.makespan());
  return late.length === 1 ? late[0] : null;
}

/** Whether every job alone meets its deadline: other instances are not searched at all. */
function isPossible(instance: Instance): boolean {
  const { jobs, jobOffset, deadline, machineOperations } = instance;
  return Array.from({ length: jobs }, (_, job) => {
    const alone = replaceInstance(instance, {
      duration: instance.duration.map((d, op) => (instance.jobOf[op] === job ? d : 0)),
    });
    const { end } = semiActive(alone, machineOperations);
    const isEmpty = jobOffset[job] === jobOffset[job + 1];
    const limit = deadline?.[job] ?? -1;
    return isEmpty || limit < 0 || end[jobOffset[job + 1] - 1] <= limit;
  }).every(Boolean);
}

describe('the cost of the kernel', () => {
  const costsOf = (instance: Instance, sequences: Int32Array) =>
    objectives.map((objective) => {
      const problem = createProblem(instance, objective);
      const kernel = load(instance, sequences, problem.watched);
      kernel.exports.configure(6, 5, 3, objective !== 'makespan');
      kernel.exports.start();
      const value = problem.valueOf(scheduleOf(kernel));
      return { cost: valueOfCost(kernel.exports.bestCost()), value };
    });

  it('is the value of the objective, and infinite just where a deadline is missed', () => {
    const shape = { releases: true, downtimes: true, dueDates: true, weights: true };
    let missed = 0;
    fc.assert(
      fc.property(
        arbitraryInstanceAndSequences({ ...shape, deadlines: true }),
        ([instance, sequences]) => {
          fc.pre(instance.operations > 0 && isPossible(instance));
          for (const { cost, value } of costsOf(instance, sequences)) {
            expect(cost).toBe(value);
            if (value === Number.POSITIVE_INFINITY) missed++;
          }
        },
      ),
      { numRuns: 300 },
    );
    expect(missed).toBeGreaterThan(10);
  });

  it('distinguishes the heaviest jobs at the last moment from a missed deadline', () => {
    const shop = replaceInstance(instanceFromJobs('shop', [[[0, MAX_TIME - 1]], [[0, 1]]]), {
      due: Int32Array.of(-1, 0),
      weight: Int32Array.of(0, MAX_TOTAL_WEIGHT),
    });
    const sequences = Int32Array.of(0, 1);
    const value = MAX_TOTAL_WEIGHT * MAX_TIME;
    expect(costsOf(shop, sequences)[1]).toEqual({ cost: value, value });
    const late = replaceInstance(shop, { deadline: Int32Array.of(-1, MAX_TIME - 1) });
    for (const { cost } of costsOf(late, sequences)) expect(cost).toBe(Number.POSITIVE_INFINITY);
  });
});

test('every ordered pair of operations of one machine has an entry of its own', () => {
  fc.assert(
    fc.property(arbitraryInstance({ maxJobs: 8 }), (instance) => {
      const { row, column, size } = layOutTabuTable(instance);
      const entries = [];
      for (let a = 0; a < instance.operations; a++) {
        for (let b = 0; b < instance.operations; b++) {
          if (instance.machine[a] === instance.machine[b]) entries.push(row[a] + column[b]);
        }
      }
      expect(new Set(entries).size).toBe(entries.length);
      expect(entries.every((entry) => entry >= 0 && entry < size)).toBe(true);
      expect(size).toBe(entries.length);
    }),
  );
});

test('beyond 2^24 pairs entries are shared, but none lies outside the table', () => {
  const width = 5000;
  const instance = createInstance({
    name: 'one wide machine',
    machines: 1,
    jobOffset: Int32Array.from({ length: width + 1 }, (_, job) => job),
    machine: new Int32Array(width),
    duration: new Int32Array(width).fill(1),
  });
  const { row, column, size } = layOutTabuTable(instance);
  const highest = (places: Int32Array) => places.reduce((a, b) => Math.max(a, b));
  expect(size).toBeLessThan(width * width);
  expect(highest(row) + highest(column)).toBeLessThan(size);
});
