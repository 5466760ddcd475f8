import { isUtf8 } from 'node:buffer';
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff';
import { fetchContent, type Journal, type Mark, movesOf } from './journal.js';

/** The change of a changeset at one path. */
export interface Change {
  readonly path: string;
  readonly kind: 'added' | 'changed' | 'deleted';
  /** The marks before and after: nothing, a directory, or a file by its bytes. */
  readonly before: Mark;
  readonly after: Mark;
}

/** All changes of a changeset, by path. */
export function changesOf(journal: Journal): Change[] {
  return movesOf(journal)
    .map(({ path, from, to }): Change => {
      const kind = from === null ? 'added' : to === null ? 'deleted' : 'changed';
      return { path, kind, before: from, after: to };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The changes of all files as a unified diff; for binary files only that they differ. */
export function diffText(journal: Journal): string {
  return changesOf(journal)
    .map(({ path, before, after }) => {
      const oldName = before?.type === 'file' ? `a/${path}` : '/dev/null';
      const newName = after?.type === 'file' ? `b/${path}` : '/dev/null';
      const oldBytes = bytesOf(journal, before);
      const newBytes = bytesOf(journal, after);
      return isText(oldBytes) && isText(newBytes)
        ? unifiedDiff(oldName, newName, oldBytes.toString(), newBytes.toString())
        : `Binary files ${oldName} and ${newName} differ\n`;
    })
    .join('');
}

/** Beyond this number of differing lines, the whole difference is shown as replaced. */
const MOST_DIFFERENCES = 1000;

/**
 * The differences of two texts in the unified format that `patch` and `git apply` read, or an empty
 * text if there are none.
 *
 * @param oldName name of the old file, `/dev/null` if there is none; `newName` likewise
 */
export function unifiedDiff(
  oldName: string,
  newName: string,
  oldText: string,
  newText: string,
): string {
  const compare = (from: string, to: string, limits = {}) =>
    structuredPatch(oldName, newName, from, to, undefined, undefined, { context: 3, ...limits });
  const patch = compare(oldText, newText, { maxEditLength: MOST_DIFFERENCES }) ?? {
    ...compare('', ''),
    hunks: [replacement(compare(oldText, '').hunks[0], compare('', newText).hunks[0])],
  };
  return patch.hunks.length === 0 ? '' : formatPatch(patch, FILE_HEADERS_ONLY);
}

type Hunk = ReturnType<typeof structuredPatch>['hunks'][number];

/** One hunk that removes all old lines and adds all new ones. */
function replacement(out: Hunk | undefined, into: Hunk | undefined): Hunk {
  return {
    oldStart: 1,
    oldLines: out?.oldLines ?? 0,
    newStart: 1,
    newLines: into?.newLines ?? 0,
    lines: [...(out?.lines ?? []), ...(into?.lines ?? [])],
  };
}

function bytesOf({ directory }: Journal, mark: Mark): Buffer {
  return mark?.type === 'file' ? fetchContent(directory, mark.sha256) : Buffer.alloc(0);
}

function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}
