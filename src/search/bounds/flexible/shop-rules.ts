import type { Clauses } from '../learning/clauses.js';
import { assign, raise, type Trail } from '../learning/trail.js';
import { createShopFacts, type ShopConclusions, type ShopFacts, ShopReason } from './facts.js';
import { createFamilyRules } from './family-rules.js';
import type { LoadBudget } from './load-budgets.js';
import { createLoadRules } from './load-rules.js';
import { createPairRules } from './pair-rules.js';
import { createSetRules } from './set-rules.js';
import type { ShopModel } from './shop-model.js';

/** A contradiction: a rule, its reference, and the false literal that it implies (or −1). */
interface ShopConflict {
  kind: number;
  ref: number;
  literal: number;
}

/** All implications of a state: bounds, modes and orders of all schedules within a makespan. */
export interface ShopRules extends ShopConclusions {
  readonly conflict: ShopConflict;
  /** The limit of the makespan; set at the root only. */
  limit: number;
  /** Excludes a mode whose window is too narrow; false on a contradiction. */
  check(mode: number): boolean;
  /** Propagates new events of the trail; false if they contradict each other. */
  propagate(): boolean;
  /** Budgets of the work of machines. */
  readonly budgets: readonly LoadBudget[];
  /** At the root: derives them from its bounds. */
  deriveBudgets(): void;
  /** Resets the propagation to the end of the trail. */
  rewind(): void;
  /** Resets the propagation to the whole trail and all machines. */
  rewindToStart(): void;
}

/** Creates the rules of a shop, in the order of their cost: clauses; jobs, modes and pairs; sets on machines. */
export function createShopRules(
  model: ShopModel,
  trail: Trail,
  clauses: Clauses,
  onUse: (mode: number) => void,
): ShopRules {
  const { slots, operations, modeOffset, modeOf, modeOfVariable, modeVariables } = model;
  const { use, operation, duration } = model;
  const { bound, last, value } = trail;
  const facts = createShopFacts(model, trail);
  const conflict: ShopConflict = { kind: 0, ref: 0, literal: -1 };
  let literalsDone = 0;
  let boundsDone = 0;

  const fail: ShopRules['fail'] = (kind, ref, literal) => {
    conflict.kind = kind;
    conflict.ref = ref;
    conflict.literal = literal;
    return false;
  };
  const imply: ShopRules['imply'] = (literal, kind, ref) => {
    const known = value[literal];
    if (known === 1) return true;
    if (known === -1) return fail(kind, ref, literal);
    assign(trail, literal, kind, ref);
    return true;
  };
  const implyByClause = (literal: number, clause: number): void => {
    assign(trail, literal, ShopReason.clause, clause);
  };
  const fits = (mode: number): boolean => {
    if (facts.useOf(mode) === -1) return true;
    const time = facts.boundOf(0, mode) + duration[mode] + facts.boundOf(1, mode);
    if (time <= rules.limit) return true;
    if (use[mode] < 0) return fail(ShopReason.fit, mode, -1);
    return imply(use[mode] ^ 1, ShopReason.fit, mode);
  };
  const lift: ShopRules['lift'] = (x, time, kind, ref) => {
    if (time <= bound[x]) return true;
    raise(trail, x, time, kind, ref);
    const slot = x < slots ? x : x - slots;
    if (modeOf[slot] >= 0) return fits(modeOf[slot]);
    for (let mode = modeOffset[slot]; mode < modeOffset[slot + 1]; mode++) {
      if (!fits(mode)) return false;
    }
    return true;
  };
  const conclusions: ShopConclusions = { imply, lift, fail };
  const jobs = createJobRules(model, facts, conclusions);
  const limitNow = () => rules.limit;
  const pairs = createPairRules(model, trail, facts, conclusions, limitNow);
  const sets = createSetRules(model, trail, facts, conclusions);
  const families = createFamilyRules(model, trail, facts, conclusions);
  const loads = createLoadRules(model, facts, conclusions);

  const touchPlaces = (mode: number): void => {
    sets.touchPlaces(mode);
    families.touch(mode);
  };

  const followUse = (mode: number): boolean => {
    const op = operation[mode];
    onUse(mode);
    for (let other = modeOffset[op]; other < modeOffset[op + 1]; other++) {
      if (other !== mode && !imply(use[other] ^ 1, ShopReason.exclusive, use[mode])) return false;
    }
    if (duration[mode] === 0) return true;
    touchPlaces(mode);
    return pairs.followMode(0, mode) && pairs.followMode(1, mode);
  };

  const followExclusion = (mode: number): boolean => {
    const op = operation[mode];
    let open = -1;
    loads.touch();
    for (let other = modeOffset[op]; other < modeOffset[op + 1]; other++) {
      const known = value[use[other]];
      if (known === 1) return jobs.follow(0, op) && jobs.follow(1, op);
      if (known === -1) continue;
      if (open >= 0) return jobs.follow(0, op) && jobs.follow(1, op);
      open = other;
    }
    if (open < 0) return fail(ShopReason.only, op, use[mode]);
    if (!imply(use[open], ShopReason.only, op)) return false;
    return jobs.follow(0, op) && jobs.follow(1, op);
  };

  const followLiteral = (literal: number): boolean => {
    const variable = literal >> 1;
    if (variable >= modeVariables) return pairs.followOrder(literal, sets.touchMode);
    const mode = modeOfVariable[variable];
    return (literal & 1) === 0 ? followUse(mode) : followExclusion(mode);
  };

  const followBound = (x: number): boolean => {
    const direction = x < slots ? 0 : 1;
    const slot = x - direction * slots;
    const isShared = modeOf[slot] < 0;
    const op = isShared ? slot : operation[modeOf[slot]];
    if (!jobs.follow(direction, op)) return false;
    const first = isShared ? modeOffset[slot] : modeOf[slot];
    const stop = isShared ? modeOffset[slot + 1] : first + 1;
    for (let mode = first; mode < stop; mode++) {
      if (duration[mode] === 0 || facts.useOf(mode) === -1) continue;
      if (facts.boundOf(direction, mode) !== bound[x]) continue;
      if (facts.useOf(mode) === 1) touchPlaces(mode);
      if (!pairs.followMode(direction, mode)) return false;
    }
    return true;
  };

  const propagateNeighbours = (): boolean => {
    for (;;) {
      if (literalsDone < trail.size) {
        const what = trail.atom[literalsDone++];
        if (what < 0) continue;
        const clause = clauses.visit(what ^ 1, value, implyByClause);
        if (clause >= 0) return fail(ShopReason.clause, clause, -1);
        if (!followLiteral(what)) return false;
      } else if (boundsDone < trail.size) {
        const e = boundsDone++;
        const what = trail.atom[e];
        if (what < 0 && last[~what] === e && !followBound(~what)) return false;
      } else return true;
    }
  };

  const rules: ShopRules = {
    conflict,
    limit: 0,
    imply,
    lift,
    fail,
    check: fits,
    get budgets() {
      return loads.budgets;
    },
    deriveBudgets: () => loads.derive(rules.limit),
    propagate: () => {
      for (;;) {
        if (!propagateNeighbours()) return false;
        const size = trail.size;
        if (!sets.visitModes()) return false;
        if (trail.size > size) continue;
        if (!sets.visitPlace(rules.limit)) return false;
        if (trail.size > size || !sets.idle()) continue;
        if (!loads.visit() || !families.visit(rules.limit)) return false;
        if (trail.size === size && families.idle()) return true;
      }
    },
    rewind: () => {
      literalsDone = trail.size;
      boundsDone = trail.size;
      sets.clear();
      families.clear();
      loads.clear();
    },
    rewindToStart: () => {
      literalsDone = 0;
      boundsDone = 0;
      sets.touchAll();
      families.touchAll();
      loads.touch();
      for (let op = 0; op < operations; op++) if (modeOf[op] >= 0) onUse(modeOf[op]);
    },
  };
  return rules;
}

/** Propagation along the jobs. */
function createJobRules(model: ShopModel, facts: ShopFacts, { lift }: ShopConclusions) {
  const { slots, modeOffset, duration, edgeFrom, edgeTo, lag, before, after, hasWays } = model;
  const { slot } = model;

  /** The least time of an operation up to its end (heads) or from its start on (tails), and its way to a mode. */
  const reachOf = (direction: number, op: number, target: number): number => {
    let least = Infinity;
    for (let mode = modeOffset[op]; mode < modeOffset[op + 1]; mode++) {
      if (facts.useOf(mode) === -1) continue;
      let time = facts.boundOf(direction, mode) + duration[mode];
      if (target >= 0) time += wayOf(model, direction, mode, target);
      if (time < least) least = time;
    }
    return least;
  };

  return {
    /** Lifts the bounds of the neighbours of an operation. */
    follow: (direction: number, op: number): boolean => {
      const edges = direction === 0 ? after[op] : before[op];
      const base = direction * slots;
      for (const edge of edges) {
        const other = direction === 0 ? edgeTo[edge] : edgeFrom[edge];
        if (!hasWays) {
          const time = reachOf(direction, op, -1) + lag[edge];
          if (!lift(base + other, time, ShopReason.job, edge)) return false;
          continue;
        }
        for (let mode = modeOffset[other]; mode < modeOffset[other + 1]; mode++) {
          if (facts.useOf(mode) === -1) continue;
          const time = reachOf(direction, op, mode) + lag[edge];
          if (!lift(base + slot[mode], time, ShopReason.job, edge)) return false;
        }
      }
      return true;
    },
  };
}

/**
 * The time between the end of one mode and the start of the next one of its job, without the lag: transport, and the
 * setup that waits for the job.
 */
export function wayOf(model: ShopModel, direction: number, mode: number, target: number): number {
  const [from, to] = direction === 0 ? [mode, target] : [target, mode];
  return model.travel(from, to) + (model.waits[to] === 1 ? model.setup[to] : 0);
}
