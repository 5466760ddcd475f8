import { randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  open,
  readdir,
  readFile,
  rename,
  rm,
  unlink,
  utimes,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { sha256 } from '@alas-jssp/core/sha256';
import type { GuardedCall, ObservedEffect, UndoneEffect } from '../../compensation.js';
import { cannotUndo, requireText, toStored } from '../settings.js';
import type { FileTool } from './files-settings.js';
import { isSameContent, type PathState, type ReadLimits, readState } from './path-state.js';
import { type Roots, requireSamePlace, resolveSafePath } from './safe-path.js';
import { applyTextEdits } from './text-edits.js';

/** The preparation for the undo of a write, an edit or a deletion of one file. */
export interface PreparedContent {
  readonly does: 'write' | 'edit' | 'delete';
  readonly path: string;
  /** The file before the call; its contents are the blob with its digest. */
  readonly before: PathState;
  /** The digest after the call: null if there will be no file, missing if unknown. */
  readonly expected?: string | null | undefined;
  /** Names of drafts next to the file that existed before the call. */
  readonly drafts: readonly string[];
}

type ContentTool = Extract<FileTool, { does: PreparedContent['does'] }>;

/** Keeps the file that a call replaces, changes or deletes. */
export async function prepareContent(
  tool: ContentTool,
  call: GuardedCall,
  roots: Roots,
  limits: ReadLimits,
): Promise<PreparedContent> {
  const { path } = await resolveSafePath(requireText(call.input, tool.path), roots);
  const before = await readState(path, limits);
  requireReplaceable(path, before, tool.does);
  const bytes = before.kind === 'file' ? await readFile(path) : undefined;
  if (bytes !== undefined && (await call.blobs.put(bytes)) !== before.digest) {
    throw cannotUndo(`${path} changes while it is read`, 'call again', path);
  }
  const expected = expectedDigest(tool, call, bytes);
  return { does: tool.does, path, before, expected, drafts: await draftsOf(path) };
}

function requireReplaceable(path: string, before: PathState, does: string): void {
  const refuse = (problem: string, hint: string) => {
    throw cannotUndo(`${path} ${problem}`, hint, path);
  };
  if (before.kind === 'directory') refuse('is a directory', 'name a file');
  if (before.kind === 'other') refuse('is no ordinary file', 'name a file');
  if (before.kind === 'absent' && does !== 'write') refuse('does not exist', 'name a file');
  if ((before.links ?? 1) > 1) refuse('has other hard links', 'copy it first');
  const user = process.getuid?.();
  if (user !== undefined && user !== 0 && before.owner !== undefined && before.owner !== user) {
    refuse('belongs to another user', 'copy it first');
  }
}

/** The digest of the file after a call that succeeds; null for no file, undefined if it cannot be known. */
function expectedDigest(
  tool: ContentTool,
  { input }: GuardedCall,
  before: Uint8Array | undefined,
): string | null | undefined {
  if (tool.does === 'delete') return null;
  if (tool.does === 'write') {
    const content = input[tool.content];
    return typeof content === 'string' ? sha256(content) : undefined;
  }
  if (input.dryRun === true) return sha256(before ?? '');
  const text = applyTextEdits(Buffer.from(before ?? '').toString('utf8'), input[tool.edits ?? '']);
  return text === undefined ? undefined : sha256(text);
}

/** The file after a call, or null if it is in a state that neither the call nor its absence explains. */
interface ContentAfter {
  readonly state: PathState | null;
}

/** Whether a file is as it was before the call, or as the call leaves it. */
export async function observeContent(
  call: GuardedCall,
  prepared: PreparedContent,
  hasAnswer: boolean,
  limits: ReadLimits,
): Promise<ObservedEffect> {
  const { path, before, expected } = prepared;
  const now = await readState(path, limits);
  const seen = (state: ObservedEffect['state'], after: PathState | null): ObservedEffect => ({
    state,
    after: toStored({ state: after } satisfies ContentAfter),
  });
  const isBefore = now.kind === before.kind && now.digest === before.digest;
  if (expected === null && now.kind === 'absent') return seen('done', now);
  if (typeof expected === 'string' && now.digest === expected) return seen('done', now);
  const hasDrafts = (await newDrafts(prepared)).length > 0;
  if (isBefore) return seen(hasDrafts ? 'partly' : 'not-done', now);
  if (before.kind === 'absent' && (await isBeginning(call, prepared, now))) {
    return seen('partly', now);
  }
  // The result of an edit is unknown if its old text did not occur literally: the answer vouches for it.
  if (expected === undefined && hasAnswer) return seen('done', now);
  return seen('unknown', null);
}

/** Whether a new file has the beginning of its contents: the server ended while it wrote. */
async function isBeginning(
  { input }: GuardedCall,
  { path, does }: PreparedContent,
  now: PathState,
): Promise<boolean> {
  if (does !== 'write' || now.kind !== 'file') return false;
  const bytes = await readFile(path);
  // The digest of the contents was checked before, so any text of the input that begins like this is them.
  return Object.values(input).some(
    (value) =>
      typeof value === 'string' && Buffer.from(value).subarray(0, bytes.length).equals(bytes),
  );
}

/** Restores the file before the call, if the file is still as the call left it. */
export async function undoContent(
  call: GuardedCall,
  prepared: PreparedContent,
  after: ContentAfter,
  roots: Roots,
  limits: ReadLimits,
): Promise<UndoneEffect> {
  const { path, before } = prepared;
  await requireSamePlace(path, roots);
  const drafts = await newDrafts(prepared);
  for (const draft of drafts) await rm(draft, { force: true });
  const now = await readState(path, limits);
  if (isSameContent(now, before)) {
    const state = drafts.length > 0 ? 'undone' : 'nothing-to-undo';
    return { state, message: `${path} is as it was` };
  }
  if (after.state === null || !isSameContent(now, after.state)) {
    return { state: 'conflict', message: `${path} has been changed since` };
  }
  if (before.kind === 'absent') {
    await unlink(path);
    return { state: 'undone', message: `${path} is removed` };
  }
  await restoreFile(path, await call.blobs.get(before.digest as string), before);
  return { state: 'undone', message: `${path} has its earlier contents` };
}

/** Writes contents, permissions, owner and time next to a file, on disk, and then renames. */
async function restoreFile(path: string, bytes: Uint8Array, before: PathState): Promise<void> {
  const draft = `${path}.${randomBytes(16).toString('hex')}.tmp`;
  try {
    const file = await open(draft, 'wx');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    if (process.getuid?.() === 0) await chown(draft, before.owner ?? 0, before.group ?? 0);
    await chmod(draft, before.mode ?? 0o644);
    const seconds = (before.modified ?? 0) / 1000;
    await utimes(draft, seconds, seconds);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Drafts that a server left when it was killed: the file's name with 32 hexadecimal digits. */
async function newDrafts(prepared: PreparedContent): Promise<readonly string[]> {
  const drafts = await draftsOf(prepared.path);
  return drafts
    .filter((name) => !prepared.drafts.includes(name))
    .map((name) => join(dirname(prepared.path), name));
}

async function draftsOf(path: string): Promise<readonly string[]> {
  const name = basename(path);
  const names = await readdir(dirname(path)).catch(() => []);
  return names.filter(
    (each) =>
      each.startsWith(`${name}.`) && /^[0-9a-f]{32}\.tmp$/.test(each.slice(name.length + 1)),
  );
}
