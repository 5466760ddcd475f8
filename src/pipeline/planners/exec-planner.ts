import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { AlasError, errorLine, InputError } from '@alas-jssp/core/errors';
import { createRedactor, secretsOf } from '@alas-jssp/core/secret-text';
import type { Instance } from '../../jssp/instance.js';
import type { Plan } from '../../jssp/plan.js';
import type { PlannerContext } from '../../jssp/planner.js';
import { type CommandWords, fillCommand, requireProgram, splitCommand } from './command-words.js';
import { instanceText, takesFile, writeFiles } from './exec-input.js';
import { readExecOutput } from './exec-output.js';
import type { LoadablePlanner } from './module-planner.js';
import { processGuard } from './process-guard.js';
import { TREE_VARIABLE, watchTree } from './process-tree.js';

/** Default limit of the resident memory of all processes of a program, in MiB. */
const DEFAULT_MEGABYTES = 2048;
/** Bytes of stderr that are kept: the cause of a failure is often at its beginning, its summary at the end. */
const KEPT_BEGINNING = 4096;
const KEPT_END = 12_288;
/** Characters of stderr in the message of an error; the report of the program has the rest. */
const TOLD_STDERR = 2000;
/** Milliseconds between two memory checks. */
const LOOK = 50;
/** Milliseconds until the pipes of a finished program and its processes are closed. */
const CLOSING = 1000;

/**
 * A planner that is an external program in any language. It is started for each plan, without a shell.
 * `docs/reference/planners.md` describes how it gets the instance and returns plans, bounds and its status.
 *
 * The output of a stopped program up to then counts as delivered. All processes that it started end with it, however it
 * ends.
 *
 * @param text the command
 * @throws InputError `bad_command`; `load` rejects with `no_program`, `plan` with `no_seconds` if the command has
 *   `{seconds}` and there is no limit, with errors of the output, and with an AlasError `program_failed` or
 *   `out_of_memory`
 */
export function createExecPlanner(text: string): LoadablePlanner {
  const command = splitCommand(text);
  const load = async () => requireProgram(command.words[0]);
  return {
    name: `exec:${text.trim()}`,
    load,
    async plan(instance, context) {
      context.signal?.throwIfAborted();
      await load();
      return runProgram(command, instance, context);
    },
  };
}

/**
 * Whether a planner uses its time limit in seconds, so that one is required.
 *
 * @throws InputError `bad_command`
 */
export function needsSeconds(text: string): boolean {
  return splitCommand(text).placeholders.has('seconds');
}

let programs = 0;

async function runProgram(
  command: CommandWords,
  instance: Instance,
  context: PlannerContext,
): Promise<Plan> {
  const guard = processGuard();
  const mark = `${guard.mark}.${++programs}`;
  const files = writeFiles(command, instance, join(guard.directory, String(programs)));
  try {
    const [program, ...words] = fillCommand(command, { ...files, ...settingsOf(command, context) });
    const child = spawn(program, words, {
      stdio: ['pipe', 'pipe', 'pipe'],
      // In a separate group it does not receive Ctrl-C: this process stops it.
      detached: true,
      env: { ...env, [TREE_VARIABLE]: mark },
    });
    await started(child, program);
    guard.watch(child.pid ?? null);
    const input = takesFile(command) ? '' : instanceText(instance);
    // A program need not read it.
    child.stdin?.on('error', () => {}).end(input);
    return await outcomeOf(child, mark, instance, context);
  } finally {
    guard.watch(null);
    for (const file of Object.values(files)) rmSync(file, { force: true });
  }
}

async function started(child: ChildProcess, program: string): Promise<void> {
  if (child.pid !== undefined) return void child.on('error', () => {});
  const [error] = await once(child, 'error');
  throw new AlasError('program_failed', `${program} cannot be started: ${errorLine(error)}`);
}

/** Reads the program's output until it ends or must stop. */
async function outcomeOf(
  child: ChildProcess,
  mark: string,
  instance: Instance,
  context: PlannerContext,
): Promise<Plan> {
  const { signal, onPlan, onProcess, megabytes: limit = DEFAULT_MEGABYTES } = context;
  const tree = watchTree(child.pid as number, mark);
  const output = readExecOutput(instance, context);
  const stderr = keepStderr(child);
  let stop: (reason: unknown) => void = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = reject;
  });
  stopped.catch(() => {});
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const closed = once(child, 'close');
  const over = new AbortController();
  child.stdout?.on('data', (chunk: Buffer) => {
    try {
      if (!over.signal.aborted) output.push(chunk);
    } catch (error) {
      stop(error);
    }
  });
  const memory = watchMemory(tree.megabytes, limit, over.signal, stop);
  const abort = () => stop(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  try {
    await Promise.race([ended, stopped]);
    await tree.end();
    await Promise.race([closed, stopped, setTimeout(CLOSING)]);
    const [code, by] = await ended;
    if (code !== 0) throw failureOf(code, by, stderr.text());
    const plan = output.end();
    if (plan !== null) return plan;
    const says = output.status === null ? '' : `, and says that it is ${output.status}`;
    throw new AlasError('no_plan', `the program printed no plan${says}`);
  } catch (error) {
    if (signal?.aborted) handOverWhole(output.whole, onPlan);
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
    over.abort();
    await tree.end();
    await Promise.race([closed, setTimeout(CLOSING)]);
    child.stdout?.destroy();
    child.stderr?.destroy();
    const { exitCode, signalCode } = child;
    const { tokens } = output;
    onProcess?.({
      exitCode,
      signal: signalCode,
      peakMegabytes: memory(),
      stderr: stderr.text(),
      ...(tokens !== undefined && { tokens }),
    });
  }
}

/** A whole plan that was printed before the program was stopped counts as delivered. */
function handOverWhole(whole: () => Plan | null, onPlan: PlannerContext['onPlan']): void {
  try {
    const plan = whole();
    if (plan !== null) onPlan?.(plan);
  } catch {
    // The plan was incomplete.
  }
}

/** The error of a program: the last line of its stderr, which most languages make the summary, and then all of it. */
function failureOf(code: number | null, by: NodeJS.Signals | null, stderr: string): AlasError {
  const how = by === null ? `ended with exit code ${code}` : `was ended by ${by}`;
  const lines = stderr
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const last = lines.length === 0 ? '' : `: ${lines.at(-1)}`;
  const whole = lines.length < 2 ? '' : `; its stderr: ${withoutMiddle(lines.join(' | '))}`;
  return new AlasError('program_failed', `the program ${how}${last}${whole}`);
}

/** A text without its middle if it is too long for a message. */
function withoutMiddle(text: string): string {
  const half = TOLD_STDERR / 2;
  return text.length <= TOLD_STDERR ? text : `${text.slice(0, half)} … ${text.slice(-half)}`;
}

/**
 * Checks the memory of a program periodically.
 *
 * @returns a function for its peak in MiB; null if unknown
 */
function watchMemory(
  megabytes: (limit: number) => number | null,
  limit: number,
  over: AbortSignal,
  fail: (error: AlasError) => void,
): () => number | null {
  let peak: number | null = null;
  const look = () => {
    const now = megabytes(limit);
    if (now !== null) peak = Math.max(peak ?? 0, now);
    if (now !== null && now > limit) {
      fail(new AlasError('out_of_memory', `its processes took more than ${limit} MB of memory`));
    }
  };
  const watch = async () => {
    while (!over.aborted) {
      look();
      await setTimeout(LOOK, undefined, { signal: over }).catch(() => {});
    }
  };
  void watch();
  return () => (peak === null ? null : Math.round(10 * peak) / 10);
}

/** Keeps the beginning and the end of a program's stderr, without the secrets of the environment. */
function keepStderr(child: ChildProcess): { text(): string } {
  const redact = createRedactor(secretsOf(env));
  let beginning = Buffer.alloc(0);
  let end = Buffer.alloc(0);
  let omitted = 0;
  child.stderr?.on('data', (chunk: Buffer) => {
    const room = KEPT_BEGINNING - beginning.length;
    beginning = Buffer.concat([beginning, chunk.subarray(0, room)]);
    const all = Buffer.concat([end, chunk.subarray(room)]);
    end = all.subarray(-KEPT_END);
    omitted += all.length - end.length;
  });
  return {
    text() {
      // Without a gap the two are one text: a character or a secret may be on both sides.
      if (omitted === 0) return redact(Buffer.concat([beginning, end]).toString());
      const gap = `\n… (${omitted} bytes) …\n`;
      return redact(`${beginning.toString()}${gap}${end.toString()}`);
    },
  };
}

/**
 * A program that uses all its seconds needs extra time to start and to print: it gets a tenth less than the limit, at
 * most one second less.
 */
function settingsOf(
  { placeholders }: CommandWords,
  { seconds, seed, threads = 1 }: PlannerContext,
) {
  if (seconds === undefined && placeholders.has('seconds')) {
    throw new InputError(
      'no_seconds',
      '{seconds} has no value without a limit of time',
      'give a limit, or write a number in its place',
    );
  }
  const available =
    seconds === undefined ? '' : String(Number(Math.max(seconds - 1, 0.8 * seconds).toFixed(3)));
  return { seconds: available, seed: String(seed), threads: String(threads) };
}
