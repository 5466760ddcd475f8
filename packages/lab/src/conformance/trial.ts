// One case on one engine.

import type { Case } from './case.js';
import type { Engine, Run, Stub } from './engine.js';
import type { Row } from './fault-script.js';
import { judgeEffects, judgeHistory } from './judge.js';

/** Seconds after which a run that has not ended is given up. */
const PATIENCE = 120;

/** Runs a document under a script, and gives its end and what the stub saw. */
export async function play(
  engine: Engine,
  stub: Stub,
  {
    runId,
    text,
    input = {},
    cancelAfter,
    script,
  }: Omit<Run, 'input'> & { input?: unknown; script: readonly Row[] },
) {
  stub.open(runId, { rows: script });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
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
 * Tries a case and judges it twice: by its effects, and by what the engine reports of itself.
 *
 * @param text the workflow in the language of the engine
 */
export async function tryCase(engine: Engine, stub: Stub, one: Case, text: string) {
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

/** Does something for each of a list, a few at a time. */
export async function inTurns<T, U>(
  list: readonly T[],
  most: number,
  act: (one: T, index: number) => Promise<U>,
) {
  const results: U[] = [];
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
