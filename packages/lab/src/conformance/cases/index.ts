// The cases of the matrix: what must happen is written by hand, from the documents of workflows and
// sagas, and owes nothing to any converter or interpreter.

import type { Case } from '../case.js';
import { control } from './control.js';
import { failing } from './failing.js';
import { undoingCases } from './undoing.js';
import { waitingCases } from './waiting.js';

export const cases: readonly Case[] = [...control, ...failing, ...undoingCases, ...waitingCases];

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
