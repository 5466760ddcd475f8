// The cases of the matrix: what must happen is written by hand, from the documents of workflows and
// sagas, and owes nothing to any converter or interpreter.
import { control } from './control.mjs';
import { failing } from './failing.mjs';
import { undoingCases } from './undoing.mjs';
import { waitingCases } from './waiting.mjs';

/**
 * @typedef {object} Expected
 * @property {string} status
 * @property {unknown} [output]
 * @property {string} [error] code
 * @property {string[]} [remaining] paths of effects that stand though they should not
 * @property {string[]} [inDoubt]
 * @property {import('../expectation.mjs').Part} trace
 * @property {Record<string, unknown>} [inputs] of handlers, by path
 * @property {Record<string, unknown>} [undoneOutputs] that compensators are given, by path
 * @property {Record<string, number>} [bytes] of inputs that are large, by path
 * @property {string[]} [keyed] paths of steps whose calls must have keys
 */

/**
 * @typedef {object} Case
 * @property {string} feature row of the matrix
 * @property {string} title
 * @property {import('@alas-jssp/workflow').Workflow} workflow
 * @property {import('../fault-script.mjs').Row[]} script
 * @property {unknown} [input]
 * @property {number} [cancelAfter] seconds
 * @property {Expected} expect
 */

/** @type {readonly Case[]} */
export const cases = [...control, ...failing, ...undoingCases, ...waitingCases];

/** The rows of the matrix, in the order of the issue. */
export const features = [
  'sequence',
  'choice',
  'parallel',
  'map',
  'retry',
  'timeout',
  'catch',
  'loop guard',
  'idempotency',
  'compensation',
  'compensation in branches',
  'failing compensation',
  'deadline',
  'approval',
  'message',
  'cancellation',
  'large values',
  'crash',
];
