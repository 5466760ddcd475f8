import { lstatSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { sha256 } from '../../core/sha256.js';

const mode = z.int().min(0).max(0o7777);

/** A mark, the content of a path: nothing, a directory, or a file by its bytes. */
export const markSchema = z.union([
  z.null(),
  z.strictObject({ type: z.literal('directory'), mode }),
  z.strictObject({ type: z.literal('file'), sha256: z.string().regex(/^[0-9a-f]{64}$/), mode }),
]);

export type Mark = z.infer<typeof markSchema>;

/**
 * The mark at a path of the file system now; `other` is what no changeset touches: symbolic
 * links, which may lead out of the root, and what is neither a file nor a directory.
 */
export function markAt(file: string): Mark | 'other' {
  const status = statusOf(file);
  if (status === undefined) return null;
  const permissions = status.mode & 0o7777;
  if (status.isDirectory()) return { type: 'directory', mode: permissions };
  if (!status.isFile()) return 'other';
  return { type: 'file', sha256: sha256(readFileSync(file)), mode: permissions };
}

/** Whether the same stands there; directories are told by what is in them, not by permissions. */
export function sameMark(a: Mark | 'other', b: Mark | 'other'): boolean {
  if (a === 'other' || b === 'other') return a === b;
  if (a?.type !== 'file' || b?.type !== 'file') return a?.type === b?.type;
  return a.sha256 === b.sha256 && a.mode === b.mode;
}

function statusOf(file: string) {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    // A file stands where a directory would lead here.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}
