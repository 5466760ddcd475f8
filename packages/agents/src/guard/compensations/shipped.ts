import type { CompensationFactory } from '../compensation.js';
import { filesCompensation } from './files/files-compensation.js';
import { gitCompensation } from './git/git-compensation.js';
import { httpCompensation } from './http/http-compensation.js';
import { memoryCompensation } from './memory/memory-compensation.js';
import { sqliteCompensation } from './sqlite/sqlite-compensation.js';

/** The compensations that come with the guard, by name. */
export const shippedCompensations: ReadonlyMap<string, CompensationFactory> = new Map([
  ['files', filesCompensation],
  ['memory', memoryCompensation],
  ['git', gitCompensation],
  ['sqlite', sqliteCompensation],
  ['http', httpCompensation],
]);
