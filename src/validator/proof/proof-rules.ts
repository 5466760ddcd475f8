import type { Instance } from '../../jssp/instance.js';
import { type ProofStep, refuseProof } from './proof-line.js';
import type { ProofState } from './proof-state.js';

/** The clauses of a proof that are in use, by their numbers: pairs of operations, of which the first comes before. */
export type ProofClauses = Map<number, readonly number[]>;

/**
 * Creates the rules of proofs. Each draws a conclusion from what is known, which holds for all schedules that end by the
 * limit; a rule whose condition is not met is refused. They are specified in docs/reference/proofs.md.
 */
export function createProofRules(
  { operations, duration }: Instance,
  state: ProofState,
  clauses: ProofClauses,
  limit: number,
): (step: ProofStep) => void {
  const { head, tail, areRivals, isBefore, order } = state;
  // The set that an operation was last seen in.
  const seen = new Float64Array(operations);
  let sets = 0;

  const requireRivals = (a: number, b: number): void => {
    if (a >= operations || b >= operations) refuseProof(`there are only ${operations} operations`);
    if (!areRivals(a, b)) refuseProof(`${a} and ${b} do not compete for a machine`);
  };

  const requireBefore = (a: number, b: number): void => {
    requireRivals(a, b);
    if (!isBefore(a, b)) refuseProof(`${a} is not known to come before ${b}`);
  };

  /** Sees to it that numbers from an index on are different rivals of each other, and of those before. */
  const requireSet = (numbers: readonly number[], first: number): void => {
    if (numbers.length <= first) refuseProof('a set is empty');
    sets++;
    for (const op of numbers) {
      if (op !== numbers[0]) requireRivals(numbers[0], op);
      else if (op >= operations) refuseProof(`there are only ${operations} operations`);
      if (seen[op] === sets) refuseProof(`${op} is named twice`);
      seen[op] = sets;
    }
  };

  const least = (times: Float64Array, numbers: readonly number[], first: number): number => {
    let value = Infinity;
    for (let x = first; x < numbers.length; x++) value = Math.min(value, times[numbers[x]]);
    return value;
  };

  const work = (numbers: readonly number[], first: number): number => {
    let sum = 0;
    for (let x = first; x < numbers.length; x++) sum += duration[numbers[x]];
    return sum;
  };

  const requireMore = (value: number): void => {
    if (value <= limit) refuseProof(`${value} is not more than ${limit}`);
  };

  const requireCount = (numbers: readonly number[], count: number): void => {
    if (numbers.length !== count) refuseProof(`it has ${numbers.length} numbers, not ${count}`);
  };

  const useClause = (id: number): void => {
    const clause = clauses.get(id) ?? refuseProof(`there is no clause ${id}`);
    let open = -1;
    for (let x = 0; x < clause.length; x += 2) {
      if (isBefore(clause[x + 1], clause[x])) continue;
      if (open >= 0) refuseProof(`clause ${id} leaves more than one order open`);
      open = x;
    }
    // If all are false, any of them contradicts what is known.
    const x = Math.max(open, 0);
    order(clause[x], clause[x + 1]);
  };

  const rules: Readonly<Record<string, (numbers: readonly number[]) => void>> = {
    p: (numbers) => {
      requireCount(numbers, 2);
      const [a, b] = numbers;
      requireBefore(a, b);
      state.raiseHead(b, head[a] + duration[a]);
      state.raiseTail(a, tail[b] + duration[b]);
    },
    s: (numbers) => {
      requireCount(numbers, 2);
      const [a, b] = numbers;
      requireRivals(a, b);
      requireMore(head[b] + duration[b] + duration[a] + tail[a]);
      order(a, b);
    },
    t: (numbers) => {
      requireCount(numbers, 3);
      const [a, b, c] = numbers;
      requireBefore(a, b);
      requireBefore(b, c);
      requireRivals(a, c);
      order(a, c);
    },
    c: (numbers) => {
      requireCount(numbers, 1);
      useClause(numbers[0]);
    },
    o: (numbers) => {
      requireSet(numbers, 0);
      const sum = least(head, numbers, 0) + work(numbers, 0) + least(tail, numbers, 0);
      requireMore(sum);
      state.contradict();
    },
    l: (numbers) => {
      requireSet(numbers, 1);
      requireMore(least(head, numbers, 0) + work(numbers, 0) + least(tail, numbers, 1));
      for (let x = 1; x < numbers.length; x++) order(numbers[x], numbers[0]);
    },
    f: (numbers) => {
      requireSet(numbers, 1);
      requireMore(least(tail, numbers, 0) + work(numbers, 0) + least(head, numbers, 1));
      for (let x = 1; x < numbers.length; x++) order(numbers[0], numbers[x]);
    },
    h: (numbers) => {
      requireSet(numbers, 1);
      for (let x = 1; x < numbers.length; x++) requireBefore(numbers[x], numbers[0]);
      state.raiseHead(numbers[0], least(head, numbers, 1) + work(numbers, 1));
    },
    q: (numbers) => {
      requireSet(numbers, 1);
      for (let x = 1; x < numbers.length; x++) requireBefore(numbers[0], numbers[x]);
      state.raiseTail(numbers[0], least(tail, numbers, 1) + work(numbers, 1));
    },
  };

  return ({ rule, numbers }) => {
    if (!Object.hasOwn(rules, rule)) refuseProof(`there is no rule "${rule}"`);
    rules[rule](numbers);
  };
}
