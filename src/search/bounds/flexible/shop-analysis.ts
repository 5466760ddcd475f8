import type { Activity } from '../learning/activity.js';
import type { Analysis } from '../learning/analysis.js';
import { type Clauses, LENGTH } from '../learning/clauses.js';
import type { Trail } from '../learning/trail.js';
import { createBoundHistory } from './bound-history.js';
import { ShopReason } from './facts.js';
import type { ShopModel } from './shop-model.js';
import { createShopReasons } from './shop-reasons.js';
import type { ShopRules } from './shop-rules.js';

/**
 * Creates conflict analysis over modes and orders, as that of the classic job shop (`learning/analysis.ts`): bounds are
 * explained until only literals are left, up to the first unique implication point of the last level.
 */
export function createShopAnalysis(
  model: ShopModel,
  trail: Trail,
  clauses: Clauses,
  activity: Activity,
  rules: ShopRules,
): Analysis {
  const { slots, variables } = model;
  const { eventOf } = trail;
  const history = createBoundHistory(model, trail);
  const seen = new Uint8Array(variables);
  // For each bound the event to explain (−1 if none), and the value to reach.
  const wanted = new Int32Array(2 * slots).fill(-1);
  const value = new Int32Array(2 * slots);
  const stamp = new Int32Array(variables + 3);
  const touched = new Int32Array(variables);
  const learned = new Int32Array(variables + 1);
  let touches = 0;
  let now = 0;
  let level = 0;
  let bounds = 0;
  let boundsHere = 0;
  let literalsHere = 0;

  const wantBound = (x: number, least: number): void => {
    const e = history.eventWith(x, least);
    if (e < 0) return;
    const before = wanted[x];
    if (e < before) return;
    if (e === before) {
      if (least > value[x]) value[x] = least;
      return;
    }
    if (before < 0) bounds++;
    else if (trail.level[before] >= level) boundsHere--;
    if (trail.level[e] >= level) boundsHere++;
    wanted[x] = e;
    value[x] = least;
  };

  const wantLiteral = (literal: number): void => {
    const variable = literal >> 1;
    const e = eventOf[variable];
    if (e < 0 || seen[variable] === 1) return;
    seen[variable] = 1;
    touched[touches++] = variable;
    activity.bump(variable);
    if (trail.level[e] >= level) literalsHere++;
    else learned[analysis.length++] = literal ^ 1;
  };

  const wants = { literal: wantLiteral, bound: wantBound };
  const reasons = createShopReasons(model, trail, clauses, history, rules, wants);

  const clear = (): void => {
    for (let i = 0; i < touches; i++) seen[touched[i]] = 0;
    touches = 0;
    if (bounds > 0) wanted.fill(-1);
    bounds = 0;
    boundsHere = 0;
    literalsHere = 0;
    analysis.length = 1;
  };

  /** The level of the last event that the contradiction depends on; may be below the current level. */
  const levelOfConflict = (): number => {
    level = Infinity;
    reasons.conflict();
    let latest = -1;
    for (let i = 0; i < touches; i++) latest = Math.max(latest, eventOf[touched[i]]);
    if (bounds > 0) for (let x = 0; x < wanted.length; x++) latest = Math.max(latest, wanted[x]);
    clear();
    return latest < 0 ? 0 : trail.level[latest];
  };

  /**
   * Explains what is wanted from the last events on; false if nothing of the level is left, because all followed from
   * levels before it.
   */
  const explainFrom = (start: number): boolean => {
    let asserting = -1;
    for (let e = start; e >= 0; e--) {
      const what = trail.atom[e];
      if (what < 0) {
        const x = ~what;
        if (wanted[x] !== e) continue;
        wanted[x] = -1;
        bounds--;
        if (trail.level[e] >= level) boundsHere--;
        reasons.bound(x, value[x], e);
      } else if (asserting < 0 && seen[what >> 1] === 1 && trail.level[e] >= level) {
        literalsHere--;
        if (literalsHere === 0 && boundsHere === 0) asserting = what;
        else reasons.literal(what, e);
      }
      if (asserting >= 0 && bounds === 0) break;
    }
    learned[0] = asserting ^ 1;
    return asserting >= 0;
  };

  /** Takes the clause so far as the contradiction, at the deepest level of its literals; false if it is empty. */
  const descend = (): boolean => {
    const rest = learned.slice(1, analysis.length);
    clear();
    if (rest.length === 0) return false;
    level = rest.reduce((most, literal) => Math.max(most, trail.level[eventOf[literal >> 1]]), 0);
    for (const literal of rest) wantLiteral(literal ^ 1);
    return true;
  };

  /** Whether a literal of the clause follows from its other literals by one rule. */
  const isRedundant = (literal: number): boolean => {
    const isCovered = (other: number) => seen[other >> 1] === 1 || eventOf[other >> 1] < 0;
    const event = eventOf[literal >> 1];
    const ref = trail.ref[event];
    if (trail.kind[event] === ShopReason.exclusive) return isCovered(ref);
    if (trail.kind[event] !== ShopReason.clause) return false;
    const { data } = clauses;
    for (let at = ref; at < ref + data[ref - LENGTH]; at++) {
      if (data[at] !== (literal ^ 1) && !isCovered(data[at])) return false;
    }
    return true;
  };

  const shorten = (): void => {
    let kept = 1;
    for (let i = 1; i < analysis.length; i++) {
      if (!isRedundant(learned[i])) learned[kept++] = learned[i];
    }
    analysis.length = kept;
  };

  const measure = (): void => {
    now++;
    analysis.depth = 0;
    analysis.levels = 1;
    let deepest = 1;
    for (let i = 1; i < analysis.length; i++) {
      const depth = trail.level[eventOf[learned[i] >> 1]];
      if (depth > analysis.depth) {
        analysis.depth = depth;
        deepest = i;
      }
      if (stamp[depth] !== now) {
        stamp[depth] = now;
        analysis.levels++;
      }
    }
    if (analysis.length < 2) return;
    const second = learned[deepest];
    learned[deepest] = learned[1];
    learned[1] = second;
  };

  const analysis: Analysis = {
    learned,
    length: 1,
    depth: 0,
    levels: 0,
    analyse: () => {
      analysis.length = 1;
      const deepest = levelOfConflict();
      if (deepest === 0) return false;
      level = deepest;
      reasons.conflict();
      while (!explainFrom(trail.size - 1)) if (!descend()) return false;
      shorten();
      measure();
      const { length } = analysis;
      clear();
      analysis.length = length;
      return true;
    },
  };
  return analysis;
}
