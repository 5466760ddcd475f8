// The thread of one target: it loads the instrumented targets, and fuzzes one of them.
import { parentPort, workerData } from 'node:worker_threads';
import { COUNTERS, MOST_BRANCHES } from './instrument-names.js';
import { fuzz } from './loop.js';
import type { FuzzTarget, tryInput } from './target.js';

/** What a thread is given. */
export interface ThreadInput {
  /** The address of the bundle of targets. */
  readonly bundle: string;
  readonly target: string;
  readonly seeds: readonly Uint8Array[];
  readonly words: readonly string[];
  readonly seed: number;
  readonly milliseconds: number;
  /** The input that is being tried: its start in milliseconds, its length, and its bytes. */
  readonly current: SharedArrayBuffer;
}

const given = workerData as ThreadInput;
const counters = new Uint8Array(MOST_BRANCHES);
Object.assign(globalThis, { [COUNTERS]: counters });

const bundled = (await import(given.bundle)) as {
  readonly targets: readonly FuzzTarget[];
  readonly tryInput: typeof tryInput;
};
const target = bundled.targets.find(({ name }) => name === given.target);
if (target === undefined) throw new Error(`there is no target ${given.target}`);
const clock = new Float64Array(given.current, 0, 2);
const bytes = new Uint8Array(given.current, 16);
const began = process.cpuUsage();
const result = await fuzz(target, {
  seeds: given.seeds,
  words: [...(target.words ?? []), ...given.words],
  counters,
  tryInput: bundled.tryInput,
  seed: given.seed,
  until: performance.now() + given.milliseconds,
  before: (input) => {
    bytes.set(input.subarray(0, bytes.length));
    clock[1] = input.length;
    clock[0] = performance.timeOrigin + performance.now();
  },
  after: () => {
    clock[0] = 0;
  },
  onFinding: (finding, input) => parentPort?.postMessage({ finding, input }),
});
await target.close?.();
const { user, system } = process.cpuUsage(began);
parentPort?.postMessage({ result, seconds: (user + system) / 1e6 });
