import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { GuardedCall } from '../../compensation.js';
import { type Roots, statusOf } from '../files/safe-path.js';
import { cannotUndo, requireText } from '../settings.js';
import { git, tryGit } from './run-git.js';

/** The files in `.git` that say that a merge or another operation of several steps has begun. */
const OPERATIONS = [
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'BISECT_LOG',
  'rebase-merge',
  'rebase-apply',
];

/** Settings under which a repository has state that an undo does not restore. */
const UNSUPPORTED = ['core.splitIndex', 'core.sparseCheckout', 'submodule.recurse'];

/** How long Git's own processes are awaited after a server has ended, in milliseconds. */
const PATIENCE = 2000;
const PAUSE = 20;

/**
 * The real directory of the repository that a call names.
 *
 * @throws InputError `cannot_undo` if it is outside of the allowed ones, or in a state that an undo could not restore
 */
export async function requireRepository(
  { input }: GuardedCall,
  roots: Roots,
  hooks: readonly string[],
): Promise<string> {
  const text = requireText(input, 'repo_path');
  const directory = await realpath(text).catch(() => undefined);
  if (directory === undefined)
    throw cannotUndo(`${text} does not exist`, 'name a repository', text);
  if (!roots.some((root) => `${directory}/`.startsWith(root === '/' ? root : `${root}/`))) {
    const hint = `name one inside ${roots.join(' or ')}`;
    throw cannotUndo(`${text} is outside of the allowed repositories`, hint, text);
  }
  if (!(await statusOf(join(directory, '.git')))?.isDirectory()) {
    const hint = 'name the top directory of an ordinary repository';
    throw cannotUndo(`${text} has no directory .git of its own`, hint, text);
  }
  for (const name of OPERATIONS) {
    if ((await statusOf(join(directory, '.git', name))) === undefined) continue;
    throw cannotUndo(
      `${text} is in the middle of an operation (${name})`,
      'complete it first',
      text,
    );
  }
  if (await hasIndexLock(directory)) {
    throw cannotUndo(`${text} is locked by .git/index.lock`, 'wait for the other process', text);
  }
  for (const setting of UNSUPPORTED) {
    const { out } = await tryGit(directory, ['config', '--type=bool', setting]);
    if (out.trim() === 'true') throw cannotUndo(`${text} has ${setting}`, 'unset it', text);
  }
  await requireNoHooks(directory, hooks);
  return directory;
}

/** Hooks are programs, and have effects of their own. */
async function requireNoHooks(directory: string, hooks: readonly string[]): Promise<void> {
  if (hooks.length === 0) return;
  const { out } = await tryGit(directory, ['config', '--type=path', 'core.hooksPath'], {
    GIT_CONFIG_COUNT: '0',
  });
  const folder = out.trim() === '' ? join(directory, '.git', 'hooks') : out.trim();
  const names = await readdir(isAbsolute(folder) ? folder : join(directory, folder)).catch(
    () => [],
  );
  const hook = names.find((name) => hooks.includes(name));
  if (hook === undefined) return;
  const hint = 'remove it, or set "hooks": "allow" if it has no effects';
  throw cannotUndo(`the hook ${hook} would run`, hint, hook);
}

/** Whether another process changes the index, or was killed while it did. */
export async function hasIndexLock(directory: string): Promise<boolean> {
  return (await statusOf(join(directory, '.git/index.lock'))) !== undefined;
}

/** Waits for processes of Git that outlive a killed server: while they run, and while the index is locked. */
export async function awaitGit(directory: string, { signal }: GuardedCall): Promise<void> {
  for (let left = PATIENCE; left > 0; left -= PAUSE) {
    const isBusy = (await hasIndexLock(directory)) || (await hasGitProcess(directory));
    if (!isBusy) return;
    await wait(PAUSE, undefined, { signal });
  }
}

/** Whether a process `git` changes something in the directory; systems without `/proc` do not say. */
async function hasGitProcess(directory: string): Promise<boolean> {
  const ids = await readdir('/proc').catch(() => []);
  for (const id of ids.filter((name) => /^\d+$/.test(name))) {
    const place = await readlink(`/proc/${id}/cwd`).catch(() => '');
    if (place !== directory) continue;
    const program = await readlink(`/proc/${id}/exe`).catch(() => '');
    if (!/\/git[^/]*$/.test(program)) continue;
    // The server keeps processes that only read objects, for as long as it runs.
    const words = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
    if (words !== '' && words.split('\0')[1] !== 'cat-file') return true;
  }
  return false;
}

/** The current branch as `refs/heads/…`, or the commit of a detached head. */
export async function readHead(directory: string): Promise<string> {
  const { code, out } = await tryGit(directory, ['symbolic-ref', '--quiet', 'HEAD']);
  return code === 0 ? out.trim() : (await git(directory, ['rev-parse', 'HEAD'])).trim();
}

/** The object of a reference or another revision; undefined if there is none. */
export async function readRevision(directory: string, name: string): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', name];
  const { code, out } = await tryGit(directory, args);
  return code === 0 ? out.trim() : undefined;
}
