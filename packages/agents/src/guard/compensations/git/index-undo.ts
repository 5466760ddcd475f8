import type { Json } from '@alas-jssp/workflow';
import type { GuardedCall, ObservedEffect, UndoneEffect } from '../../compensation.js';
import { cannotUndo, toStored } from '../settings.js';
import { foreseeIndex, type KeptIndex, keepIndex, readIndex, restoreIndex } from './index-state.js';
import { hasIndexLock } from './repository.js';

/** The preparation for the undo of `git add` and `git reset`, which change the index only. */
export interface PreparedIndex {
  readonly kind: 'index';
  readonly does: 'add' | 'reset';
  readonly directory: string;
  readonly before: KeptIndex;
  /** The digest of the index after the call; missing if Git would refuse it. */
  readonly expected?: string | undefined;
}

/** The digest of the index after a call; null if it is unknown. */
interface IndexAfter {
  readonly entries: string | null;
}

/** Keeps the index, and foresees it on a copy. */
export async function prepareIndex(
  does: PreparedIndex['does'],
  directory: string,
  call: GuardedCall,
): Promise<PreparedIndex> {
  const before = await keepIndex(directory, call);
  const args =
    does === 'reset' ? ['read-tree', 'HEAD'] : ['add', '--', ...filesOf(call.input.files)];
  return { kind: 'index', does, directory, before, expected: await foreseeIndex(directory, args) };
}

function filesOf(files: Json | undefined): readonly string[] {
  const names = Array.isArray(files) ? files : [];
  const texts = names.filter((name): name is string => typeof name === 'string');
  if (texts.length > 0 && texts.length === names.length) return texts;
  throw cannotUndo('it names no files', 'give "files" as a list of paths', files);
}

/** Whether the index is as before the call, or as foreseen. */
export async function observeIndex(
  { directory, before, expected }: PreparedIndex,
  hasAnswer: boolean,
): Promise<ObservedEffect> {
  const now = await readIndex(directory);
  const seen = (state: ObservedEffect['state'], entries: string | null): ObservedEffect => ({
    state,
    after: toStored({ entries } satisfies IndexAfter),
  });
  if (now === before.entries) {
    if (await hasIndexLock(directory)) return seen('partly', now);
    return seen(hasAnswer && now === expected ? 'done' : 'not-done', now);
  }
  // A file may have changed between the preparation and the call: the answer vouches for what was added then.
  return now === expected || hasAnswer ? seen('done', now) : seen('unknown', null);
}

/** Restores the index, if it still is as the call left it. */
export async function undoIndex(
  { directory, before }: PreparedIndex,
  after: IndexAfter,
  call: GuardedCall,
): Promise<UndoneEffect> {
  const now = await readIndex(directory);
  const isLocked = await hasIndexLock(directory);
  if (now === before.entries && !isLocked) {
    return { state: 'nothing-to-undo', message: 'the index is as it was' };
  }
  if (now !== before.entries && now !== after.entries) {
    return { state: 'conflict', message: 'the index has been changed since' };
  }
  await restoreIndex(directory, before, call);
  return { state: 'undone', message: 'the index is as it was' };
}
