// @ts-check
// What the calls of one step, one wait and one undoing look like under a script.

import * as expected from './expectation.mjs';
import { placeOf, rowFor } from './fault-script.mjs';

/** @typedef {import('./expectation.mjs').Part} Part */
/** @typedef {import('./fault-script.mjs').FaultScript} FaultScript */

/**
 * The answer of a script to a call that is waited for so long: `unanswered` if none comes in time.
 *
 * @param {FaultScript} script
 * @param {'run' | 'undo' | 'wait' | 'approve'} kind
 * @param {string} path
 * @param {number} attempt
 * @param {number} [limit] seconds
 */
function answerOf(script, kind, path, attempt, limit = Number.POSITIVE_INFINITY) {
  const place = placeOf(path);
  const row = rowFor(script, { kind, ...place, attempt });
  const { does = 'ok', seconds = 0 } = row ?? {};
  if (does === 'hang' || seconds > limit) return { unanswered: true };
  if (does === 'crash') return { error: 'Crash' };
  if (does === 'error') return { error: row?.error ?? 'Error' };
  const output = row?.output === undefined ? { ...place, attempt } : row.output;
  return { output };
}

const matches = (/** @type {string[]} */ codes, /** @type {string} */ code) =>
  codes.includes('*') || codes.includes(code);

/** The shortest wait after an attempt. @param {any} backoff @param {number} attempt */
function leastWait(backoff, attempt) {
  if (backoff === undefined) return 0;
  const { mode, base, cap = Number.POSITIVE_INFINITY, jitter = 0 } = backoff;
  return Math.min(cap, mode === 'fixed' ? base : base * 2 ** (attempt - 1)) * (1 - jitter);
}

/**
 * All attempts at a step.
 *
 * @param {FaultScript} script
 * @param {string} path
 * @param {any} policy
 */
export function attempts(script, path, { retry, backoff, timeout }) {
  /** @type {Part[]} */
  const parts = [];
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
    parts.push(expected.pause((unanswered ? timeout.seconds : 0) + leastWait(backoff, attempt)));
  }
}

/**
 * A wait for a message, or for an approval.
 *
 * @param {FaultScript} script
 * @param {'wait' | 'approve'} kind
 * @param {string} path
 * @param {any} policy
 */
export function waitFor(script, kind, path, { wait }) {
  const answer = answerOf(script, kind, path, 1, wait?.seconds);
  if ('output' in answer) {
    const part = kind === 'wait' ? expected.came(path) : expected.approved(path);
    return { part, output: answer.output };
  }
  if ('unanswered' in answer) return { part: `${kind} ${path}`, code: 'WaitTimeout' };
  return { part: expected.denied(path, answer.error ?? ''), code: 'Denied' };
}

/**
 * All calls of a compensator.
 *
 * @param {FaultScript} script
 * @param {string} path
 * @param {any} compensation
 */
export function undoing(script, path, { retry, backoff, timeout }) {
  /** @type {Part[]} */
  const parts = [];
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
