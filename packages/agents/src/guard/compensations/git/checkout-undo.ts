import { createHash } from 'node:crypto';
import { lstat, readFile, readlink, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { GuardedCall, ObservedEffect, UndoneEffect } from '../../compensation.js';
import { statusOf } from '../files/safe-path.js';
import { cannotUndo, requireText, toStored } from '../settings.js';
import { type KeptIndex, keepIndex, readIndex, restoreIndex } from './index-state.js';
import { hasIndexLock, readHead, readRevision } from './repository.js';
import { git, lastLine, tryGit } from './run-git.js';

/** The preparation for the undo of a checkout. */
export interface PreparedCheckout {
  readonly kind: 'checkout';
  readonly directory: string;
  /** The branch as `refs/heads/…`, or the commit of a detached head. */
  readonly head: string;
  readonly commit: string;
  /** The head after the call. */
  readonly target: string;
  readonly index: KeptIndex;
  /** The files that differ between the two commits. */
  readonly files: readonly CheckedOutFile[];
  /** Those of them that Git has and that were deleted, which a checkout writes again. */
  readonly deleted: readonly string[];
}

/** A file that a checkout writes or removes. */
interface CheckedOutFile {
  readonly path: string;
  /** Its blob at the two commits; null if it does not exist there. */
  readonly before: string | null;
  readonly after: string | null;
}

/** The head and the index after a call; null if they are unknown. */
interface CheckoutAfter {
  readonly head: string | null;
  readonly entries: string | null;
}

const GITLINK = '160000';

/**
 * Notes the head and the index, and checks that the checkout overwrites nothing that Git does not have: Git itself refuses
 * to overwrite changes, but not files that it ignores.
 */
export async function prepareCheckout(
  directory: string,
  call: GuardedCall,
): Promise<PreparedCheckout> {
  const name = requireText(call.input, 'branch_name');
  const commit = await readRevision(directory, 'HEAD^{commit}');
  if (commit === undefined) throw cannotUndo('the branch has no commit', 'commit something first');
  const branch = `refs/heads/${name}`;
  const isBranch = (await readRevision(directory, branch)) !== undefined;
  const to = await readRevision(directory, isBranch ? `${branch}^{commit}` : `${name}^{commit}`);
  if (to === undefined) throw cannotUndo(`there is no ${name}`, 'name a branch or a commit', name);
  const files = await differences(directory, commit, to);
  const tracked = new Set((await git(directory, ['ls-files', '-z'])).split('\0'));
  const deleted: string[] = [];
  for (const { path, before } of files) {
    const exists = (await statusOf(join(directory, path))) !== undefined;
    const isTracked = before !== null || tracked.has(path);
    if (isTracked && !exists) deleted.push(path);
    if (isTracked || !exists) continue;
    throw cannotUndo(`${path} exists and is not tracked`, 'move it away first', path);
  }
  const head = await readHead(directory);
  const index = await keepIndex(directory, call);
  return {
    kind: 'checkout',
    directory,
    head,
    commit,
    target: isBranch ? branch : to,
    index,
    files,
    deleted,
  };
}

async function differences(
  directory: string,
  from: string,
  to: string,
): Promise<readonly CheckedOutFile[]> {
  const out = await git(directory, ['diff-tree', '-r', '-z', '--no-renames', from, to]);
  const parts = out.split('\0');
  const files: CheckedOutFile[] = [];
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const [path, [oldMode, newMode, before, after]] = [parts[i + 1], parts[i].slice(1).split(' ')];
    if (oldMode === GITLINK || newMode === GITLINK) {
      throw cannotUndo(`the submodule ${path} would change`, 'check it out by hand', path);
    }
    const blob = (id: string) => (/^0+$/.test(id) ? null : id);
    files.push({ path, before: blob(before), after: blob(after) });
  }
  return files;
}

/** Whether the head has moved; if not, whether files or the index have changed. */
export async function observeCheckout(prepared: PreparedCheckout): Promise<ObservedEffect> {
  const { directory, head, target, index, files } = prepared;
  const [now, entries] = [await readHead(directory), await readIndex(directory)];
  const seen = (state: ObservedEffect['state'], after: CheckoutAfter): ObservedEffect => ({
    state,
    after: toStored(after),
  });
  if (now === target && now !== head) return seen('done', { head: now, entries });
  if (now !== head) return seen('unknown', { head: null, entries: null });
  const isClean = entries === index.entries && !(await hasIndexLock(directory));
  const changed = await filesAfter(directory, files);
  if (isClean && changed.length === 0) {
    return seen(now === target ? 'done' : 'not-done', { head: now, entries });
  }
  return seen('partly', { head: now, entries });
}

/** The files that are as after the checkout, or a beginning of that, and not as before it. */
async function filesAfter(
  directory: string,
  files: readonly CheckedOutFile[],
): Promise<readonly CheckedOutFile[]> {
  const found: CheckedOutFile[] = [];
  for (const file of files) {
    const blob = await blobOf(directory, file.path);
    if (blob === file.before) continue;
    if (blob === file.after || (await isBeginning(directory, file))) found.push(file);
  }
  return found;
}

/** Whether a file has the beginning of its contents after the checkout: Git was killed while it wrote. */
async function isBeginning(directory: string, { path, after }: CheckedOutFile): Promise<boolean> {
  if (after === null) return false;
  const status = await lstat(join(directory, path)).catch(() => undefined);
  if (!status?.isFile()) return false;
  const whole = Buffer.from(
    await git(directory, ['cat-file', 'blob', after], {}, 'latin1'),
    'latin1',
  );
  return whole.subarray(0, status.size).equals(await readFile(join(directory, path)));
}

/** The blob that a file would have in Git; null if there is no file. */
async function blobOf(directory: string, path: string): Promise<string | null> {
  const status = await lstat(join(directory, path)).catch(() => undefined);
  if (status === undefined || status.isDirectory()) return null;
  if (status.isSymbolicLink()) {
    const target = await readlink(join(directory, path));
    return hashText(directory, target);
  }
  return (await git(directory, ['hash-object', `--path=${path}`, '--', path])).trim();
}

async function hashText(directory: string, text: string): Promise<string> {
  const isLong = (await git(directory, ['rev-parse', '--show-object-format'])).trim() === 'sha256';
  const hash = createHash(isLong ? 'sha256' : 'sha1');
  return hash.update(`blob ${Buffer.byteLength(text)}\0${text}`).digest('hex');
}

/** Checks the earlier branch or commit out again, and restores the index. */
export async function undoCheckout(
  prepared: PreparedCheckout,
  after: CheckoutAfter,
  call: GuardedCall,
): Promise<UndoneEffect> {
  const { directory, head, target, index, files, deleted } = prepared;
  const conflict = (message: string): UndoneEffect => ({ state: 'conflict', message });
  const [now, entries] = [await readHead(directory), await readIndex(directory)];
  const changed = await filesAfter(directory, files);
  const isLocked = await hasIndexLock(directory);
  if (now === head && entries === index.entries && changed.length === 0 && !isLocked) {
    return { state: 'nothing-to-undo', message: `${head} is checked out` };
  }
  if (now !== head && now !== target) return conflict(`${now} has been checked out since`);
  if (entries !== after.entries && entries !== index.entries) {
    return conflict('the index has been changed since');
  }
  if (isLocked) await rm(join(directory, '.git/index.lock'), { force: true });
  if (now !== head) {
    const back = head.startsWith('refs/') ? [head.slice('refs/heads/'.length)] : ['--detach', head];
    const { code, err } = await tryGit(directory, ['checkout', '--quiet', ...back, '--']);
    if (code !== 0) return conflict(`the earlier files cannot be restored: ${lastLine(err)}`);
  } else await restoreFiles(directory, prepared.commit, changed);
  for (const path of deleted) await rm(join(directory, path), { force: true });
  await restoreIndex(directory, index, call);
  return { state: 'undone', message: `${head} is checked out again` };
}

/** Restores files of a checkout that ended in the middle. */
async function restoreFiles(
  directory: string,
  commit: string,
  files: readonly CheckedOutFile[],
): Promise<void> {
  const old = files.filter(({ before }) => before !== null).map(({ path }) => path);
  if (old.length > 0) {
    const args = ['--literal-pathspecs', 'checkout', '--quiet', commit, '--', ...old];
    await git(directory, args);
  }
  for (const { path } of files.filter(({ before }) => before === null)) {
    await rm(join(directory, path), { force: true });
    // As Git does: directories that contain nothing else are removed, too.
    for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
      const isRemoved = await rmdir(join(directory, parent)).then(
        () => true,
        () => false,
      );
      if (!isRemoved) break;
    }
  }
}
