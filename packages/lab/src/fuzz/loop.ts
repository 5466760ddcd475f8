// The loop of the fuzzer: an input is kept if it reaches a branch that no other has reached, or as often.
import { createRandom } from '@alas-jssp/core/random';
import { MOST_BYTES, mutate } from './mutate.js';
import type { FuzzFinding, FuzzTarget, tryInput } from './target.js';

/** An input that was kept. */
interface Kept {
  readonly input: Uint8Array;
  /** The branches that it reaches, each with how often in powers of two. */
  readonly features: readonly number[];
}

/** What the loop needs besides the target. */
export interface LoopOptions {
  readonly seeds: readonly Uint8Array[];
  readonly words: readonly string[];
  readonly counters: Uint8Array;
  readonly tryInput: typeof tryInput;
  readonly seed: number;
  /** The time of the end, as `performance.now()` has it. */
  readonly until: number;
  /** Ends the loop earlier. */
  readonly mostExecutions?: number | undefined;
  /** Called with each input before it is tried. */
  readonly before: (input: Uint8Array) => void;
  readonly after: () => void;
  /** Called with an input that reached something new, and with what was reached until now. */
  readonly onKept?: (input: Uint8Array, features: number) => void;
  readonly onFinding: (finding: FuzzFinding, input: Uint8Array) => void;
}

/** The outcome of a loop. */
export interface LoopResult {
  readonly executions: number;
  readonly features: number;
  /** Few and short inputs that reach everything that was reached. */
  readonly corpus: readonly Uint8Array[];
}

/** Inputs of one parent in a row. */
const ROUND = 24;

/** Tries inputs until the time is over. Each finding is reported once, with a short input. */
export async function fuzz(target: FuzzTarget, options: LoopOptions): Promise<LoopResult> {
  const { counters, seeds, words, until, onFinding } = options;
  const { mostExecutions = Number.POSITIVE_INFINITY } = options;
  const random = createRandom(options.seed);
  const best = new Map<number, Uint8Array>();
  const kept: Kept[] = [];
  const known = new Set<string>();
  let executions = 0;

  const run = async (input: Uint8Array): Promise<FuzzFinding | null> => {
    counters.fill(0);
    options.before(input);
    const outcome = options.tryInput(target, input);
    const finding = outcome instanceof Promise ? await outcome : outcome;
    options.after();
    executions++;
    return finding;
  };
  const keep = (input: Uint8Array, limit = MOST_BYTES) => {
    if (input.length > limit) return;
    const features = featuresOf(counters);
    const isNew = features.some((one) => !best.has(one));
    if (isNew) kept.push({ input, features });
    for (const one of features) {
      const now = best.get(one);
      if (now === undefined || now.length > input.length) best.set(one, input);
    }
    if (isNew) options.onKept?.(input, best.size);
  };
  const note = async (finding: FuzzFinding, input: Uint8Array) => {
    if (known.has(finding.key)) return;
    known.add(finding.key);
    onFinding(finding, await shorten(input, finding.key, run));
  };

  for (const input of seeds) {
    const finding = await run(input);
    if (finding !== null) await note(finding, input);
    else keep(input);
  }
  // Seeds that reach no branch of their own are changed as well.
  if (kept.length === 0) kept.push({ input: seeds[0] ?? new Uint8Array(0), features: [] });
  const isOver = () => performance.now() >= until || executions >= mostExecutions;
  while (!isOver()) {
    const parent = pickParent(kept, random.next());
    for (let i = 0; i < ROUND && !isOver(); i++) {
      const others = [kept[random.integer(0, kept.length - 1)].input];
      const input = mutate(parent, { random, others, words });
      const finding = await run(input);
      if (finding !== null) await note(finding, input);
      else keep(input);
    }
  }
  return { executions, features: best.size, corpus: smallCover(best) };
}

/** Later ones more often: they reached something new. */
function pickParent(kept: readonly Kept[], chance: number): Uint8Array {
  return kept[Math.floor(kept.length * Math.sqrt(chance))].input;
}

/** The counters that are not zero, with their values in powers of two. */
function featuresOf(counters: Uint8Array): number[] {
  const features: number[] = [];
  const words = new BigUint64Array(counters.buffer, counters.byteOffset, counters.length / 8);
  for (let w = 0; w < words.length; w++) {
    if (words[w] === 0n) continue;
    for (let i = 8 * w; i < 8 * w + 8; i++) {
      if (counters[i] > 0) features.push(8 * i + Math.min(7, 31 - Math.clz32(counters[i])));
    }
  }
  return features;
}

/** The shortest inputs of all branches, without how often they ran. */
function smallCover(best: ReadonlyMap<number, Uint8Array>): Uint8Array[] {
  const byBranch = new Map<number, Uint8Array>();
  for (const [feature, input] of best) {
    const branch = Math.floor(feature / 8);
    const now = byBranch.get(branch);
    if (now === undefined || now.length > input.length) byBranch.set(branch, input);
  }
  return [...new Set(byBranch.values())];
}

/** A shorter input with the same finding: parts are removed, from halves down to bytes. */
async function shorten(
  input: Uint8Array,
  key: string,
  run: (input: Uint8Array) => Promise<FuzzFinding | null>,
): Promise<Uint8Array> {
  let now = input;
  let left = key === 'slow' || key === 'memory' ? 30 : 1500;
  for (let size = Math.ceil(now.length / 2); size >= 1 && left > 0; size = Math.floor(size / 2)) {
    for (let from = 0; from < now.length && left > 0; left--) {
      const shorter = Buffer.concat([now.subarray(0, from), now.subarray(from + size)]);
      const finding = await run(shorter);
      if (finding?.key === key) now = shorter;
      else from += size;
    }
  }
  return now;
}
