import { coverageMutations } from './coverage-mutations.js';
import { flowMutations } from './flow-mutations.js';
import { harmlessMutations } from './harmless-mutations.js';
import type { DraftMutation } from './mutation.js';
import { nodeMutations } from './node-mutations.js';
import { roleMutations } from './role-mutations.js';
import { undoMutations } from './undo-mutations.js';

/**
 * All changes of drafts for trials of the gates. A harmful one that passes the gates must leave no effect unaccounted
 * for; a harmless one should pass them.
 */
export const mutations: readonly DraftMutation[] = [
  ...undoMutations,
  ...flowMutations,
  ...nodeMutations,
  ...roleMutations,
  ...coverageMutations,
  ...harmlessMutations,
];
