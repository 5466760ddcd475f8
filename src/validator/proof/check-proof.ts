import { AlasError } from '@alas-jssp/core/errors';
import { instanceChecksum } from '../../jssp/checksum.js';
import type { Instance } from '../../jssp/instance.js';
import { isClassic } from '../../jssp/shop-parts.js';
import {
  checkProofFormat,
  type ProofHeader,
  readProofBound,
  readProofHeader,
  readProofInstance,
} from './proof-header.js';
import { type ProofLine, parseProofLine, refuseProof } from './proof-line.js';
import { createProofRules, type ProofClauses } from './proof-rules.js';
import { createProofState } from './proof-state.js';

/** The outcome of checking a proof. */
export interface ProofCheck {
  /** Whether it proves its bound. */
  readonly valid: boolean;
  /** The bound that it states: no schedule ends before it; null if it states none. */
  readonly bound: number | null;
  /** The line that is wrong, and why; or null. */
  readonly problem: string | null;
  /** The clauses and steps that were checked. */
  readonly clauses: number;
  readonly steps: number;
}

/**
 * Checks the proof of a lower bound on the makespan with nothing but the instance, in time linear in its length times
 * the operations of a job, in memory for the clauses that are in use at the same time. Downtimes, deadlines and frozen
 * starts are ignored: they cannot make schedules shorter, but for operations that have started before their release,
 * which count as released then. Never throws on proofs that are wrong.
 *
 * @param lines the lines of the proof without their ends
 */
export async function checkProof(
  instance: Instance,
  lines: Iterable<string> | AsyncIterable<string>,
): Promise<ProofCheck> {
  const head: string[] = [];
  let checker: ProofChecker | null = null;
  let number = 0;
  let isInLine = false;
  const outcome = (problem: string | null): ProofCheck => ({
    valid: problem === null,
    bound: checker?.bound ?? null,
    problem,
    clauses: checker?.clauses ?? 0,
    steps: checker?.steps ?? 0,
  });
  try {
    for await (const line of lines) {
      number++;
      isInLine = true;
      if (checker !== null) checker.read(line);
      else {
        HEADER_LINES[number - 1](line);
        head.push(line);
        if (number === HEADER_LINES.length) checker = createProofChecker(instance, head);
      }
      if (checker?.isProven) return outcome(null);
      isInLine = false;
    }
    return outcome(`it ends after line ${number}, without a contradiction`);
  } catch (error) {
    if (!(error instanceof AlasError) || error.code !== 'bad_proof') throw error;
    // Bytes are read in chunks: where they are no text, the line is not known.
    const place = isInLine ? `line ${number}: ` : number === 0 ? '' : `after line ${number}: `;
    return outcome(`${place}${error.message}`);
  }
}

/** The checks of the first lines, each when it is read: what is wrong is then in that line. */
const HEADER_LINES = [checkProofFormat, readProofInstance, readProofBound];

interface ProofChecker {
  readonly bound: number;
  readonly isProven: boolean;
  readonly clauses: number;
  readonly steps: number;
  read(line: string): void;
}

function createProofChecker(instance: Instance, head: readonly string[]): ProofChecker {
  const { bound, sha256 }: ProofHeader = readProofHeader(head);
  if (!isClassic(instance)) refuseProof(`${instance.name} is no classic job shop`);
  if (sha256 !== instanceChecksum(instance)) {
    refuseProof(`it is for another instance: the checksum of ${instance.name} is different`);
  }
  const state = createProofState(instance, bound - 1);
  const clauses: ProofClauses = new Map();
  const apply = createProofRules(instance, state, clauses, bound - 1);
  let last = 0;
  let count = 0;
  let steps = 0;

  const applyAll = (line: ProofLine): void => {
    for (const step of line.steps) {
      if (state.isContradiction) return;
      apply(step);
      steps++;
    }
  };

  /** Assumes that all orders of a clause are the other way round, which must lead to a contradiction. */
  const learn = (line: ProofLine): void => {
    const [id, ...orders] = line.numbers;
    if (!(id > last)) refuseProof('the numbers of clauses rise');
    if (orders.length === 0 || orders.length % 2 === 1)
      refuseProof('a clause has pairs of operations');
    state.assume();
    for (let x = 0; x < orders.length; x += 2) {
      const [a, b] = [orders[x], orders[x + 1]];
      if (a >= instance.operations || b >= instance.operations || !state.areRivals(a, b)) {
        refuseProof(`${a} and ${b} do not compete for a machine`);
      }
      state.order(b, a);
    }
    applyAll(line);
    if (!state.isContradiction) refuseProof('the steps end without a contradiction');
    state.dismiss();
    last = id;
    count++;
    if (orders.length === 2) state.order(orders[0], orders[1]);
    else clauses.set(id, orders);
  };

  const forget = ({ numbers, steps: none }: ProofLine): void => {
    if (numbers.length === 0 || none.length > 0)
      refuseProof('a deletion has the numbers of clauses');
    for (const id of numbers) {
      if (!clauses.delete(id)) refuseProof(`there is no clause ${id}`);
    }
  };

  return {
    bound,
    get isProven() {
      return state.isContradiction;
    },
    get clauses() {
      return count;
    },
    get steps() {
      return steps;
    },
    read: (text) => {
      const line = parseProofLine(text);
      if (line.rule === 'c') learn(line);
      else if (line.rule === 'd') forget(line);
      else if (line.rule === 'r' && line.numbers.length === 0) applyAll(line);
      else refuseProof(`a line begins with c, d or r, not "${text.slice(0, 10)}"`);
    },
  };
}
