import type { Instance } from '../../../jssp/instance.js';
import type { Clauses } from './clauses.js';
import type { Disjunctions } from './disjunctions.js';
import { type Consequences, createMachineRules } from './machine-rules.js';
import { assign, Reason, raise, type Trail } from './trail.js';

/** A contradiction: a reason, its reference, and the false literal that it implies (or −1). */
interface Conflict {
  kind: number;
  ref: number;
  literal: number;
}

/** All implications of a state: bounds and orders of all schedules within a makespan. */
export interface Rules extends Pick<Consequences, 'imply' | 'lift'> {
  /** The last contradiction. */
  readonly conflict: Conflict;
  /** The limit of the makespan; set at the root only. */
  limit: number;
  /** Propagates new events of the trail; false if they contradict each other. */
  propagate(): boolean;
  /** Resets the propagation to the end of the trail. */
  rewind(): void;
  /** Resets the propagation to the whole trail and all machines. */
  rewindToStart(): void;
}

/**
 * Creates the rules of a job shop, in the order of their cost: clauses; jobs, settled orders and immediate selection
 * (Carlier and Pinson 1989, doi:10.1287/mnsc.35.2.164); sets of predecessors; edge-finding.
 */
export function createRules(
  instance: Instance,
  pairs: Disjunctions,
  trail: Trail,
  clauses: Clauses,
): Rules {
  const { operations, machines, machine, duration, jobOf } = instance;
  const { from, to, partnerOffset, partner, partnerLiteral, literalOf } = pairs;
  const { bound, last, value } = trail;
  const conflict: Conflict = { kind: 0, ref: 0, literal: -1 };
  // The processed part of the trail, for literals and for bounds.
  let literalsDone = 0;
  let boundsDone = 0;

  const fail = (kind: number, ref: number, literal: number): false => {
    conflict.kind = kind;
    conflict.ref = ref;
    conflict.literal = literal;
    return false;
  };

  const imply: Rules['imply'] = (literal, kind, ref) => {
    const known = value[literal];
    if (known === 1) return true;
    if (known === -1) return fail(kind, ref, literal);
    assign(trail, literal, kind, ref);
    return true;
  };

  const implyByClause = (literal: number, clause: number): void => {
    assign(trail, literal, Reason.clause, clause);
  };

  const lift: Rules['lift'] = (x, time, kind, ref) => {
    if (time <= bound[x]) return true;
    raise(trail, x, time, kind, ref);
    const op = x < operations ? x : x - operations;
    if (bound[op] + duration[op] + bound[operations + op] <= rules.limit) return true;
    return fail(Reason.selection, op, -1);
  };

  const onMachines = createMachineRules(instance, pairs, trail, { imply, lift, fail });
  const { touchOperation, touchMachine } = onMachines;

  /** One operation precedes another: propagates bounds, and orders implied together with a third operation. */
  const followLiteral = (literal: number): boolean => {
    const a = from[literal];
    const b = to[literal];
    const early = bound[a] + duration[a];
    if (!lift(b, early, Reason.precedence, literal)) return false;
    const late = bound[operations + b] + duration[b];
    if (!lift(operations + a, late, Reason.precedence, literal)) return false;
    touchOperation(b);
    touchOperation(operations + a);
    for (let p = partnerOffset[a]; p < partnerOffset[a + 1]; p++) {
      const c = partner[p];
      const aFirst = partnerLiteral[p];
      if (c === b) continue;
      const bFirst = literalOf(b, c);
      if (bFirst < 0) continue;
      if (value[bFirst] === 1) {
        if (value[aFirst] !== 1 && !imply(aFirst, Reason.transitivity, b)) return false;
      } else if (value[aFirst] === -1 && value[bFirst] === 0) {
        if (!imply(bFirst ^ 1, Reason.transitivity, a)) return false;
      }
    }
    return true;
  };

  /**
   * A bound rose: propagates to the neighbours of the job and of the machine, and excludes orders that would exceed the
   * makespan.
   */
  const followBound = (x: number): boolean => {
    const forward = x < operations;
    const op = forward ? x : x - operations;
    const next = forward ? op + 1 : op - 1;
    const time = bound[x] + duration[op];
    if (next >= 0 && next < operations && jobOf[next] === jobOf[op]) {
      if (!lift(forward ? x + 1 : x - 1, time, Reason.job, 0)) return false;
    }
    if (duration[op] === 0) return true;
    const here = forward ? 0 : operations;
    const there = operations - here;
    const flip = forward ? 0 : 1;
    const room = rules.limit - time;
    for (let p = partnerOffset[op]; p < partnerOffset[op + 1]; p++) {
      const other = partner[p];
      const literal = partnerLiteral[p] ^ flip;
      const known = value[literal];
      if (known === 1) {
        const y = here + other;
        if (time > bound[y] && !lift(y, time, Reason.precedence, literal)) return false;
        touchOperation(y);
      } else if (known === 0 && duration[other] + bound[there + other] > room) {
        assign(trail, literal ^ 1, Reason.selection, 0);
      }
    }
    touchMachine(machine[op]);
    return true;
  };

  const propagateNeighbours = (): boolean => {
    for (;;) {
      if (literalsDone < trail.size) {
        const what = trail.atom[literalsDone++];
        if (what < 0) continue;
        const clause = clauses.visit(what ^ 1, value, implyByClause);
        if (clause >= 0) return fail(Reason.clause, clause, -1);
        if (!followLiteral(what)) return false;
      } else if (boundsDone < trail.size) {
        const e = boundsDone++;
        const what = trail.atom[e];
        if (what < 0 && last[~what] === e && !followBound(~what)) return false;
      } else return true;
    }
  };

  const rules: Rules = {
    conflict,
    limit: 0,
    imply,
    lift,
    propagate: () => {
      for (;;) {
        if (!propagateNeighbours()) return false;
        const size = trail.size;
        if (!onMachines.visitOperations(rules.limit)) return false;
        if (trail.size > size) continue;
        if (!onMachines.visitMachine(rules.limit)) return false;
        if (trail.size === size && onMachines.idle()) return true;
      }
    },
    rewind: () => {
      literalsDone = trail.size;
      boundsDone = trail.size;
      onMachines.clear();
    },
    rewindToStart: () => {
      literalsDone = 0;
      boundsDone = 0;
      for (let k = 0; k < machines; k++) touchMachine(k);
      for (let x = 0; x < 2 * operations; x++) touchOperation(x);
    },
  };
  return rules;
}
