import type { GuardedCall, ObservedEffect, UndoneEffect } from '../../compensation.js';
import { cannotUndo, requireText, toStored } from '../settings.js';
import { readHead, readRevision } from './repository.js';
import { git, lastLine, tryGit } from './run-git.js';

/** The preparation for the undo of a commit or a new branch: a reference that moves. */
export interface PreparedReference {
  readonly kind: 'reference';
  readonly does: 'commit' | 'create-branch';
  readonly directory: string;
  /** The reference that moves: `refs/heads/…`, or `HEAD` if it is detached. */
  readonly name: string;
  /** Its commit before the call; null if there was none. */
  readonly before: string | null;
  /** For a commit: its tree and message. */
  readonly tree?: string | undefined;
  readonly message?: string | undefined;
  /** For a branch: the commit at which it begins. */
  readonly base?: string | undefined;
}

/** The commit of the reference after a call; null if it is unknown. */
interface ReferenceAfter {
  readonly commit: string | null;
}

/** Notes the branch that a commit moves, and what the commit will contain. */
export async function prepareCommit(
  directory: string,
  call: GuardedCall,
): Promise<PreparedReference> {
  const message = requireText(call.input, 'message');
  const head = await readHead(directory);
  const name = head.startsWith('refs/') ? head : 'HEAD';
  const { code, out, err } = await tryGit(directory, ['write-tree']);
  if (code !== 0) throw cannotUndo(`the index is no tree: ${lastLine(err)}`, 'resolve it first');
  const before = (await readRevision(directory, name)) ?? null;
  return { kind: 'reference', does: 'commit', directory, name, before, tree: out.trim(), message };
}

/** Notes where a branch will begin. */
export async function prepareBranch(
  directory: string,
  { input }: GuardedCall,
): Promise<PreparedReference> {
  const branch = requireText(input, 'branch_name');
  const name = `refs/heads/${branch}`;
  const { code } = await tryGit(directory, ['check-ref-format', name]);
  if (code !== 0) throw cannotUndo(`${branch} is no name of a branch`, 'give another name', branch);
  const from = typeof input.base_branch === 'string' ? input.base_branch : 'HEAD';
  const base = await readRevision(directory, `${from}^{commit}`);
  const before = (await readRevision(directory, name)) ?? null;
  return { kind: 'reference', does: 'create-branch', directory, name, before, base };
}

/** Whether the reference has moved, and to the object that the call makes. */
export async function observeReference(prepared: PreparedReference): Promise<ObservedEffect> {
  const { directory, name, before } = prepared;
  const now = (await readRevision(directory, name)) ?? null;
  const seen = (state: ObservedEffect['state'], commit: string | null): ObservedEffect => ({
    state,
    after: toStored({ commit } satisfies ReferenceAfter),
  });
  if (now === before) return seen('not-done', null);
  const isOurs = now !== null && (await isExpected(prepared, now));
  return isOurs ? seen('done', now) : seen('unknown', null);
}

async function isExpected(prepared: PreparedReference, commit: string): Promise<boolean> {
  const { does, directory, before, tree, message, base } = prepared;
  if (does === 'create-branch') return commit === base;
  const text = await git(directory, ['cat-file', 'commit', commit]);
  const [head = '', ...body] = text.split('\n\n');
  const parents = Array.from(head.matchAll(/^parent (\S+)$/gm), ([, parent]) => parent);
  const isHere = head.startsWith(`tree ${tree}\n`) && parents.join() === (before ?? '');
  return isHere && body.join('\n\n').trim() === message?.trim();
}

/** Moves the reference back, if it still is where the call moved it. The index and the files are untouched. */
export async function undoReference(
  prepared: PreparedReference,
  after: ReferenceAfter,
): Promise<UndoneEffect> {
  const { does, directory, name, before } = prepared;
  const conflict = (message: string): UndoneEffect => ({ state: 'conflict', message });
  const now = (await readRevision(directory, name)) ?? null;
  if (now === before) return { state: 'nothing-to-undo', message: `${name} is where it was` };
  if (now === null || now !== after.commit) return conflict(`${name} has been moved since`);
  const head = await readHead(directory);
  if (does === 'create-branch' && head === name) return conflict(`${name} is checked out`);
  if (does === 'commit' && name === 'HEAD' && head.startsWith('refs/')) {
    return conflict(`${head} has been checked out since`);
  }
  // Git compares the old value under its lock.
  const args = before === null ? ['-d', name, now] : ['--no-deref', name, before, now];
  const { code, err } = await tryGit(directory, ['update-ref', '-m', 'guard: undo', ...args]);
  if (code !== 0) return conflict(`${name} cannot be moved back: ${lastLine(err)}`);
  return { state: 'undone', message: `${name} is back at ${before ?? 'nothing'}` };
}
