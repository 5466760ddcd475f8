import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { AlasError, canonicalJson, printableLine } from '@alas-jssp/core';
import type { Json } from '@alas-jssp/workflow';
import { prepareGuest } from './guest.js';
import { type SandboxAnswer, type SandboxRequest, serveSandbox } from './thread.js';

/** Limits of a sandbox. */
export interface SandboxOptions {
  /** The memory of the code and its values. Default 16 MB. */
  readonly memoryBytes?: number | undefined;
  /** The stack of the code. Default 256 KB. */
  readonly stackBytes?: number | undefined;
  /**
   * Steps of the interpreter, about: a call is one, a turn of a loop two. The same code stops at the same step each time.
   * Default 50 million.
   */
  readonly steps?: number | undefined;
  /**
   * The time after which the thread is ended, for the work of built-in functions, which have no steps. Default 10,000.
   * Far above what the steps take, so that an answer never depends on the speed of the machine.
   */
  readonly milliseconds?: number | undefined;
  /** Characters of the JSON of an input, and of an output. Default 1,000,000. */
  readonly jsonCharacters?: number | undefined;
}

/** The circumstances of an evaluation. */
export interface EvaluationOptions {
  /** With a seed, `Math.random` gives numbers that the seed determines; without one there is no `Math.random`. */
  readonly seed?: number | undefined;
}

/** The output of a call, or its error. */
export type Evaluation = { readonly output: Json } | { readonly error: AlasError };

/** A place where code that nobody has read runs: QuickJS as WebAssembly, in a thread of its own. */
export interface Sandbox {
  /**
   * Evaluates a module `export default (input) => output` and calls its function once, in a new context. The code has
   * ECMAScript without `Date`, `eval`, `Function`, `Proxy`, shared memory, weak references and modules. Promises are
   * never resumed. The output must be JSON: plain objects and lists of null, booleans, numbers and texts.
   *
   * The caller's thread is blocked meanwhile, for at most the milliseconds: the simulator, whose time is not that of the
   * machine, would not see an answer that arrives later.
   *
   * @throws AlasError `SandboxLimit` (steps, time, memory, stack, size), `SandboxError` (the code does not parse or
   *   throws), `BadOutput`: one line
   */
  evaluate(source: string, input: Json, options?: EvaluationOptions): Promise<Json>;
  /**
   * Calls the function once for each input, all in one context, each with the limits of an evaluation; the time is for all
   * of them. It is far faster, and shows code that remembers earlier calls.
   *
   * @returns outputs and errors in the order of the inputs; shorter if a call exceeds a limit, or the code does not load
   * @throws AlasError `SandboxLimit` for the time
   */
  evaluateEach(
    source: string,
    inputs: readonly Json[],
    options?: EvaluationOptions,
  ): Promise<readonly Evaluation[]>;
  /** Ends the thread; a later evaluation starts another one. */
  close(): Promise<void>;
}

const LONGEST_SOURCE = 262_144;

/** Steps between two calls of the interrupt handler of QuickJS. */
const STEPS_PER_POLL = 10_000;

/** Starting takes a fraction of a second; a minute means that it never ends. */
const START_MILLISECONDS = 60_000;

/** Creates a sandbox. Its thread starts with the first evaluation. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const { milliseconds = 10_000, jsonCharacters = 1_000_000 } = options;
  let thread: SandboxThread | undefined;
  const end = async () => {
    const ended = thread;
    thread = undefined;
    await ended?.end();
  };
  const ask = (
    source: string,
    inputs: readonly Json[],
    { seed }: EvaluationOptions = {},
  ): readonly SandboxAnswer[] => {
    const texts = inputs.map((input) => {
      const text = canonicalJson(input);
      if (text.length <= jsonCharacters) return text;
      throw limitError(
        `the input has ${text.length} characters, and ${jsonCharacters} are allowed`,
      );
    });
    if (source.length > LONGEST_SOURCE) {
      throw limitError(
        `the code has ${source.length} characters, and ${LONGEST_SOURCE} are allowed`,
      );
    }
    thread ??= startSandboxThread(options, jsonCharacters);
    const request = { source, inputs: texts, seed: seed === undefined ? null : seed | 0 };
    const answers = thread.ask(request, milliseconds);
    if (answers !== null) return answers;
    void end();
    throw limitError(`the code did not end within ${milliseconds} ms`);
  };
  return {
    evaluate: async (source, input, given) => {
      const [answer] = ask(source, [input], given);
      if ('json' in answer) return parseOutput(answer.json);
      throw answerError(answer);
    },
    evaluateEach: async (source, inputs, given) =>
      ask(source, inputs, given).map((answer): Evaluation => {
        if (!('json' in answer)) return { error: answerError(answer) };
        return { output: parseOutput(answer.json) };
      }),
    close: end,
  };
}

function answerError({ code, message }: Exclude<SandboxAnswer, { json: string }>): AlasError {
  const subject = code === 'SandboxError' ? 'the code failed' : SUBJECTS[code];
  return new AlasError(code, shorten(printableLine(`${subject}: ${message}`)));
}

const SUBJECTS = {
  SandboxLimit: 'the code exceeds a limit',
  BadOutput: 'the output of the code is no JSON',
} as const;

function parseOutput(json: string): Json {
  try {
    return JSON.parse(json);
  } catch {
    throw new AlasError('BadOutput', `${SUBJECTS.BadOutput}: it cannot be read`);
  }
}

/** The longest message: escapes of odd signs take six letters each. */
const LONGEST_MESSAGE = 360;

function shorten(line: string): string {
  return line.length > LONGEST_MESSAGE ? `${line.slice(0, LONGEST_MESSAGE)}…` : line;
}

function limitError(message: string): AlasError {
  return new AlasError('SandboxLimit', message);
}

interface SandboxThread {
  /** Blocks until the thread has answered; null if it does not in time. */
  ask(request: SandboxRequest, milliseconds: number): readonly SandboxAnswer[] | null;
  end(): Promise<void>;
}

function startSandboxThread(options: SandboxOptions, longest: number): SandboxThread {
  const { memoryBytes = 16 * 2 ** 20, stackBytes = 256 * 1024, steps = 50_000_000 } = options;
  const { port1: here, port2: there } = new MessageChannel();
  const flags = new Int32Array(new SharedArrayBuffer(8));
  const setup = {
    port: there,
    flags,
    guest: prepareGuest.toString(),
    memoryBytes,
    stackBytes,
    polls: Math.max(1, Math.ceil(steps / STEPS_PER_POLL)),
    longest,
  };
  const worker = new Worker(threadCode(), {
    eval: true,
    workerData: setup,
    transferList: [there],
    argv: [],
    env: {},
    execArgv: [],
    // WebAssembly prints its aborts; the answer says them.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 16 },
  });
  worker.on('error', () => {});
  worker.unref();
  here.unref();
  let isReady = false;
  const end = async () => {
    here.close();
    await worker.terminate();
  };
  const ask = (request: SandboxRequest, milliseconds: number): readonly SandboxAnswer[] | null => {
    if (!isReady && Atomics.wait(flags, 0, 0, START_MILLISECONDS) === 'timed-out') {
      void end();
      throw new AlasError('SandboxError', 'the thread of the sandbox does not start');
    }
    isReady = true;
    const answered = Atomics.load(flags, 1);
    here.postMessage(request);
    if (Atomics.wait(flags, 1, answered, milliseconds) === 'timed-out') return null;
    return receiveMessageOnPort(here)?.message ?? null;
  };
  return { ask, end };
}

/** The code of the thread, as a text: a file would have to be JavaScript, and tests run on TypeScript. */
function threadCode(): string {
  return `
    const { createRequire } = require('node:module');
    const { readFileSync } = require('node:fs');
    const { workerData } = require('node:worker_threads');
    const load = createRequire(${JSON.stringify(import.meta.url)});
    const quickjs = load('quickjs-emscripten-core');
    const variant = load('@jitl/quickjs-wasmfile-release-sync');
    const wasm = new WebAssembly.Module(
      readFileSync(load.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')),
    );
    (${serveSandbox.toString()})(workerData, { quickjs, variant: variant.default ?? variant, wasm });`;
}
