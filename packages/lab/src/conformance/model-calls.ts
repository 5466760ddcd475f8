// What the calls of one step, one wait and one undoing look like under a script.

import type { Compensation, Policy } from '@alas-jssp/workflow';
import type { Part } from './expectation.js';
import * as expected from './expectation.js';
import { type FaultScript, placeOf, rowFor } from './fault-script.js';

/**
 * The answer of a script to a call that is waited for so long: `unanswered` if none comes in time.
 *
 * @param limit seconds
 */
function answerOf(
  script: FaultScript,
  kind: 'run' | 'undo' | 'wait' | 'approve',
  path: string,
  attempt: number,
  limit: number = Number.POSITIVE_INFINITY,
) {
  const place = placeOf(path);
  const row = rowFor(script, { kind, ...place, attempt });
  const { does = 'ok', seconds = 0 } = row ?? {};
  if (does === 'hang' || seconds > limit) return { unanswered: true };
  if (does === 'crash') return { error: 'Crash' };
  if (does === 'error') return { error: row?.error ?? 'Error' };
  const output = row?.output === undefined ? { ...place, attempt } : row.output;
  return { output };
}

const matches = (codes: string[], code: string) => codes.includes('*') || codes.includes(code);

/** The shortest wait after an attempt. */
function leastWait(backoff: Policy['backoff'], attempt: number) {
  if (backoff === undefined) return 0;
  const { mode, base, cap = Number.POSITIVE_INFINITY, jitter = 0 } = backoff;
  return Math.min(cap, mode === 'fixed' ? base : base * 2 ** (attempt - 1)) * (1 - jitter);
}

/** All attempts at a step. */
export function attempts(script: FaultScript, path: string, { retry, backoff, timeout }: Policy) {
  const parts: Part[] = [];
  for (let attempt = 1; ; attempt++) {
    const answer = answerOf(script, 'run', path, attempt, timeout?.seconds);
    if ('output' in answer) {
      parts.push(expected.done(path, attempt));
      return { part: expected.row(...parts), attempt, output: answer.output };
    }
    const unanswered = 'unanswered' in answer;
    const code = unanswered ? 'Timeout' : answer.error;
    parts.push(
      unanswered ? expected.hung(path, attempt) : expected.failed(path, code ?? '', attempt),
    );
    if (
      retry === undefined ||
      attempt >= retry.maxAttempts ||
      !matches(retry.retryOn, code ?? '')
    ) {
      return { part: expected.row(...parts), attempt, code: code ?? '', unanswered };
    }
    parts.push(
      expected.pause((unanswered ? (timeout?.seconds ?? 0) : 0) + leastWait(backoff, attempt)),
    );
  }
}

/** A wait for a message, or for an approval. */
export function waitFor(
  script: FaultScript,
  kind: 'wait' | 'approve',
  path: string,
  { wait }: Policy,
) {
  const answer = answerOf(script, kind, path, 1, wait?.seconds);
  if ('output' in answer) {
    const part = kind === 'wait' ? expected.came(path) : expected.approved(path);
    return { part, output: answer.output };
  }
  if ('unanswered' in answer) return { part: `${kind} ${path}`, code: 'WaitTimeout' };
  return { part: expected.denied(path, answer.error ?? ''), code: 'Denied' };
}

/** All calls of a compensator. */
export function undoing(
  script: FaultScript,
  path: string,
  { retry, backoff, timeout }: Compensation,
) {
  const parts: Part[] = [];
  for (let attempt = 1; ; attempt++) {
    const answer = answerOf(script, 'undo', path, attempt, timeout?.seconds ?? 60);
    if ('output' in answer) {
      parts.push(expected.undone(path, attempt));
      return { part: expected.row(...parts), stuck: false };
    }
    const code = 'unanswered' in answer ? 'Timeout' : (answer.error ?? '');
    parts.push(
      'unanswered' in answer
        ? `compensate ${path}${attempt === 1 ? '' : ` #${attempt}`}`
        : expected.notUndone(path, code, attempt),
    );
    if (retry === undefined || attempt >= retry.maxAttempts || !matches(retry.retryOn, code)) {
      return { part: expected.row(...parts), stuck: true };
    }
    parts.push(expected.pause(leastWait(backoff, attempt)));
  }
}
