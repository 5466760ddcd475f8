// @ts-check
// Fault scripts, neutral to engines: what happens at which call of a run.
import { readFileSync } from 'node:fs';

/**
 * What a handler is called with, in every engine.
 *
 * @typedef {object} Call
 * @property {'run' | 'undo' | 'wait' | 'approve'} kind
 * @property {string} handler name of the handler, the compensator, the message or the approval
 * @property {string} path of the node: items and turns as `[i]`, branches as `/name`
 * @property {string} runId
 * @property {string} [key] of its effect
 * @property {unknown} [input]
 * @property {unknown} [output] of the step that is undone; null if it is not known
 */

/**
 * A row of a script. It speaks of the calls of one step; without `item` or `attempt` of all of them.
 *
 * @typedef {object} Row
 * @property {Call['kind']} [kind] `run` if it is not given
 * @property {string} step id of the node at the end of the path
 * @property {string} [item] the `[i]` of the path, joined with dots; empty outside of loops
 * @property {number} [attempt] from 1
 * @property {'ok' | 'error' | 'delay' | 'hang' | 'crash'} does
 * @property {string} [error] code of the error
 * @property {number} [seconds] after which it answers
 * @property {unknown} [output]
 */

/** @typedef {{ schema: 'alas-jssp/fault-script@1', rows: Row[] }} FaultScript */

export const FAULT_SCRIPT = 'alas-jssp/fault-script@1';

const KINDS = ['run', 'undo', 'wait', 'approve'];
const DEEDS = ['ok', 'error', 'delay', 'hang', 'crash'];

/**
 * A script of rows.
 *
 * @param {Row[]} rows
 * @returns {FaultScript}
 */
export function faultScript(rows) {
  return toFaultScript({ schema: FAULT_SCRIPT, rows });
}

/**
 * Reads a script from a file.
 *
 * @param {string} file
 */
export function readFaultScript(file) {
  return toFaultScript(JSON.parse(readFileSync(file, 'utf8')));
}

/**
 * Refuses what is no script: a row that is misspelt would do nothing, and all would agree.
 *
 * @param {any} value
 * @returns {FaultScript}
 */
export function toFaultScript(value) {
  if (value?.schema !== FAULT_SCRIPT) throw new Error(`$.schema: give "${FAULT_SCRIPT}"`);
  if (!Array.isArray(value.rows)) throw new Error('$.rows: give a list of rows');
  value.rows.forEach((/** @type {any} */ row, /** @type {number} */ index) => {
    const problem = problemOf(row);
    if (problem !== undefined) throw new Error(`$.rows[${index}]${problem}`);
  });
  return value;
}

const KEYS = ['kind', 'step', 'item', 'attempt', 'does', 'error', 'seconds', 'output'];

/** @param {any} row */
function problemOf(row) {
  const { kind = 'run', step, item = '', attempt = 1, does, error, seconds = 0 } = row ?? {};
  const strange = Object.keys(row ?? {}).find((key) => !KEYS.includes(key));
  if (strange !== undefined) return `.${strange}: give keys out of ${KEYS.join(', ')}`;
  if (!KINDS.includes(kind)) return `.kind: give one of ${KINDS.join(', ')}`;
  if (typeof step !== 'string' || step === '') return '.step: give the id of a node';
  if (typeof item !== 'string') return '.item: give a text such as "0" or "1.2"';
  if (!Number.isInteger(attempt) || attempt < 1) return '.attempt: give a whole number from 1';
  if (!DEEDS.includes(does)) return `.does: give one of ${DEEDS.join(', ')}`;
  if (does === 'error' && typeof error !== 'string') return '.error: give the code of the error';
  if (typeof seconds !== 'number' || seconds < 0) return '.seconds: give seconds, from 0';
  return undefined;
}

/**
 * The step and the item that a path leads to: of `m[0]/both/left/pay` step `pay` and item `0`.
 *
 * @param {string} path
 */
export function placeOf(path) {
  const item = [...path.matchAll(/\[(\d+)\]/g)].map(([, index]) => index).join('.');
  const step = (path.split('/').at(-1) ?? '').replace(/\[\d+\]$/, '');
  return { step, item };
}

/**
 * What a script says of an attempt: the first row that speaks of it.
 *
 * @param {FaultScript} script
 * @param {{ kind: Call['kind'], step: string, item: string, attempt: number }} call
 * @returns {Row | undefined}
 */
export function rowFor({ rows }, { kind, step, item, attempt }) {
  return rows.find((row) => {
    return (
      (row.kind ?? 'run') === kind &&
      row.step === step &&
      (row.item ?? item) === item &&
      (row.attempt ?? attempt) === attempt
    );
  });
}
