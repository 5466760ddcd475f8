// The thread of one target: it loads the instrumented targets, and fuzzes one of them.
import { parentPort, workerData } from 'node:worker_threads';
import { COUNTERS, MOST_BRANCHES } from './instrument-names.js';
import { fuzz } from './loop.js';
import type { FuzzTarget, tryInput } from './target.js';
import { HEADER, type ThreadHeader, writeHeader } from './thread-header.js';

/** What a thread is given. */
export interface ThreadInput {
  /** The address of the bundle of targets. */
  readonly bundle: string;
  readonly target: string;
  readonly seeds: readonly Uint8Array[];
  readonly words: readonly string[];
  readonly seed: number;
  readonly milliseconds: number;
  /** A {@link ThreadHeader}, and the bytes of the input that is being tried. */
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
const { current } = given;
const bytes = new Uint8Array(current, HEADER);
const began = process.cpuUsage();
let executions = 0;
let features = 0;
const totals = (): Pick<ThreadHeader, 'executions' | 'features' | 'seconds'> => {
  const { user, system } = process.cpuUsage(began);
  return { executions, features, seconds: (user + system) / 1e6 };
};
const result = await fuzz(target, {
  seeds: given.seeds,
  words: [...(target.words ?? []), ...given.words],
  counters,
  tryInput: bundled.tryInput,
  seed: given.seed,
  until: performance.now() + given.milliseconds,
  before: (input) => {
    executions++;
    bytes.set(input.subarray(0, bytes.length));
    const begun = performance.timeOrigin + performance.now();
    writeHeader(current, { ...totals(), length: input.length, begun });
  },
  after: () => writeHeader(current, { begun: 0 }),
  onKept: (input, reached) => {
    features = reached;
    parentPort?.postMessage({ kept: input });
  },
  onFinding: (finding, input) => parentPort?.postMessage({ finding, input }),
});
await target.close?.();
writeHeader(current, { ...totals(), features: result.features });
parentPort?.postMessage({ result });
