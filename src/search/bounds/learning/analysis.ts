import type { Instance } from '../../../jssp/instance.js';
import type { Activity } from './activity.js';
import { createClauseLevels } from './clause-levels.js';
import { type Clauses, LENGTH } from './clauses.js';
import type { Disjunctions } from './disjunctions.js';
import { EdgeNote, PredecessorNote } from './machine-rules.js';
import { isRedundant } from './redundancy.js';
import type { RefutationLog } from './refutation-log.js';
import type { Rules } from './rules.js';
import { Reason, type Trail } from './trail.js';

/** The clause learned from a contradiction. */
export interface Analysis {
  /** The clause: first the literal that follows at `depth`, second a literal of the deepest level among the others. */
  readonly learned: Int32Array;
  length: number;
  /** The level for backtracking. */
  depth: number;
  /** The number of levels of the clause's literals. */
  levels: number;
  /** Analyses the last contradiction; returns false if it holds at the root, which proves that there is no schedule. */
  analyse(): boolean;
}

/**
 * Creates conflict analysis (Marques-Silva and Sakallah 1999, doi:10.1109/12.769433) for clauses over orders of pairs
 * alone: bounds are explained until only orders are left (Siala, Artigues and Hebrard 2015,
 * doi:10.1007/978-3-319-23219-5_28), each by the weakest sufficient reason, up to the first unique implication point of
 * the last level.
 */
export function createAnalysis(
  instance: Instance,
  pairs: Disjunctions,
  trail: Trail,
  clauses: Clauses,
  activity: Activity,
  rules: Rules,
  log: RefutationLog | null = null,
): Analysis {
  const { operations, duration } = instance;
  const { from, to, literalOf } = pairs;
  const { bound, last, eventOf } = trail;
  const seen = new Uint8Array(pairs.variables);
  // For each bound, the event to explain (−1 if none), and the value to reach.
  const wanted = new Int32Array(2 * operations).fill(-1);
  const value = new Int32Array(2 * operations);
  const touched = new Int32Array(pairs.variables);
  let touches = 0;
  let level = 0;
  let bounds = 0;
  let boundsHere = 0;
  let literalsHere = 0;
  const learned = new Int32Array(pairs.variables + 1);
  const measure = createClauseLevels(trail, pairs.variables);

  /** The event that raised a bound to at least a value; −1 if the bound had this value at the root. */
  const eventWith = (x: number, least: number): number => {
    let e = last[x];
    while (e >= 0 && trail.old[e] >= least) e = trail.previous[e];
    return e;
  };

  const wantBound = (x: number, least: number): void => {
    const e = eventWith(x, least);
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

  /** Explains why the sum of two bounds is at least `least`; relaxes the later bound as far as possible. */
  const wantSum = (x: number, y: number, least: number): void => {
    let a = bound[x];
    let b = bound[y];
    let ea = last[x];
    let eb = last[y];
    // Only facts known at the explained event count; later events are skipped.
    while (ea >= limitEvent) {
      a = trail.old[ea];
      ea = trail.previous[ea];
    }
    while (eb >= limitEvent) {
      b = trail.old[eb];
      eb = trail.previous[eb];
    }
    let surplus = a + b - least;
    for (;;) {
      const e = Math.max(ea, eb);
      if (e < 0) break;
      if (e === ea) {
        if (a - trail.old[e] > surplus) break;
        surplus -= a - trail.old[e];
        a = trail.old[e];
        ea = trail.previous[e];
      } else {
        if (b - trail.old[e] > surplus) break;
        surplus -= b - trail.old[e];
        b = trail.old[e];
        eb = trail.previous[e];
      }
    }
    if (ea >= eb) a -= surplus;
    else b -= surplus;
    wantBound(x, a);
    wantBound(y, b);
  };
  let limitEvent = 0;

  const wantEdges = (note: number): void => {
    const { notes } = trail;
    const direction = notes[note + EdgeNote.direction];
    const here = direction * operations;
    const there = operations - here;
    const outsider = notes[note + EdgeNote.outsider];
    const head = notes[note + EdgeNote.head] - notes[note + EdgeNote.surplus];
    const tail = notes[note + EdgeNote.tail];
    const end = note + EdgeNote.set + notes[note + EdgeNote.size];
    if (outsider >= 0) wantBound(here + outsider, head);
    for (let at = note + EdgeNote.set; at < end; at++) {
      wantBound(here + notes[at], head);
      wantBound(there + notes[at], tail);
    }
  };

  const wantReasonOfLiteral = (literal: number, kind: number, ref: number): void => {
    if (kind === Reason.clause) {
      const { data } = clauses;
      clauses.use(ref);
      const end = ref + data[ref - LENGTH];
      for (let at = ref; at < end; at++) if (data[at] !== literal) wantLiteral(data[at] ^ 1);
    } else if (kind === Reason.selection) {
      // b → a follows because a → b would exceed the makespan.
      const a = to[literal];
      const b = from[literal];
      wantSum(a, operations + b, rules.limit + 1 - duration[a] - duration[b]);
    } else if (kind === Reason.edges) {
      wantEdges(ref);
    } else if (kind === Reason.transitivity) {
      wantLiteral(literalOf(from[literal], ref));
      wantLiteral(literalOf(ref, to[literal]));
    }
  };

  const wantReasonOfBound = (x: number, least: number, kind: number, ref: number): void => {
    const forward = x < operations;
    const here = forward ? 0 : operations;
    const op = x - here;
    if (kind === Reason.job) {
      const y = forward ? x - 1 : x + 1;
      wantBound(y, least - duration[y - here]);
    } else if (kind === Reason.precedence) {
      const other = forward ? from[ref] : to[ref];
      wantLiteral(ref);
      wantBound(here + other, least - duration[other]);
    } else if (kind === Reason.predecessors) {
      const { notes } = trail;
      const head = least - notes[ref + PredecessorNote.work];
      const end = ref + PredecessorNote.set + notes[ref + PredecessorNote.size];
      for (let at = ref + PredecessorNote.set; at < end; at++) {
        const j = notes[at];
        const literal = forward ? literalOf(j, op) : literalOf(op, j);
        if (literal >= 0) wantLiteral(literal);
        wantBound(here + j, head);
      }
    }
  };

  const wantConflict = (): void => {
    const { kind, ref, literal } = rules.conflict;
    if (literal >= 0) {
      wantReasonOfLiteral(literal, kind, ref);
      wantLiteral(literal ^ 1);
    } else if (kind === Reason.clause) {
      wantReasonOfLiteral(-1, kind, ref);
    } else if (kind === Reason.edges) {
      wantEdges(ref);
    } else {
      wantSum(ref, operations + ref, rules.limit + 1 - duration[ref]);
    }
  };

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
    wantConflict();
    let latest = -1;
    for (let i = 0; i < touches; i++) latest = Math.max(latest, eventOf[touched[i]]);
    if (bounds > 0) for (let x = 0; x < wanted.length; x++) latest = Math.max(latest, wanted[x]);
    clear();
    return latest < 0 ? 0 : trail.level[latest];
  };

  const explainFrom = (start: number): void => {
    let asserting = -1;
    for (let e = start; e >= 0; e--) {
      const what = trail.atom[e];
      if (what < 0) {
        const x = ~what;
        if (wanted[x] !== e) continue;
        wanted[x] = -1;
        bounds--;
        if (trail.level[e] >= level) boundsHere--;
        limitEvent = e;
        log?.explain(e);
        wantReasonOfBound(x, value[x], trail.kind[e], trail.ref[e]);
      } else if (asserting < 0 && seen[what >> 1] === 1 && trail.level[e] >= level) {
        literalsHere--;
        if (literalsHere === 0 && boundsHere === 0) asserting = what;
        else {
          limitEvent = e;
          log?.explain(e);
          wantReasonOfLiteral(what, trail.kind[e], trail.ref[e]);
        }
      }
      if (asserting >= 0 && bounds === 0) break;
    }
    learned[0] = asserting ^ 1;
  };

  /** Removes literals that follow from the rest. */
  const shorten = (): void => {
    let kept = 1;
    for (let i = 1; i < analysis.length; i++) {
      if (!isRedundant(learned[i], seen, trail, clauses, pairs)) learned[kept++] = learned[i];
      else log?.explain(eventOf[learned[i] >> 1]);
    }
    analysis.length = kept;
  };

  const analysis: Analysis = {
    learned,
    length: 1,
    depth: 0,
    levels: 0,
    analyse: () => {
      limitEvent = trail.size;
      analysis.length = 1;
      const deepest = levelOfConflict();
      if (deepest === 0) return false;
      level = deepest;
      limitEvent = trail.size;
      wantConflict();
      explainFrom(trail.size - 1);
      shorten();
      const { depth, levels } = measure(learned, analysis.length);
      analysis.depth = depth;
      analysis.levels = levels;
      const { length } = analysis;
      clear();
      analysis.length = length;
      return true;
    },
  };
  return analysis;
}
