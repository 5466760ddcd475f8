import { copyFile, mkdtemp, open, readFile, rename, rm, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '@alas-jssp/core/sha256';
import type { GuardedCall } from '../../compensation.js';
import { statusOf } from '../files/safe-path.js';
import { git } from './run-git.js';

/** The index before a call. */
export interface KeptIndex {
  /** Digest of its entries, with their flags; equal for indexes that differ only in cached times. */
  readonly entries: string;
  /** The blob of the file; missing if there was none. */
  readonly file?: string | undefined;
}

const indexFile = (directory: string) => join(directory, '.git/index');

/** The digest of the entries of the index, or of another index file. */
export async function readIndex(directory: string, file?: string): Promise<string> {
  const environment: Record<string, string> = file === undefined ? {} : { GIT_INDEX_FILE: file };
  const entries = await git(directory, ['ls-files', '--stage', '-z'], environment);
  const flags = await git(directory, ['ls-files', '-v', '-z'], environment);
  return sha256(`${entries}\n${flags}`);
}

/** Keeps the index. */
export async function keepIndex(directory: string, { blobs }: GuardedCall): Promise<KeptIndex> {
  const entries = await readIndex(directory);
  if ((await statusOf(indexFile(directory))) === undefined) return { entries };
  return { entries, file: await blobs.put(await readFile(indexFile(directory))) };
}

/** The digest that the index would have after a command of Git, which is run on a copy; undefined if it fails. */
export async function foreseeIndex(
  directory: string,
  args: readonly string[],
): Promise<string | undefined> {
  const scratch = await mkdtemp(join(tmpdir(), 'guard-index-'));
  const copy = join(scratch, 'index');
  try {
    if ((await statusOf(indexFile(directory))) !== undefined) {
      await copyFile(indexFile(directory), copy);
    }
    await git(directory, args, { GIT_INDEX_FILE: copy });
    return await readIndex(directory, copy);
  } catch {
    return undefined;
  } finally {
    await rm(scratch, { recursive: true });
  }
}

/** Puts the kept index back, by the lock that Git itself uses. The lock of a killed process is removed first. */
export async function restoreIndex(
  directory: string,
  { file }: KeptIndex,
  { blobs }: GuardedCall,
): Promise<void> {
  const lock = join(directory, '.git/index.lock');
  await rm(lock, { force: true });
  const handle = await open(lock, 'wx');
  try {
    if (file !== undefined) await handle.writeFile(await blobs.get(file));
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (file !== undefined) await rename(lock, indexFile(directory));
  else {
    await rm(indexFile(directory), { force: true });
    await unlink(lock);
  }
}
