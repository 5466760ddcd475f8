import type { Instance } from '../../../jssp/instance.js';
import type { TrialResult } from '../branching.js';
import { createActivity } from '../learning/activity.js';
import { type ClauseChannel, MAX_SHARED } from '../learning/clause-channel.js';
import { createClauses } from '../learning/clauses.js';
import { luby } from '../learning/conflict-search.js';
import { assign, backtrack, createTrail, deepen, raise, settleRoot } from '../learning/trail.js';
import { ShopReason } from './facts.js';
import { firstBounds } from './first-bounds.js';
import { createWaking, initialActivity, initialPhases } from './first-choices.js';
import { createLeaf } from './leaf.js';
import { createShopAnalysis } from './shop-analysis.js';
import type { ShopModel } from './shop-model.js';
import { createShopRules } from './shop-rules.js';

/** Decides whether there is a schedule of a shop within a makespan, and learns from every contradiction. */
export interface ShopSearch {
  /**
   * Continues the search for at most `conflicts` conflicts; `possible` means that `starts` and `modes` are a schedule
   * within the limit.
   */
  search(conflicts: number): TrialResult;
  /** Sets the limit of the makespan; no larger than before. */
  limitTo(makespan: number): void;
  /** The schedule found: N starts, and N modes as the instance numbers them. */
  readonly starts: Int32Array;
  readonly chosen: Int32Array;
  /** Contradictions of all searches so far. */
  readonly conflicts: number;
  readonly makespan: number;
  /** True if it cannot decide: all schedules with all modes and orders were tried, but not all uses of resources. */
  readonly isExhausted: boolean;
}

/** Contradictions before the first restart; the others follow Luby's sequence. */
const RESTART = 100;
/** Clauses stored before the first reduction, and the increment for each further one. */
const FIRST_CLAUSES = 4000;
const MORE_CLAUSES = 300;

/**
 * Creates a conflict-driven search over the modes of operations and the orders of pairs that may share a machine (lazy
 * clause generation for optional tasks, Schutt, Feydy and Stuckey 2013, doi:10.1007/978-3-642-38171-3_14). Resources of
 * which no two operations can have what they need at the same time are like further machines. Downtimes, maximum lags
 * and other resources are relaxed; setups count with the least gap of each pair. Once all modes and orders are settled,
 * the earliest schedule is timed exactly: if it is too long, no other one has these modes and orders, except with other
 * resources, where the trial remains undecided.
 *
 * @param makespan the initial limit of the makespan
 * @param isOver polled at each contradiction; true ends a search, which may be continued
 * @param channel to share clauses with other threads; null for none
 * @param variant 0, or another number for other initial choices and other restarts
 */
export function createShopSearch(
  instance: Instance,
  model: ShopModel,
  makespan: number,
  isOver: () => boolean,
  channel: ClauseChannel | null = null,
  variant = 0,
): ShopSearch {
  const { variables, modeVariables, slots, modeOf } = model;
  const trail = createTrail(slots, variables);
  const clauses = createClauses(variables);
  const leaf = createLeaf(instance, model, trail);
  const activity = createActivity(initialActivity(model, makespan, variant));
  const onUse = createWaking(model, trail, activity.insert);
  const rules = createShopRules(model, trail, clauses, onUse);
  const analysis = createShopAnalysis(model, trail, clauses, activity, rules);
  const phase = initialPhases(model);
  let restarts = 0;
  const pace = RESTART * (1 + variant);
  let conflicts = 0;
  let refuted = false;
  let isComplete = true;
  let most = FIRST_CLAUSES;

  const reopen = (literal: number): void => {
    phase[literal >> 1] = literal & 1;
    activity.insert(literal >> 1);
  };
  const goBack = (depth: number): void => {
    backtrack(trail, depth, reopen);
    rules.rewind();
  };
  const propagateRoot = (): void => {
    refuted ||= !rules.propagate();
    settleRoot(trail);
    rules.rewind();
  };

  /** Budgets hold until the makespan or the bounds at the root change; older ones remain valid, but leave more. */
  const deriveBudgets = (): void => {
    if (refuted) return;
    rules.deriveBudgets();
    propagateRoot();
  };

  const begin = (): void => {
    const bounds = firstBounds(instance, model, rules.limit);
    const settled: number[] = [];
    for (let l = 0; l < 2 * variables; l++) if (trail.value[l] === 1) settled.push(l);
    trail.value.fill(0);
    trail.eventOf.fill(-1);
    // Every bound counts as new, so that it is processed.
    for (let x = 0; x < 2 * slots; x++) {
      trail.bound[x] = -(2 ** 30);
      trail.last[x] = -1;
      raise(trail, x, bounds[x], ShopReason.decision, 0);
    }
    for (const l of settled) assign(trail, l, ShopReason.decision, 0);
    rules.rewindToStart();
    for (let slot = 0; slot < slots && !refuted; slot++) {
      if (modeOf[slot] >= 0) refuted = !rules.check(modeOf[slot]);
    }
    propagateRoot();
    deriveBudgets();
  };

  /** Learns from a contradiction; false if there is no schedule. */
  const learn = (): boolean => {
    conflicts++;
    if (!analysis.analyse()) return false;
    goBack(analysis.depth);
    const { learned, length, levels } = analysis;
    if (length <= MAX_SHARED.length && levels <= MAX_SHARED.levels && isComplete) {
      channel?.send(learned, length, rules.limit);
    }
    if (length === 1) {
      if (!rules.imply(learned[0], ShopReason.decision, 0)) return false;
    } else {
      const clause = clauses.add(learned, length, levels);
      assign(trail, learned[0], ShopReason.clause, clause);
    }
    activity.decay();
    return true;
  };

  const decide = (): boolean => {
    for (;;) {
      const variable = activity.take();
      if (variable < 0) return false;
      const literal = 2 * variable;
      if (trail.value[literal] !== 0) continue;
      if (variable >= modeVariables && !leaf.matters(literal)) continue;
      deepen(trail);
      assign(trail, literal + phase[variable], ShopReason.decision, 0);
      return true;
    }
  };

  const restart = (): void => {
    restarts++;
    goBack(0);
    settleRoot(trail);
    rules.rewind();
    if (clauses.count > most) {
      clauses.reduce(trail.value);
      most += MORE_CLAUSES;
    }
    channel?.receive(rules.limit, receive);
    propagateRoot();
  };

  /** Adds a clause from another thread, at the root. */
  const receive = (literals: Int32Array, length: number): void => {
    let open = 0;
    for (let i = 0; i < length; i++) {
      const known = trail.value[literals[i]];
      if (known === 1) return;
      if (known === 0) literals[open++] = literals[i];
    }
    if (open === 0) refuted = true;
    else if (open === 1) assign(trail, literals[0], ShopReason.decision, 0);
    else clauses.add(literals, open, Math.min(open, MAX_SHARED.levels));
  };

  /** Leaves the search in a state from which it can continue. */
  const leave = (verdict: TrialResult): TrialResult => {
    // Clauses learned at the root have not been propagated yet.
    if (trail.depth > 0) goBack(0);
    propagateRoot();
    return verdict;
  };

  const search = (budget: number): TrialResult => {
    let left = budget;
    let untilRestart = pace * luby(restarts + 1);
    while (!refuted) {
      if (!rules.propagate()) {
        refuted = !learn();
        if (refuted) break;
        untilRestart--;
        if (--left <= 0 || isOver()) return leave('undecided');
      } else if (untilRestart <= 0) {
        restart();
        untilRestart = pace * luby(restarts + 1);
      } else if (!decide()) {
        if (leaf.take(rules.limit)) return leave('possible');
        isComplete &&= model.isComplete && !leaf.gaveUp;
        rules.fail(ShopReason.leaf, 0, -1);
        refuted = !learn();
        if (--left <= 0 || isOver()) return leave('undecided');
      }
    }
    return isComplete ? 'refuted' : 'undecided';
  };
  rules.limit = makespan;
  begin();
  return {
    search,
    starts: leaf.starts,
    chosen: leaf.chosen,
    get makespan() {
      return leaf.makespan;
    },
    get isExhausted() {
      return refuted && !isComplete;
    },
    get conflicts() {
      return conflicts;
    },
    limitTo: (limit) => {
      if (limit >= rules.limit) return;
      goBack(0);
      settleRoot(trail);
      rules.limit = limit;
      begin();
    },
  };
}
