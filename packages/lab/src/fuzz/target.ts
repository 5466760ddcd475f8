// A parser under fuzzing, and the property that holds for every input.
import { AlasError } from '@alas-jssp/core/errors';

/** A parser of foreign input. */
export interface FuzzTarget {
  readonly name: string;
  /** Files of the repository, and texts, from which inputs are made. */
  readonly seeds: readonly FuzzSeed[];
  /** Words that inputs may hold, in addition to the texts in the code that is run. */
  readonly words?: readonly string[];
  /**
   * Parses an input, and what was written from its result. Throws AlasErrors for inputs that are refused; any other
   * error is a finding.
   */
  run(input: Uint8Array): void | Promise<void>;
  /** Ends what the target has started. */
  close?(): Promise<void>;
}

/** An input from which others are made: a path in the repository, or a text. */
export type FuzzSeed = { readonly file: string } | { readonly text: string };

/** An input for which the property does not hold. */
export interface FuzzFinding {
  readonly kind: 'exception' | 'message' | 'prototype' | 'slow' | 'memory' | 'hang';
  /** The same for findings with the same cause. */
  readonly key: string;
  readonly detail: string;
}

/** Milliseconds of processor time that an input of up to 64 kB may take. */
const MOST_TIME = 2000;
/** Bytes by which the memory of the process may grow during one input. */
const MOST_MEMORY = 512 * 2 ** 20;
/** The length of an error message: no line of a report is longer. */
const LONGEST_MESSAGE = 2003;

const PLAIN = [Object.prototype, Array.prototype, Function.prototype, String.prototype];
const names = PLAIN.map((each) => Object.getOwnPropertyNames(each).length);

/** Runs a target on an input. Null if the property holds: a result or a refusal in one line, soon, and without a trace. */
export function tryInput(
  target: FuzzTarget,
  input: Uint8Array,
): FuzzFinding | null | Promise<FuzzFinding | null> {
  const started = begin();
  try {
    const running = target.run(input);
    if (running === undefined) return finish(started, undefined);
    return running.then(
      () => finish(started, undefined),
      (error: unknown) => finish(started, { error }),
    );
  } catch (error) {
    return finish(started, { error });
  }
}

interface Started {
  readonly wall: number;
  readonly processor: NodeJS.CpuUsage;
  readonly memory: number;
}

function begin(): Started {
  return {
    wall: performance.now(),
    processor: process.cpuUsage(),
    memory: process.memoryUsage.rss(),
  };
}

function finish(started: Started, thrown: { readonly error: unknown } | undefined) {
  const polluted = pollution();
  if (polluted !== null) return polluted;
  const fault = thrown === undefined ? null : faultOf(thrown.error);
  if (fault !== null) return fault;
  const grown = process.memoryUsage.rss() - started.memory;
  if (grown > MOST_MEMORY) {
    const detail = `the process grew by ${Math.round(grown / 2 ** 20)} MiB`;
    return { kind: 'memory', key: 'memory', detail } as const;
  }
  if (performance.now() - started.wall < MOST_TIME) return null;
  const { user, system } = process.cpuUsage(started.processor);
  const spent = (user + system) / 1000;
  if (spent < MOST_TIME) return null;
  return {
    kind: 'slow',
    key: 'slow',
    detail: `${Math.round(spent)} ms of processor time`,
  } as const;
}

/** Keys that an input added to the prototypes of all objects. They are removed. */
function pollution(): FuzzFinding | null {
  const place = PLAIN.findIndex((each, i) => Object.getOwnPropertyNames(each).length !== names[i]);
  if (place < 0) return null;
  const found = Object.getOwnPropertyNames(PLAIN[place]).slice(names[place]);
  for (const name of found) Reflect.deleteProperty(PLAIN[place], name);
  return { kind: 'prototype', key: 'prototype', detail: `keys of a prototype: ${found}` };
}

function faultOf(error: unknown): FuzzFinding | null {
  if (!(error instanceof AlasError)) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { kind: 'exception', key: keyOf(stack), detail: stack };
  }
  const { message } = error;
  const isLine = message !== '' && !/[\n\r\u2028\u2029]/.test(message);
  if (isLine && message.length <= LONGEST_MESSAGE) return null;
  const detail = `${message.length} characters: ${message.slice(0, 200)}`;
  return { kind: 'message', key: `message ${error.code}`, detail };
}

/** The kind of an error and its place: errors of the same place are one finding. */
function keyOf(stack: string): string {
  const frames = [...stack.matchAll(/^\s+at (?:async )?([\w.<>$ ]+)/gm)].map(([, name]) => name);
  return [/^\w+/.exec(stack)?.[0] ?? 'thrown', ...frames.slice(0, 2)].join(' < ');
}
