import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { readHistory, readOutputs } from './history.mjs';

/**
 * @typedef {{ status: string, output: unknown, error: unknown, history: import('./history.mjs').HistoryRow[], outputs: Record<string, unknown>, native: object }} EngineResult
 * The end of an execution: status, output and error as the machine says them (or the engine, if it stopped the
 * machine), its history in rows, the outputs of tasks by path, and under `native` what the engine itself calls the end.
 *
 * @typedef {{ runId: string, text: string, input: unknown, cancelAfter?: number }} Execution
 * `text` is a machine in the Amazon States Language; `cancelAfter` seconds after which it is stopped.
 *
 * @typedef {object} Engine
 * @property {{ name: string, version: string, patches: { file: string, sha256: string }[] }} info
 * @property {(asked: Execution) => Promise<EngineResult>} execute rejects if the engine refuses the machine
 * @property {() => Promise<void>} stop
 */

const here = fileURLToPath(new URL('.', import.meta.url));

/** The place where the engine is installed (`install.sh`), if it is. */
export function find() {
  const home = process.env.ALAS_JSSP_ENGINES ?? join(homedir(), '.cache/alas-jssp/engines');
  const place = join(home, 'asl-moto-5.2.5-jsonata-0.7.1');
  const installed = join(place, 'installed.txt');
  if (!existsSync(installed)) return undefined;
  const pinned = readFileSync(join(here, 'requirements.txt'), 'utf8');
  return readFileSync(installed, 'utf8') === pinned ? place : undefined;
}

/**
 * Starts the interpreter in a process of its own, which sends every call of a handler to the stub.
 *
 * @param {{ stub: string }} options base URL of the stub
 * @returns {Promise<Engine>}
 */
export async function start({ stub }) {
  const place = find();
  if (place === undefined) throw new Error('moto is not installed; run engines/asl/install.sh');
  const child = spawn(join(place, 'bin/python'), ['-B', join(here, 'runner/main.py'), stub], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const waiting = new Map();
  let faults = '';
  child.stderr.on('data', (text) => {
    faults = `${faults}${text}`.slice(-2000);
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  const info = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const told = JSON.parse(line);
      if (told.info !== undefined) resolve(told.info);
      else settle(waiting, told);
    });
    child.once('error', reject);
    closed.then((code) => {
      const error = new Error(`moto ended with exit code ${code}: ${faults.trim()}`);
      reject(error);
      for (const { fail } of waiting.values()) fail(error);
      waiting.clear();
    });
  });

  let count = 0;
  /** @type {Engine['execute']} */
  const execute = ({ runId, text, input, cancelAfter }) =>
    new Promise((resolve, reject) => {
      count += 1;
      const done = (told) => resolve(resultOf(runId, told));
      waiting.set(count, { done, fail: reject });
      const asked = { id: count, runId, text, input: input ?? {}, cancelAfter };
      child.stdin.write(`${JSON.stringify(asked)}\n`);
    });
  const stop = async () => {
    child.kill();
    await closed;
  };
  return { info, execute, stop };
}

function settle(waiting, { id, refused, ...told }) {
  const { done, fail } = waiting.get(id);
  waiting.delete(id);
  if (refused === undefined) done(told);
  else fail(new Error(`moto refuses the machine: ${refused}`));
}

/** The end of an execution in the terms of our runs (`Cause` of a converted machine tells them). */
function resultOf(runId, { events, ...native }) {
  const told = { history: readHistory(runId, events), outputs: readOutputs(events), native };
  if (native.status === 'SUCCEEDED') {
    return { status: 'COMPLETED', output: native.output, error: null, ...told };
  }
  const end = causeOf(native.cause);
  if (end !== undefined) return { output: null, ...end, ...told };
  const byStatus = { ABORTED: ['CANCELLED', 'Cancelled'], TIMED_OUT: ['FAILED', 'Timeout'] };
  const [status, code] = byStatus[native.status] ?? ['FAILED', native.error ?? 'Unknown'];
  return { status, output: null, error: { code, message: native.cause ?? '' }, ...told };
}

/** The end that a converted machine tells in the cause of its failure; none of other machines. */
function causeOf(cause) {
  try {
    const told = JSON.parse(cause);
    return typeof told?.status === 'string' ? told : undefined;
  } catch {
    return undefined;
  }
}
