import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { GuardedCall, ObservedEffect, UndoneEffect } from '../../compensation.js';
import { cannotUndo, requireText, toStored } from '../settings.js';
import type { FileTool } from './files-settings.js';
import { isSameContent, type PathState, type ReadLimits, readState } from './path-state.js';
import { type Roots, requireSamePlace, resolveSafePath, statusOf } from './safe-path.js';

/** The preparation for the undo of a renaming. */
export interface PreparedMove {
  readonly does: 'move';
  readonly source: string;
  readonly destination: string;
  /** The file or directory before the call, at its source. */
  readonly before: PathState;
}

/** The moved file or directory, or null if it is at neither place or at both. */
interface MoveAfter {
  readonly state: PathState | null;
}

/** Checks that a renaming can be taken back: nothing is at its destination. */
export async function prepareMove(
  tool: Extract<FileTool, { does: 'move' }>,
  call: GuardedCall,
  roots: Roots,
  limits: ReadLimits,
): Promise<PreparedMove> {
  const from = await resolveSafePath(requireText(call.input, tool.source), roots);
  const to = await resolveSafePath(requireText(call.input, tool.destination), roots);
  const before = await readState(from.path, limits);
  if (before.kind !== 'file' && before.kind !== 'directory') {
    throw cannotUndo(`${from.path} is no file or directory`, 'name an existing one', from.path);
  }
  if (to.missing.length === 0) {
    throw cannotUndo(`${to.path} exists`, 'name a destination that does not exist', to.path);
  }
  return { does: 'move', source: from.path, destination: to.path, before };
}

/** Where the file or directory is. */
export async function observeMove(
  { source, destination, before }: PreparedMove,
  limits: ReadLimits,
): Promise<ObservedEffect> {
  const [there, here] = [await readState(source, limits), await readState(destination, limits)];
  const seen = (state: ObservedEffect['state'], after: PathState | null): ObservedEffect => ({
    state,
    after: toStored({ state: after } satisfies MoveAfter),
  });
  if (here.inode === before.inode && there.inode !== before.inode) return seen('done', here);
  if (there.inode === before.inode) return seen('not-done', there);
  return seen('unknown', null);
}

/** Moves the file or directory back, if it is unchanged and its old place is free. */
export async function undoMove(
  { source, destination, before }: PreparedMove,
  after: MoveAfter,
  roots: Roots,
  limits: ReadLimits,
): Promise<UndoneEffect> {
  for (const path of [source, destination]) await requireSamePlace(path, roots);
  const conflict = (message: string): UndoneEffect => ({ state: 'conflict', message });
  const there = await statusOf(source);
  if (there !== undefined && `${there.dev}:${there.ino}` === before.inode) {
    return { state: 'nothing-to-undo', message: `${source} is where it was` };
  }
  if (there !== undefined) return conflict(`${source} exists again`);
  const here = await readState(destination, limits);
  if (after.state === null || here.inode !== before.inode || !isSameContent(here, after.state)) {
    return conflict(`${destination} has been changed since`);
  }
  if ((await statusOf(dirname(source))) === undefined) {
    return conflict(`the directory of ${source} no longer exists`);
  }
  await rename(destination, source);
  return { state: 'undone', message: `${destination} is ${source} again` };
}
