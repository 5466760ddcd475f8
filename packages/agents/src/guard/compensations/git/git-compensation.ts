import { once } from '@alas-jssp/core/once';
import type { Json } from '@alas-jssp/workflow';
import * as z from 'zod';
import type { Compensation, GuardedCall } from '../../compensation.js';
import { openRoots, type Roots } from '../files/safe-path.js';
import { cannotUndo, fromStored, readSettings, toStored } from '../settings.js';
import {
  observeCheckout,
  type PreparedCheckout,
  prepareCheckout,
  undoCheckout,
} from './checkout-undo.js';
import { observeIndex, type PreparedIndex, prepareIndex, undoIndex } from './index-undo.js';
import {
  observeReference,
  type PreparedReference,
  prepareBranch,
  prepareCommit,
  undoReference,
} from './reference-undo.js';
import { awaitGit, requireRepository } from './repository.js';

/** The settings of the compensation for Git. */
const gitSettings = z.strictObject({
  /** The repositories that an undo may touch, or directories that contain them. */
  repositories: z
    .array(z.string('give a directory').min(1, 'give a directory'), 'give a list of directories')
    .min(1, 'give at least one directory'),
  /** `refuse`: calls that would run a hook are refused, because an undo cannot undo what hooks do. */
  hooks: z.enum(['refuse', 'allow'], 'give refuse or allow').default('refuse'),
});

type PreparedGit = PreparedReference | PreparedIndex | PreparedCheckout;

const ALWAYS = ['reference-transaction', 'post-index-change'];
const HOOKS: Readonly<Record<string, readonly string[]>> = {
  git_add: ALWAYS,
  git_reset: ALWAYS,
  git_commit: [...ALWAYS, 'pre-commit', 'commit-msg', 'post-commit'],
  git_create_branch: ALWAYS,
  git_checkout: [...ALWAYS, 'post-checkout'],
};

/**
 * Takes back the tools of `mcp-server-git` that change something, by Git itself: references, the index and the files of a
 * checkout. Objects and entries of reflogs remain, as after any undo in Git.
 *
 * @throws InputError `bad_compensation` for wrong settings; `prepare` throws `cannot_undo`
 */
export function gitCompensation(settings: Json): Compensation {
  const { repositories, hooks } = readSettings('git', gitSettings, settings);
  const openOnce = once(() => openRoots(repositories));
  const hooksOf = (tool: string) => (hooks === 'refuse' ? (HOOKS[tool] ?? []) : []);
  return {
    name: 'git',
    prepare: async (call) => toStored(await prepare(call, await openOnce(), hooksOf(call.tool))),
    async observe(call, stored, output) {
      const prepared = fromStored<PreparedGit>(stored);
      if (output === undefined) await awaitGit(prepared.directory, call);
      if (prepared.kind === 'checkout') return observeCheckout(prepared);
      if (prepared.kind === 'index') {
        return observeIndex(prepared, output !== undefined);
      }
      return observeReference(prepared);
    },
    async undo(call, stored, after) {
      const prepared = fromStored<PreparedGit>(stored);
      await awaitGit(prepared.directory, call);
      if (prepared.kind === 'checkout') return undoCheckout(prepared, fromStored(after), call);
      if (prepared.kind === 'index') {
        return undoIndex(prepared, fromStored(after), call);
      }
      return undoReference(prepared, fromStored(after));
    },
  };
}

async function prepare(
  call: GuardedCall,
  roots: Roots,
  hooks: readonly string[],
): Promise<PreparedGit> {
  if (!Object.hasOwn(HOOKS, call.tool)) {
    const problem = `the compensation git does not know the tool ${call.tool}`;
    throw cannotUndo(problem, `it knows ${Object.keys(HOOKS).join(', ')}`, call.tool);
  }
  const directory = await requireRepository(call, roots, hooks);
  if (call.tool === 'git_commit') return prepareCommit(directory, call);
  if (call.tool === 'git_create_branch') return prepareBranch(directory, call);
  if (call.tool === 'git_checkout') return prepareCheckout(directory, call);
  return prepareIndex(call.tool === 'git_add' ? 'add' : 'reset', directory, call);
}
