import { type Clauses, ID } from './clauses.js';
import type { Disjunctions } from './disjunctions.js';
import { EdgeNote, PredecessorNote } from './machine-rules.js';
import { Reason, type Trail } from './trail.js';

/** The length of a line after which the facts at the root go on in the next one: they may be millions. */
const MAX_LINE = 2 ** 16;

/** A contradiction of the rules: its reason, the reference of that, and the false literal that it implies (or −1). */
interface Contradiction {
  readonly kind: number;
  readonly ref: number;
  readonly literal: number;
}

/**
 * Logs a search so that others can check it: of every learned clause the steps by which its opposite leads to a
 * contradiction, in the format of docs/reference/proofs.md.
 */
export interface RefutationLog {
  /** An event whose reason the analysis of a contradiction looked up. */
  explain(event: number): void;
  /** The clause that the analysis learned from these events; returns its number. */
  learn(literals: Int32Array, length: number, contradiction: Contradiction): number;
  /** All events at the root, and the contradiction they end in (null if none). */
  settle(events: number, contradiction: Contradiction | null): void;
  /** A clause that is no longer used. */
  forget(id: number): void;
}

/**
 * Creates a log.
 *
 * @param write receives lines of text, each with its end
 */
export function createRefutationLog(
  pairs: Disjunctions,
  trail: Trail,
  clauses: Clauses,
  operations: number,
  write: (text: string) => void,
): RefutationLog {
  const { from, to } = pairs;
  let explained: number[] = [];
  let last = 0;
  let lastSet = -1;

  /** A set rule settles many orders at once; it is written once. */
  const edgeStep = (note: number): string => {
    if (note === lastSet) return '';
    lastSet = note;
    const { notes } = trail;
    const outsider = notes[note + EdgeNote.outsider];
    const start = note + EdgeNote.set;
    const set = notes.subarray(start, start + notes[note + EdgeNote.size]).join(' ');
    if (outsider < 0) return ` o ${set}`;
    return ` ${notes[note + EdgeNote.direction] === 0 ? 'l' : 'f'} ${outsider} ${set}`;
  };

  const literalStep = (literal: number, kind: number, ref: number): string => {
    if (kind === Reason.clause) return ` c ${clauses.data[ref - ID]}`;
    if (kind === Reason.edges) return edgeStep(ref);
    if (kind === Reason.selection) return ` s ${from[literal]} ${to[literal]}`;
    if (kind === Reason.transitivity) return ` t ${from[literal]} ${ref} ${to[literal]}`;
    return '';
  };

  const boundStep = (x: number, kind: number, ref: number): string => {
    if (kind === Reason.precedence) return ` p ${from[ref]} ${to[ref]}`;
    if (kind !== Reason.predecessors) return '';
    const { notes } = trail;
    const start = ref + PredecessorNote.set;
    const set = notes.subarray(start, start + notes[ref + PredecessorNote.size]).join(' ');
    return x < operations ? ` h ${x} ${set}` : ` q ${x - operations} ${set}`;
  };

  const eventStep = (event: number): string => {
    const what = trail.atom[event];
    const kind = trail.kind[event];
    const ref = trail.ref[event];
    return what < 0 ? boundStep(~what, kind, ref) : literalStep(what, kind, ref);
  };

  // A window that is too narrow needs no step: bounds that rise are compared.
  const lastStep = ({ kind, ref, literal }: Contradiction): string =>
    literal < 0 && kind === Reason.selection ? '' : literalStep(literal, kind, ref);

  return {
    explain: (event) => void explained.push(event),
    learn: (literals, length, contradiction) => {
      lastSet = -1;
      let line = `c ${++last}`;
      for (let i = 0; i < length; i++) line += ` ${from[literals[i]]} ${to[literals[i]]}`;
      line += ' :';
      explained.sort((a, b) => a - b);
      for (const event of explained) line += eventStep(event);
      explained = [];
      write(`${line}${lastStep(contradiction)}\n`);
      return last;
    },
    settle: (events, contradiction) => {
      explained = [];
      lastSet = -1;
      let line = '';
      for (let event = 0; event < events; event++) {
        line += eventStep(event);
        if (line.length < MAX_LINE) continue;
        write(`r${line}\n`);
        line = '';
      }
      if (contradiction !== null) line += lastStep(contradiction);
      if (line !== '') write(`r${line}\n`);
    },
    forget: (id) => write(`d ${id}\n`),
  };
}
