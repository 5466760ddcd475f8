import { isUtf8 } from 'node:buffer';
import type { Journal } from './changeset-journal.js';
import { fetchContent } from './contents.js';
import type { Mark } from './marks.js';
import { movesOf } from './moves.js';
import { unifiedDiff } from './unified-diff.js';

/** The change that a changeset makes to one path. */
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

/** The changes of all files as a unified diff; of binary files only that they differ. */
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

function bytesOf({ directory }: Journal, mark: Mark): Buffer {
  return mark?.type === 'file' ? fetchContent(directory, mark.sha256) : Buffer.alloc(0);
}

function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}
