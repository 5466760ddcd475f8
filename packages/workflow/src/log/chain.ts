import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { AlasError, InputError } from '@alas-jssp/core/errors';
import { sha256 } from '@alas-jssp/core/sha256';
import { EVENT_TYPES, type EventType, type LogEntry, type NewEntry } from './entry.js';
import type { StoredRow } from './store.js';
import type { InboxMessage } from './tables.js';

/** A row without unreadable fields. */
export type SealedRow = { readonly [Key in keyof StoredRow]: NonNullable<StoredRow[Key]> };

/** The end of a run's chain. */
export interface Head {
  /** −1 before the first entry. */
  readonly version: number;
  readonly hash: string;
}

/** The start of every run's chain. */
export const GENESIS: Head = { version: -1, hash: '0'.repeat(64) };

/**
 * The SHA-256 (hex) of the canonical JSON of an entry (its keys and `previous`, the hash of the
 * entry before it, instead of `hash`).
 */
export function hashOf(row: Omit<SealedRow, 'hash'>, previous: string): string {
  const { correlationId, eventType, nodeId, payload, runId, ts, version } = row;
  // The keys in canonical order; the payload is canonical already.
  const text = `{"correlationId":${JSON.stringify(correlationId)},"eventType":${JSON.stringify(eventType)},"nodeId":${JSON.stringify(nodeId)},"payload":${payload},"previous":"${previous}","runId":${JSON.stringify(runId)},"ts":${JSON.stringify(ts)},"version":${version}}`;
  return sha256(text);
}

/** The default limit of a payload, in bytes of canonical JSON. */
const MAX_BYTES = 256_000_000;

/**
 * Makes rows of new entries of one run: versions, canonical payloads and hashes.
 *
 * @throws InputError `bad_entry`, `not_json`; AlasError `too_large`
 */
export function seal(
  entries: readonly NewEntry[],
  head: Head,
  maxBytes: number = MAX_BYTES,
): SealedRow[] {
  let { version, hash } = head;
  return entries.map((entry) => {
    requireEntry(entry, entries[0].runId);
    const { runId, ts, nodeId, eventType, correlationId } = entry;
    const payload = payloadOf(entry, maxBytes);
    const row = { version: ++version, runId, ts, nodeId, eventType, payload, correlationId };
    hash = hashOf(row, hash);
    return { ...row, hash };
  });
}

/** Bytes of a message's entry in addition to its data. */
const BESIDE_DATA = 100;

/**
 * The data of a message as JSON, if they fit into an entry.
 *
 * @throws InputError `not_json`; AlasError `too_large`
 */
export function messageText(
  { runId, kind, data }: Pick<InboxMessage, 'runId' | 'kind' | 'data'>,
  maxBytes: number = MAX_BYTES,
): string {
  const entry = { runId, nodeId: '', eventType: kind, payload: data };
  return payloadOf(entry, maxBytes - BESIDE_DATA);
}

type Sized = Pick<NewEntry, 'runId' | 'nodeId' | 'payload'> & { readonly eventType: string };

function payloadOf(entry: Sized, maxBytes: number): string {
  try {
    const payload = canonicalJson(entry.payload);
    if (!isLarger(payload, maxBytes)) return payload;
    throw tooLarge(entry, `${Buffer.byteLength(payload)} bytes`, maxBytes);
  } catch (error) {
    // JavaScript limits texts to about half a gigabyte.
    if (!(error instanceof RangeError)) throw error;
    throw tooLarge(entry, 'more bytes than a text can have', maxBytes);
  }
}

/** Whether a text has more bytes of UTF-8 than that. */
export function isLarger(text: string, bytes: number): boolean {
  // At most three for each UTF-16 code unit.
  return text.length * 3 > bytes && Buffer.byteLength(text) > bytes;
}

function tooLarge({ runId, nodeId, eventType }: Sized, size: string, limit: number): AlasError {
  const place = nodeId === '' ? `run ${JSON.stringify(runId)}` : nodeId;
  const hint = 'store it elsewhere and pass a reference on';
  const message = `the payload of ${eventType} of ${place} is too large for the log: ${size}, at most ${limit}; ${hint}`;
  return new AlasError('too_large', message, nodeId);
}

/**
 * Reads a row.
 *
 * @throws InputError `damaged_log` if it is unreadable
 */
export function entryOf(row: StoredRow, file?: string): LogEntry {
  const unreadable = unreadableFields(row);
  const eventType = row.eventType as EventType;
  if (unreadable.length === 0 && eventTypes.has(eventType)) {
    try {
      const payload = JSON.parse(row.payload as string);
      return { ...(row as SealedRow), eventType, payload };
    } catch {
      unreadable.push('payload');
    }
  }
  throw new InputError(
    'damaged_log',
    `entry ${row.version} of run ${JSON.stringify(row.runId)} cannot be read (${unreadable.join(', ') || 'eventType'})`,
    'run alas-jssp log verify, and use an intact copy',
    { file },
    row,
  );
}

/** The names of the unreadable fields. */
export function unreadableFields(row: StoredRow): string[] {
  return Object.entries(row).flatMap(([key, value]) => (value === null ? [key] : []));
}

const eventTypes: ReadonlySet<string> = new Set(EVENT_TYPES);

// SQLite ends texts at NUL in places, and lone surrogates have no UTF-8.
const UNFIT = /[\0\p{Surrogate}]/u;
const ISO_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

function requireEntry(entry: NewEntry, runId: string): void {
  const { nodeId, correlationId, ts, eventType } = entry;
  const fault =
    (entry.runId !== runId && ['runId', 'append entries of one run at a time']) ||
    ((runId === '' || UNFIT.test(runId)) && ['runId', 'give a text of well-formed Unicode']) ||
    (UNFIT.test(nodeId) && ['nodeId', 'give well-formed Unicode without NUL']) ||
    (UNFIT.test(correlationId) && ['correlationId', 'give well-formed Unicode without NUL']) ||
    (!ISO_UTC.test(ts) && ['ts', 'give an ISO 8601 time in UTC']) ||
    (!eventTypes.has(eventType) && ['eventType', 'give one of those that the log knows']);
  if (!fault) return;
  const [key, hint] = fault;
  const found = entry[key as keyof NewEntry];
  const problem = `the log accepts no entry whose ${key} is ${JSON.stringify(found)}`;
  throw new InputError('bad_entry', problem, hint, {}, found);
}
