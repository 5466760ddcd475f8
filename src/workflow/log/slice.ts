import { canonicalJson } from '../../core/canonical-json.js';
import type { LogEntry } from './entry.js';
import type { LogStore } from './store.js';

/** How much of a log somebody may see: the scope κ. */
export interface SliceScope {
  /** At most so many entries. Default 64. */
  readonly entries?: number | undefined;
  /** At most so many bytes of canonical JSON in all. Default 65536. */
  readonly bytes?: number | undefined;
  /** Only entries of these nodes and of what runs inside them. Default: of all nodes. */
  readonly nodeIds?: readonly string[] | undefined;
  /** Only entries up to this version. Default: the last there is. */
  readonly upTo?: number | undefined;
}

/** The scope where nothing else is said. */
const DEFAULT_SCOPE = { entries: 64, bytes: 65536 } as const;

/**
 * The latest entries of a run that fit into a scope, in the order of their versions. Nothing that
 * the scope admits is left out between them but restore points: the slice ends at the first entry
 * that no longer fits.
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
    // A restore point repeats what stands before it.
    if (entry.eventType === 'Snapshot') continue;
    if (nodeIds !== undefined && !nodeIds.some((node) => isWithin(entry.nodeId, node))) continue;
    bytes -= utf8Length(canonicalJson(entry));
    if (--entries < 0 || bytes < 0) break;
    slice.push(entry);
  }
  return slice.reverse();
}

/** Whether the path of a node is that of another or leads through it: `a[2]/b` is within `a`. */
export function isWithin(path: string, outer: string): boolean {
  return path.startsWith(outer) && ['', '/', '['].includes(path.charAt(outer.length));
}

/** Bytes of a text in UTF-8, counted where there may be no encoder. */
function utf8Length(text: string): number {
  let bytes = text.length;
  for (let k = 0; k < text.length; k++) {
    const unit = text.charCodeAt(k);
    if (unit < 0x80) continue;
    // A pair of surrogates, counted one by one, is four bytes.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return bytes;
}
