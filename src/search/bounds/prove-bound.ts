import { setImmediate } from 'node:timers/promises';
import { InputError } from '@alas-jssp/core/errors';
import { instanceChecksum } from '../../jssp/checksum.js';
import type { Instance } from '../../jssp/instance.js';
import { isClassic } from '../../jssp/shop-parts.js';
import { createConflictSearch } from './learning/conflict-search.js';

/** Options of {@link proveBound}. */
export interface ProveBoundOptions {
  /** The bound to prove: no schedule ends before it. */
  readonly bound: number;
  /** Receives the proof, text with ends of lines, in order. */
  readonly write: (text: string) => void;
  /** Polled at every contradiction; once it returns true, the work ends. */
  readonly isOver?: () => boolean;
  /** Ends the work. */
  readonly signal?: AbortSignal;
}

/** The outcome of {@link proveBound}. */
export interface BoundProof {
  /** `proven`: the text is a proof; `false`: there is a shorter schedule; `undecided`: the work was ended before. */
  readonly verdict: 'proven' | 'false' | 'undecided';
  /** The starts of the shorter schedule, N entries, and its end, which ignore what the proof ignores; or null. */
  readonly starts: Int32Array | null;
  readonly makespan: number | null;
  readonly contradictions: number;
}

/** Contradictions between two looks at what else the process has to do. */
const TURN = 500;
/** The pairs of operations on machines that the memory of a search is made for. */
const MAX_PAIRS = 4_000_000;

/**
 * Searches for a schedule that ends before a bound until its absence is proven, and writes the proof in the format of
 * docs/reference/proofs.md, which `checkProof` of `alas-jssp/validator` checks. Downtimes, deadlines and frozen starts
 * are ignored, and releases of operations that have started before them, which keeps the bound valid. The proof depends
 * on nothing but the instance and the bound.
 *
 * @throws InputError `not_modelled` if the instance is no classic job shop, `too_large`, or `bad_option`
 */
export async function proveBound(
  instance: Instance,
  { bound, write, isOver = () => false, signal }: ProveBoundOptions,
): Promise<BoundProof> {
  requireProvable(instance, bound);
  const relaxed: Instance = {
    ...instance,
    release: provableRelease(instance),
    calendar: null,
    deadline: null,
    frozen: null,
  };
  write(`alas-jssp proof 1\ninstance ${instanceChecksum(instance)} ${nameLine(instance)}\n`);
  write(`bound ${bound}\n`);
  const isStopped = () => isOver() || signal?.aborted === true;
  const { duration } = instance;
  const search = createConflictSearch(relaxed, bound - 1, isStopped, null, 0, write);
  for (;;) {
    const verdict = search.search(TURN);
    const { conflicts: contradictions, starts } = search;
    if (verdict === 'possible') {
      const makespan = starts.reduce((end, time, op) => Math.max(end, time + duration[op]), 0);
      return { verdict: 'false', starts, makespan, contradictions };
    }
    const none = { starts: null, makespan: null, contradictions };
    if (verdict === 'refuted') return { verdict: 'proven', ...none };
    if (isStopped()) return { verdict: 'undecided', ...none };
    await setImmediate();
  }
}

/** Releases without those of operations that have started before. */
function provableRelease({ release, frozen }: Instance): Int32Array | null {
  if (release === null || frozen === null) return release;
  return release.map((time, op) => (frozen[op] >= 0 ? Math.min(time, frozen[op]) : time));
}

/** A name of one line: the checksum is what counts. */
function nameLine({ name }: Instance): string {
  return name.replaceAll(/\s+/g, ' ').trim() || 'unnamed';
}

function requireProvable(instance: Instance, bound: number): void {
  if (!Number.isInteger(bound) || bound < 0) {
    throw new InputError('bad_option', `bound is ${bound}`, 'use a whole number of 0 or more', {});
  }
  if (!isClassic(instance)) {
    throw new InputError(
      'not_modelled',
      `${instance.name} is no classic job shop, and proofs know no others`,
      'give an instance without alternatives, setups, transport, graphs and resources',
    );
  }
  let pairs = 0;
  for (let k = 0; k < instance.machines; k++) {
    pairs += (instance.machineOffset[k + 1] - instance.machineOffset[k]) ** 2;
  }
  if (pairs <= MAX_PAIRS) return;
  throw new InputError(
    'too_large',
    `${instance.name} has ${pairs} pairs of operations on machines`,
    `proofs take at most ${MAX_PAIRS}`,
  );
}
