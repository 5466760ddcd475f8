import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const PLACE = 'flowable-7.1.0-h2-2.2.224';
/** How much of what the engine said on standard error an error quotes. */
const QUOTED = 2000;

/** The folder in which `install.sh` has put the engine, or undefined. */
export function find() {
  const engines =
    process.env.ALAS_JSSP_ENGINES ?? join(homedir(), '.cache', 'alas-jssp', 'engines');
  const place = join(engines, PLACE);
  return existsSync(join(place, 'ready')) ? place : undefined;
}

/**
 * @typedef {{ runId: string, step: string, item: string, path: string, attempt: number, kind: string, error?: string, at: number }} HistoryRow
 * What the engine's own history says of a call; `at` in milliseconds since 1970.
 *
 * @typedef {{ status: string, output: unknown, error: { code: string, message: string } | null, remaining: string[], inDoubt: string[], history: HistoryRow[] }} EngineResult
 * The end of an execution, as the document says it; `ENGINE_ERROR` if the engine could not go on.
 *
 * @typedef {{ runId: string, text: string, input: unknown, cancelAfter?: number }} Execution
 * `text` is a document in BPMN 2.0; `cancelAfter` seconds after which it is told to stop.
 *
 * @typedef {object} Engine
 * @property {{ name: string, version: string, patches: { file: string, sha256: string }[] }} info
 * @property {(asked: Execution) => Promise<EngineResult>} execute
 * @property {() => Promise<void>} stop
 */

/**
 * Starts Flowable as one process that runs any number of documents at once.
 *
 * @param {{ stub: string }} options the base URL of the stub that answers the calls
 * @returns {Promise<Engine>}
 */
export async function start({ stub }) {
  const place = find();
  if (place === undefined)
    throw new Error('Flowable is not installed: run engines/flowable/install.sh');
  const java = spawn('java', javaArguments(place, stub), { stdio: ['pipe', 'pipe', 'pipe'] });
  let complaints = '';
  java.stderr.on('data', (text) => {
    complaints = (complaints + text).slice(-QUOTED);
  });
  const lines = createInterface({ input: java.stdout });
  const ended = once(java, 'exit').then(() => {
    throw new Error(`Flowable has ended: ${complaints}`);
  });
  ended.catch(() => undefined);
  await Promise.race([once(lines, 'line'), ended]);
  const waiting = new Map();
  lines.on('line', (line) => {
    const answer = JSON.parse(line);
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  let count = 0;
  return {
    info: { name: 'flowable', version: '7.1.0', patches: [] },
    async execute({ runId, text, input, cancelAfter }) {
      const id = ++count;
      const answer = new Promise((resolve) => {
        waiting.set(id, resolve);
      });
      java.stdin.write(`${JSON.stringify({ id, runId, text, input, cancelAfter })}\n`);
      return resultOf(await Promise.race([answer, ended]));
    },
    async stop() {
      const exit = once(java, 'exit');
      java.stdin.end();
      await exit;
    },
  };
}

function javaArguments(place, stub) {
  const path = `${join(place, 'classes')}:${join(place, 'lib', '*')}`;
  return [
    '-XX:+UseSerialGC',
    '-Dorg.slf4j.simpleLogger.defaultLogLevel=off',
    '-cp',
    path,
    'alas.Runner',
    stub,
  ];
}

/** How an instance ended: by the variables that converted documents set before their end. */
function resultOf({ variables, history = [], broken }) {
  if (broken !== undefined) {
    const error = { code: 'EngineError', message: broken };
    return { status: 'ENGINE_ERROR', output: null, error, history };
  }
  return {
    status: variables.alasStatus ?? 'COMPLETED',
    output: jsonOf(variables.alasOutput),
    error: jsonOf(variables.alasError),
    remaining: jsonOf(variables.alasRemaining) ?? [],
    inDoubt: jsonOf(variables.alasInDoubt) ?? [],
    history,
  };
}

/** A variable that holds JSON, or its text. */
function jsonOf(value) {
  if (typeof value !== 'string') return value ?? null;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
