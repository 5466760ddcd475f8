import { type Clauses, LENGTH } from '../learning/clauses.js';
import type { Trail } from '../learning/trail.js';
import type { BoundHistory } from './bound-history.js';
import { ShopReason, type ShopWants } from './facts.js';
import { FamilyNote } from './family-rules.js';
import { createLoadReasons } from './load-reasons.js';
import { createSetReasons } from './set-reasons.js';
import { SetNote } from './set-rules.js';
import type { ShopModel } from './shop-model.js';
import { type ShopRules, wayOf } from './shop-rules.js';
import { createSumReasons } from './sum-reasons.js';

/** Explains events and contradictions, each by the weakest facts that suffice. */
export interface ShopReasons {
  /** Explains a contradiction, with all that is known. */
  conflict(): void;
  /** Explains why a literal became true at an event. */
  literal(literal: number, event: number): void;
  /** Explains why a bound rose to at least a value at an event. */
  bound(x: number, least: number, event: number): void;
}

/** Creates the explanations of the rules of a shop. */
export function createShopReasons(
  model: ShopModel,
  trail: Trail,
  clauses: Clauses,
  history: BoundHistory,
  rules: ShopRules,
  wants: ShopWants,
): ShopReasons {
  const { slots, operation, duration, modeOf, modeOffset, use } = model;
  const { from, to, modeVariables, modeOfVariable, literalOf, gap, edgeFrom, edgeTo, lag } = model;
  const { before, eventWith, slotWith } = history;
  // Only facts known before the explained event count.
  let limit = 0;

  const sums = createSumReasons(model, trail, history, rules, wants, () => limit);
  const { wantMode, wantUse, wasTrue, wantSum, wantExclusion } = sums;

  /** Explains an order on one place: by its literal, or because the opposite one exceeds the makespan. */
  const wantOrder = (one: number, other: number): void => {
    const literal = literalOf(operation[one], operation[other]);
    if (literal < 0) {
      // Operations of a job: the order is given.
      return;
    }
    if (wasTrue(literal)) wants.literal(literal);
    else wantExclusion(other, one);
  };

  const sets = createSetReasons(model, trail, rules, wantMode, wants);
  const wantLoad = createLoadReasons(model, trail, wants, wasTrue);

  const wantClause = (clause: number, except: number): void => {
    clauses.use(clause);
    const { data } = clauses;
    const end = clause + data[clause - LENGTH];
    for (let at = clause; at < end; at++) if (data[at] !== except) wants.literal(data[at] ^ 1);
  };

  const wantFit = (mode: number): void => {
    wantSum(0, mode, mode, rules.limit + 1 - duration[mode]);
  };

  /** Explains a time along an edge: every mode of the neighbour is excluded or takes as long. */
  const wantJob = (x: number, least: number, edge: number): void => {
    const direction = x < slots ? 0 : 1;
    const target = modeOf[x - direction * slots];
    const op = direction === 0 ? edgeFrom[edge] : edgeTo[edge];
    for (let mode = modeOffset[op]; mode < modeOffset[op + 1]; mode++) {
      const way = model.hasWays ? wayOf(model, direction, mode, target) : 0;
      const needed = least - lag[edge] - way - duration[mode];
      const isExcluded = use[mode] >= 0 && wasTrue(use[mode] ^ 1);
      const reached = before(direction, mode, limit);
      const atRoot = reached >= needed && eventWith(slotWith(direction, mode, needed), needed) < 0;
      if (atRoot) continue;
      if (isExcluded) wants.literal(use[mode] ^ 1);
      else wantMode(direction, mode, needed);
    }
  };

  const wantPrecedence = (x: number, least: number, source: number): void => {
    const direction = x < slots ? 0 : 1;
    const slotNow = x - direction * slots;
    const target = modeOf[slotNow];
    const [one, other] = direction === 0 ? [source, target] : [target, source];
    wantUse(source);
    wantOrder(one, other);
    wantMode(direction, source, least - duration[source] - gap(one, other));
  };

  /** The mode of an operation that is used on a place of both; both are used when orders follow. */
  const usedMode = (op: number): number => {
    for (let mode = modeOffset[op]; mode < modeOffset[op + 1]; mode++) {
      if (use[mode] < 0 || wasTrue(use[mode])) return mode;
    }
    return -1;
  };

  const wantSelection = (literal: number): void => {
    const a = usedMode(from[literal - 2 * modeVariables]);
    const b = usedMode(to[literal - 2 * modeVariables]);
    wantUse(a);
    wantUse(b);
    wantExclusion(b, a);
  };

  const wantClash = (literal: number, used: number): void => {
    const mode = modeOfVariable[literal >> 1];
    wantUse(used);
    wantOrClosed(used, mode);
    wantOrClosed(mode, used);
  };

  /** Explains why one mode cannot come before another: by a literal, by the job, or by the makespan. */
  const wantOrClosed = (one: number, other: number): void => {
    const literal = literalOf(operation[other], operation[one]);
    if (literal === -1) return;
    if (literal >= 0 && wasTrue(literal)) wants.literal(literal);
    else wantExclusion(one, other);
  };

  /** Explains that a set does not fit within the makespan with its setups, unless the outsider comes after it. */
  const wantFamilies = (note: number): void => {
    const { notes } = trail;
    const direction = notes[note + FamilyNote.direction];
    const tail = notes[note + FamilyNote.tail];
    const outsider = notes[note + FamilyNote.outsider];
    const head = rules.limit + 1 - notes[note + FamilyNote.work] - tail;
    const end = note + FamilyNote.set + notes[note + FamilyNote.size];
    for (let at = note + FamilyNote.set; at < end; at++) {
      wantUse(notes[at]);
      wantMode(direction, notes[at], head);
      wantMode(1 - direction, notes[at], tail);
    }
    if (outsider < 0) return;
    wantUse(outsider);
    wantMode(direction, outsider, head);
  };

  const explain = (literal: number, kind: number, ref: number): void => {
    if (kind === ShopReason.clause) wantClause(ref, literal);
    else if (kind === ShopReason.selection) wantSelection(literal);
    else if (kind === ShopReason.fit) wantFit(ref);
    else if (kind === ShopReason.exclusive) wants.literal(ref);
    else if (kind === ShopReason.only) wantOthers(ref, literal);
    else if (kind === ShopReason.clash) wantClash(literal, ref);
    else if (kind === ShopReason.families) wantFamilies(ref);
    else if (kind === ShopReason.load) {
      wantLoad(rules.budgets[ref], literal < 0 ? -1 : modeOfVariable[literal >> 1]);
    } else if (kind === ShopReason.edges) {
      // The literal of a mode: the outsider is excluded. That of a pair: the outsider comes last.
      if (literal >= 0 && literal >> 1 < modeVariables) sets.wantOverload(ref);
      else wantEdgeLiteral(literal, ref);
    } else if (kind === ShopReason.transitivity) {
      const a = from[literal - 2 * modeVariables];
      const c = to[literal - 2 * modeVariables];
      wants.literal(literalOf(a, ref));
      wants.literal(literalOf(ref, c));
    }
  };

  const wantEdgeLiteral = (literal: number, note: number): void => {
    sets.wantSet(note, -(2 ** 30));
    const outsider = trail.notes[note + SetNote.outsider];
    if (outsider >= 0 && literal >= 0) wantUse(outsider);
  };

  const wantOthers = (op: number, literal: number): void => {
    for (let mode = modeOffset[op]; mode < modeOffset[op + 1]; mode++) {
      if (use[mode] !== literal) wants.literal(use[mode] ^ 1);
    }
  };

  return {
    conflict: () => {
      limit = trail.size;
      const { kind, ref, literal } = rules.conflict;
      if (kind === ShopReason.leaf) {
        for (let e = 0; e < trail.size; e++) {
          if (trail.kind[e] === ShopReason.decision && trail.level[e] > 0) {
            wants.literal(trail.atom[e]);
          }
        }
        return;
      }
      if (kind === ShopReason.edges && literal < 0) {
        sets.wantSet(ref, -(2 ** 30));
        const outsider = trail.notes[ref + SetNote.outsider];
        if (outsider >= 0) wantUse(outsider);
        return;
      }
      explain(literal, kind, ref);
      if (literal >= 0) wants.literal(literal ^ 1);
    },
    literal: (literal, event) => {
      limit = event;
      explain(literal, trail.kind[event], trail.ref[event]);
    },
    bound: (x, least, event) => {
      limit = event;
      const kind = trail.kind[event];
      const ref = trail.ref[event];
      if (kind === ShopReason.job) wantJob(x, least, ref);
      else if (kind === ShopReason.precedence) wantPrecedence(x, least, ref);
      else if (kind === ShopReason.predecessors) sets.wantPredecessors(x, least, ref);
      else if (kind === ShopReason.edges) sets.wantAfterSet(x, least, ref);
    },
  };
}
