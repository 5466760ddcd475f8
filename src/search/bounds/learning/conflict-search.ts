import { jobHeadsAndTails } from '../../../jssp/bounds.js';
import type { Instance } from '../../../jssp/instance.js';
import type { TrialResult } from '../branching.js';
import { createActivity } from './activity.js';
import { createAnalysis } from './analysis.js';
import { type ClauseChannel, MAX_SHARED } from './clause-channel.js';
import { createClauses } from './clauses.js';
import { createDisjunctions } from './disjunctions.js';
import { firstChoices } from './first-choices.js';
import { createRefutationLog } from './refutation-log.js';
import { createRules } from './rules.js';
import { assign, backtrack, createTrail, deepen, Reason, raise, settleRoot } from './trail.js';

/** Decides whether there is a schedule within a makespan, and learns from every contradiction. */
export interface ConflictSearch {
  /**
   * Continues the search for at most `conflicts` conflicts; `possible` means that `starts` is a schedule within the
   * limit.
   */
  search(conflicts: number): TrialResult;
  /** Sets the limit of the makespan; no larger than before. */
  limitTo(makespan: number): void;
  /** N entries: the schedule found. */
  readonly starts: Int32Array;
  /** Contradictions of all searches so far. */
  readonly conflicts: number;
}

/** Contradictions before the first restart; the others follow Luby's sequence. */
const RESTART = 100;
/** Clauses stored before the first reduction, and the increment for each further one. */
const FIRST_CLAUSES = 4000;
const MORE_CLAUSES = 300;

/**
 * Creates a conflict-driven search (Marques-Silva and Sakallah 1999, doi:10.1109/12.769433) over the orders of pairs of
 * operations on machines, with heads, tails and edge-finding that explain themselves (lazy clause generation,
 * Ohrimenko, Stuckey and Codish 2009, doi:10.1007/s10601-008-9064-x; for disjunctions Grimes and Hebrard 2015,
 * doi:10.1287/ijoc.2014.0625, and Siala, Artigues and Hebrard 2015, doi:10.1007/978-3-319-23219-5_28). Calendars and
 * deadlines are ignored.
 *
 * @param makespan the initial limit of the makespan
 * @param isOver polled at each contradiction; true ends a search, which may be continued
 * @param channel to share clauses with other threads; null for none
 * @param variant 0, or another number for other initial choices and other restarts
 * @param write receives the text of a log of the search, which proves what it refutes; only without a channel
 */
export function createConflictSearch(
  instance: Instance,
  makespan: number,
  isOver: () => boolean,
  channel: ClauseChannel | null = null,
  variant = 0,
  write: ((text: string) => void) | null = null,
): ConflictSearch {
  const { operations, duration, frozen } = instance;
  const along = jobHeadsAndTails(instance);
  const pairs = createDisjunctions(instance);
  const { variables } = pairs;
  const trail = createTrail(operations, variables);
  const clauses = createClauses(variables);
  const rules = createRules(instance, pairs, trail, clauses);
  const first = firstChoices(instance, pairs, along, makespan, variant);
  const activity = createActivity(first.activity);
  const log = write && createRefutationLog(pairs, trail, clauses, operations, write);
  const analysis = createAnalysis(instance, pairs, trail, clauses, activity, rules, log);
  const { phase } = first;
  const starts = new Int32Array(operations);
  let restarts = 0;
  const pace = RESTART * (1 + variant);
  let conflicts = 0;
  let refuted = false;
  let most = FIRST_CLAUSES;

  const reopen = (literal: number): void => {
    phase[literal >> 1] = literal & 1;
    activity.insert(literal >> 1);
  };
  const goBack = (depth: number): void => {
    backtrack(trail, depth, reopen);
    rules.rewind();
  };

  const begin = (): void => {
    const limit = rules.limit;
    for (let op = 0; op < operations; op++) {
      const pinned = frozen !== null && frozen[op] >= 0 ? limit - frozen[op] - duration[op] : 0;
      trail.bound[op] = along.head[op];
      trail.bound[operations + op] = Math.max(along.tail[op], pinned);
    }
    const settled: number[] = [];
    for (let l = 0; l < 2 * variables; l++) if (trail.value[l] === 1) settled.push(l);
    trail.value.fill(0);
    // Every bound counts as new, so that it is processed.
    for (let x = 0; x < 2 * operations; x++) {
      const value = trail.bound[x];
      trail.bound[x] = -1;
      raise(trail, x, value, Reason.decision, 0);
    }
    for (let op = 0; op < operations; op++) {
      if (trail.bound[op] + duration[op] + trail.bound[operations + op] > limit) refuted = true;
    }
    for (const l of settled) assign(trail, l, Reason.decision, 0);
    rules.rewindToStart();
    propagateRoot();
  };

  /** At the root: draws all conclusions, which hold from now on. */
  const propagateRoot = (): void => {
    refuted ||= !rules.propagate();
    settle();
  };

  const settle = (): void => {
    log?.settle(trail.size, refuted ? rules.conflict : null);
    settleRoot(trail);
    rules.rewind();
  };

  /** Learns from a contradiction; false if there is no schedule. */
  const learn = (): boolean => {
    conflicts++;
    if (!analysis.analyse()) {
      log?.settle(trail.depth > 0 ? trail.levelStart[1] : trail.size, rules.conflict);
      return false;
    }
    const { learned, length, levels } = analysis;
    const id = log === null ? 0 : log.learn(learned, length, rules.conflict);
    goBack(analysis.depth);
    if (length <= MAX_SHARED.length && levels <= MAX_SHARED.levels) {
      channel?.send(learned, length, rules.limit);
    }
    if (length === 1) {
      if (!rules.imply(learned[0], Reason.decision, 0)) return false;
    } else {
      const clause = clauses.add(learned, length, levels, id);
      assign(trail, learned[0], Reason.clause, clause);
    }
    activity.decay();
    return true;
  };

  const decide = (): boolean => {
    // What holds at the root needs no reason in clauses.
    if (trail.depth === 0 && trail.size > 0) settle();
    for (;;) {
      const variable = activity.take();
      if (variable < 0) return false;
      const literal = 2 * variable;
      if (trail.value[literal] !== 0) continue;
      deepen(trail);
      assign(trail, literal + phase[variable], Reason.decision, 0);
      return true;
    }
  };

  const restart = (): void => {
    restarts++;
    goBack(0);
    // Before clauses move: what the last one implied refers to their places.
    if (trail.size > 0) settle();
    if (clauses.count > most) {
      clauses.reduce(trail.value, log?.forget);
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
    else if (open === 1) assign(trail, literals[0], Reason.decision, 0);
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
        starts.set(trail.bound.subarray(0, operations));
        return leave('possible');
      }
    }
    return 'refuted';
  };

  rules.limit = makespan;
  begin();
  return {
    search,
    starts,
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

/** Luby, Sinclair and Zuckerman 1993, doi:10.1016/0020-0190(93)90029-9: 1 1 2 1 1 2 4 … from i = 1. */
export function luby(i: number): number {
  let size = 1;
  while (size < i + 1) size *= 2;
  if (size === i + 1) return size / 2;
  return luby(i - size / 2 + 1);
}
