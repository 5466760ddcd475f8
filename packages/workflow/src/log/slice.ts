import { canonicalJson } from '@alas-jssp/core/canonical-json';
import type { LogEntry } from './entry.js';
import type { LogStore } from './store.js';

/** The part of a log that a reader may see: the scope κ. */
export interface SliceScope {
  /** Maximum number of entries. Default 64. */
  readonly entries?: number | undefined;
  /** Maximum size, in bytes of canonical JSON. Default 65536. */
  readonly bytes?: number | undefined;
  /** Only entries of these nodes and of the nodes inside them. Default: all nodes. */
  readonly nodeIds?: readonly string[] | undefined;
  /** Only entries up to this version. Default: the last one. */
  readonly upTo?: number | undefined;
}

/** The default scope. */
const DEFAULT_SCOPE = { entries: 64, bytes: 65536 } as const;

/**
 * The latest entries of a run that fit into a scope, in the order of their versions. The slice is
 * contiguous within the scope except for restore points: it ends at the first entry that no longer
 * fits.
 */
export function sliceLog(
  store: Pick<LogStore, 'read'>,
  runId: string,
  scope: SliceScope = {},
): LogEntry[] {
  const { nodeIds, upTo } = scope;
  let entries = scope.entries ?? DEFAULT_SCOPE.entries;
  let bytes = scope.bytes ?? DEFAULT_SCOPE.bytes;
  const slice: LogEntry[] = [];
  for (const entry of store.read({ runId, to: upTo, descending: true })) {
    // A restore point repeats the entries before it.
    if (entry.eventType === 'Snapshot') continue;
    if (nodeIds !== undefined && !nodeIds.some((node) => isWithin(entry.nodeId, node))) continue;
    bytes -= utf8Length(canonicalJson(entry));
    if (--entries < 0 || bytes < 0) break;
    slice.push(entry);
  }
  return slice.reverse();
}

/** Whether the path of a node equals another or leads through it: `a[2]/b` is within `a`. */
export function isWithin(path: string, outer: string): boolean {
  return path.startsWith(outer) && ['', '/', '['].includes(path.charAt(outer.length));
}

/** Bytes of a text in UTF-8, counted where there may be no encoder. */
function utf8Length(text: string): number {
  let bytes = text.length;
  for (let k = 0; k < text.length; k++) {
    const unit = text.charCodeAt(k);
    if (unit < 0x80) continue;
    // A surrogate pair has four bytes.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return bytes;
}
