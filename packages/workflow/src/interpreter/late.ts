import type { Json } from '../log/entry.js';
import type { Payloads } from './entries.js';
import type { CallAnswer } from './host.js';
import { codeOf } from './policies.js';
import { type Step, write } from './run.js';

/** The code of an attempt whose answer is lost. */
export const LOST_CODE = 'Lost';

/**
 * Records the answer of an overdue handler: its effect may exist now. If the run has another owner,
 * or none, the answer is sent to the run.
 */
export function noteLate({ run, task, path }: Step, attempt: number, answer: CallAnswer): void {
  // An unreachable handler may still answer.
  if (task.effect === 'none' || (answer.status === 'lost' && !answer.gone)) return;
  const payload = answerPayload(attempt, answer);
  if (run.over || run.broken !== undefined) {
    run.host.post('answer', { nodeId: path, ...payload } as Json);
    return;
  }
  try {
    write(run, path, 'Answer', payload);
  } catch {
    // This error interrupts the run.
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
    // This is no output, but the handler has ended.
    return { attempt, output: null };
  }
}
