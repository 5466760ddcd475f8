// @ts-check
// One case on one engine.
import { faultScript } from './fault-script.mjs';
import { judgeEffects, judgeHistory } from './judge.mjs';

/** Seconds after which a run that has not ended is given up. */
const PATIENCE = 120;

/**
 * Runs a document under a script, and gives its end and what the stub saw.
 *
 * @param {any} engine
 * @param {Awaited<ReturnType<typeof import('./stub.mjs').startStub>>} stub
 * @param {{ runId: string, text: string, input?: unknown, cancelAfter?: number, script: import('./fault-script.mjs').Row[] }} run
 */
export async function play(engine, stub, { runId, text, input = {}, cancelAfter, script }) {
  stub.open(runId, faultScript(script));
  let timer;
  const late = new Promise((_, reject) => {
    const error = new Error(`the run has not ended after ${PATIENCE} s`);
    timer = setTimeout(() => reject(error), PATIENCE * 1000);
  });
  try {
    const asked = { runId, text, input, ...(cancelAfter !== undefined && { cancelAfter }) };
    const ended = await Promise.race([engine.execute(asked), late]);
    return { ended, rows: [...stub.rows(runId)] };
  } finally {
    clearTimeout(timer);
    stub.close(runId);
  }
}

let count = 0;

/**
 * Tries a case and judges it twice: by its effects, and by what the engine tells of itself.
 *
 * @param {any} engine
 * @param {Parameters<typeof play>[1]} stub
 * @param {import('./cases/index.mjs').Case} one
 * @param {string} text the workflow in the language of the engine
 */
export async function tryCase(engine, stub, one, text) {
  const { title, workflow, script, input, cancelAfter, expect } = one;
  count++;
  const runId = `${workflow.name}-${count}`;
  try {
    const run = { runId, text, input, script, ...(cancelAfter !== undefined && { cancelAfter }) };
    const { ended, rows } = await play(engine, stub, run);
    const effects = judgeEffects(expect, ended, rows);
    const history = judgeHistory(expect, ended.history ?? [], rows);
    return { title, effects, history, rows, ended };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { title, effects: [`the engine gave up: ${message}`], history: [], rows: [] };
  }
}

/**
 * Does something for each of a list, a few at a time.
 *
 * @template T, U
 * @param {readonly T[]} list
 * @param {number} most
 * @param {(one: T, index: number) => Promise<U>} act
 */
export async function inTurns(list, most, act) {
  /** @type {U[]} */
  const results = [];
  let next = 0;
  const worker = async () => {
    while (next < list.length) {
      const index = next++;
      results[index] = await act(list[index], index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, list.length) }, worker));
  return results;
}
