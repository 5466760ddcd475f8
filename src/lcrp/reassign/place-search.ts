import type { Random } from '@alas-jssp/core/random';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { modeMachine } from '../../jssp/shop-parts.js';
import { withModes } from '../../jssp/shop-timing/lists.js';
import {
  criticalChain,
  estimatePlaces,
  estimateTurns,
  type MoveRules,
  type ShopMove,
  tailsTo,
} from './moves.js';
import { movesBack, plannedLeft, reversedPairs, type SettledPlan, swapWithNext } from './settle.js';
import { openState, putBehind, type ShopState, takeOut, timeQueues } from './shop-state.js';
import { costOfState, type Goals, targetsOf } from './targets.js';

/** Moves of each step that are tried exactly, the most promising ones by their estimates. */
const TRIED = 5;
/** Steps during which an operation that moved stays, and random ones in addition. */
const TENURE = 4;
const MORE_TENURE = 6;
/** Steps without a better schedule after which the search continues from the best one. */
const PATIENCE = 30;
/** Random moves before the search continues from the best one, up to this number, … */
const KICKS = 3;
/** … each among so many of the most promising ones. */
const KICK_CHOICE = 20;

/** Queues and modes with their cost. */
interface Snapshot {
  readonly cost: number;
  readonly mode: Int32Array;
  readonly before: Int32Array;
  readonly start: Int32Array;
}

/** A search by moves of single operations to other places and machines. */
export interface PlaceSearch {
  /** The cost of the best queues so far. */
  readonly cost: number;
  /** Moves tried exactly so far. */
  readonly evaluations: number;
  /** Searches until so many moves have been tried, the goal is met, or `isOver` returns true. */
  improve(evaluations: number, goal: number, isOver: () => boolean): void;
  /** Brings back what costs no more in its planned mode or order, in a limited number of trials. */
  settle(plan: SettledPlan, evaluations: number): void;
  /** The schedule of the best queues, each operation as early as possible. */
  schedule(): Schedule;
}

/** The limits of a search, its goals, and its random numbers. */
export interface PlaceSearchSettings {
  readonly rules: MoveRules;
  readonly goals: (state: ShopState) => Goals;
  readonly random: Random;
}

/**
 * Tabu search over modes and queues: in each step some operation on a chain of waiting operations goes to the best other
 * place, on its machine or on another one, by estimates of which the best are tried exactly.
 *
 * @param from a feasible schedule
 */
export function openPlaceSearch(from: Schedule, settings: PlaceSearchSettings): PlaceSearch {
  const { rules, random } = settings;
  const state = openState(from);
  const goals = settings.goals(state);
  timeQueues(state);
  let cost = costOfState(state, goals);
  let best = snapshot(state, cost);
  let evaluations = 0;
  const until = new Int32Array(state.mode.length);
  const tail = new Int32Array(state.mode.length);
  const restore = ({ mode, before, start }: Snapshot) => {
    restoreQueues(state, mode, before);
    state.rank.set(start);
    timeQueues(state);
  };
  let step = 0;
  let idle = 0;
  const candidates = (): ShopMove[] => {
    const found: ShopMove[] = [];
    for (const target of targetsOf(state, goals)) {
      tailsTo(state, target, tail);
      for (const op of criticalChain(state, target)) {
        if (rules.movable[op] === 0) continue;
        estimatePlaces(state, op, tail, rules, target, found);
        estimateTurns(state, op, tail, target, found);
      }
    }
    return found.sort((a, b) => a.estimate - b.estimate);
  };
  const takeStep = (): boolean => {
    step++;
    const here = snapshot(state, cost);
    let chosen: { move: ShopMove; cost: number } | null = null;
    let tried = 0;
    for (const move of candidates()) {
      if (tried >= TRIED) break;
      const isTabu = until[move.op] > step;
      if (isTabu && tried + 1 >= TRIED) continue;
      tried++;
      evaluations++;
      const rank = state.rank[move.op];
      const found = tryMove(state, move, goals);
      undoMove(state, move.op, here);
      state.rank[move.op] = rank;
      if (isTabu && found >= best.cost) continue;
      if (chosen === null || found < chosen.cost) chosen = { move, cost: found };
    }
    if (chosen === null || chosen.cost === Number.POSITIVE_INFINITY) {
      restore(here);
      return false;
    }
    cost = tryMove(state, chosen.move, goals);
    state.rank.set(state.start);
    until[chosen.move.op] = step + TENURE + random.integer(0, MORE_TENURE);
    if (cost < best.cost) {
      best = snapshot(state, cost);
      idle = 0;
    } else idle++;
    return true;
  };
  /** Makes some random moves of the most promising ones, tabu or not. */
  const perturb = (): number => {
    let reached = best.cost;
    for (let i = random.integer(1, KICKS); i > 0; i--) {
      const moves = candidates().slice(0, KICK_CHOICE);
      if (moves.length === 0) break;
      const here = snapshot(state, reached);
      const move = moves[random.integer(0, moves.length - 1)];
      const found = tryMove(state, move, goals);
      if (found === Number.POSITIVE_INFINITY) {
        restore(here);
        continue;
      }
      reached = found;
      state.rank.set(state.start);
      until[move.op] = step + TENURE;
    }
    return reached;
  };
  return {
    get cost() {
      return best.cost;
    },
    get evaluations() {
      return evaluations;
    },
    improve: (most, goal, isOver) => {
      const stop = evaluations + most;
      while (evaluations < stop && best.cost > goal && !isOver()) {
        if (takeStep() && idle < PATIENCE) continue;
        restore(best);
        until.fill(0);
        cost = perturb();
        evaluations++;
        idle = 0;
      }
    },
    settle: (plan, most) => {
      restore(best);
      cost = best.cost;
      const stop = evaluations + most;
      const keepIf = (change: () => void): boolean => {
        const here = snapshot(state, cost);
        change();
        evaluations++;
        const found = timeQueues(state) ? costOfState(state, goals) : Number.POSITIVE_INFINITY;
        if (found > cost) {
          // Nothing reads other times of the restored queues before they are timed again.
          restoreQueues(state, here.mode, here.before);
          state.start.set(here.start);
          return false;
        }
        cost = found;
        state.rank.set(state.start);
        return true;
      };
      for (const { op, mode } of movesBack(state, plan)) {
        if (evaluations >= stop) break;
        keepIf(() => {
          takeOut(state, op);
          const left = plannedLeft(state, op, modeMachine(state.instance, mode), plan);
          putBehind(state, op, mode, left);
        });
      }
      for (let swapped = true; swapped; ) {
        swapped = false;
        for (const op of reversedPairs(state, plan)) {
          if (evaluations >= stop) break;
          if (state.after[op] >= 0 && keepIf(() => swapWithNext(state, op))) swapped = true;
        }
      }
      best = snapshot(state, cost);
    },
    schedule: () => {
      restore(best);
      return createSchedule(withModes(state.instance, state.mode.slice()), state.start.slice());
    },
  };
}

function snapshot({ mode, before, start }: ShopState, cost: number): Snapshot {
  return { cost, mode: mode.slice(), before: before.slice(), start: start.slice() };
}

/** Makes a move and times it; returns its cost, Infinity if it has no schedule. */
function tryMove(state: ShopState, { op, mode, left, ahead }: ShopMove, goals: Goals): number {
  if (ahead >= 0) state.rank[op] = state.rank[ahead] - 0.5;
  takeOut(state, op);
  putBehind(state, op, mode, left);
  return timeQueues(state) ? costOfState(state, goals) : Number.POSITIVE_INFINITY;
}

/** Puts an operation back where it was. */
function undoMove(state: ShopState, op: number, { mode, before }: Snapshot): void {
  takeOut(state, op);
  putBehind(state, op, mode[op], before[op]);
}

/** Sets modes and queues. */
function restoreQueues(state: ShopState, mode: Int32Array, before: Int32Array): void {
  const { instance, first, after, free, duration } = state;
  const { machine, duration: lengths } = instance.modes ?? instance;
  first.fill(-1);
  after.fill(-1);
  for (let op = 0; op < mode.length; op++) {
    state.mode[op] = mode[op];
    state.machine[op] = machine[mode[op]];
    duration[op] = lengths[mode[op]];
    state.before[op] = before[op];
    if (free[op] === 0 || duration[op] === 0) continue;
    if (before[op] < 0) first[state.machine[op]] = op;
    else after[before[op]] = op;
  }
}
