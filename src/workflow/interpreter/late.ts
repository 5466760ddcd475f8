import type { Json } from '../log/entry.js';
import type { Payloads } from './entries.js';
import type { CallAnswer } from './host.js';
import { codeOf } from './policies.js';
import { type Step, write } from './run.js';

/** The code of an attempt of which no answer will come. */
export const LOST_CODE = 'Lost';

/**
 * Tells of the answer of a handler for whom nobody waited any longer: its effect may be there now.
 * If somebody else has the run, or nobody, it is sent to the run.
 */
export function noteLate({ run, task, path }: Step, attempt: number, answer: CallAnswer): void {
  // Who cannot be found may answer yet.
  if (task.effect === 'none' || (answer.status === 'lost' && !answer.gone)) return;
  const payload = answerPayload(attempt, answer);
  if (run.over || run.broken !== undefined) {
    run.host.post('answer', { nodeId: path, ...payload } as Json);
    return;
  }
  try {
    write(run, path, 'Answer', payload);
  } catch {
    // The run breaks off with that error.
    run.host.post('answer', { nodeId: path, ...payload } as Json);
  }
  for (const listen of [...run.listeners]) listen();
}

export function answerPayload(attempt: number, answer: CallAnswer): Payloads['Answer'] {
  if (answer.status === 'lost') return { attempt, failed: LOST_CODE };
  if (answer.status === 'error') return { attempt, failed: codeOf(answer.error) };
  try {
    const output = answer.value.json();
    const externalRef = answer.externalRef?.();
    return externalRef === undefined ? { attempt, output } : { attempt, output, externalRef };
  } catch {
    // It is no output, but the handler has come to its end.
    return { attempt, output: null };
  }
}
