import { InputError } from '@alas-jssp/core/errors';
import { entryOf, GENESIS, type Head } from './chain.js';
import type { LogEntry } from './entry.js';
import type { SqliteFile } from './sqlite-file.js';
import { IS_RARE, RARE_TYPES, schemaFaults } from './sqlite-schema.js';
import type { LogQuery, StoredRow } from './store.js';

/** Rows per fetch, at first and at most: no read holds the file for long. */
const PAGE = { first: 32, most: 256 } as const;

/** After a page of more characters, the next page is smaller. */
const LARGE_PAGE = 4_000_000;

/** The prefix of a payload's hash in the table of blobs; no JSON begins with it. */
export const BLOB = 'blob:';

// A text that is not UTF-8 would end the process inside the library, so texts are read as bytes.
const COLUMNS = ['run_id', 'ts', 'node_id', 'event_type', 'payload', 'correlation_id', 'hash']
  .map((column) => `CAST(${column} AS BLOB)`)
  .join(', ');

/** Reads entries and rows, one page at a time. */
export function createReader(
  database: SqliteFile,
  file: string,
  learn: (runId: string, head: Head) => void,
) {
  const selectRows = database.prepare(
    `SELECT seq, version, ${COLUMNS} FROM entries NOT INDEXED WHERE seq > ? ORDER BY seq LIMIT ?`,
  );
  const selectRun = database.prepare(
    `SELECT version, version, ${COLUMNS} FROM entries WHERE run_id = ? AND version > ? ORDER BY version LIMIT ?`,
  );
  const selectBlob = database.prepare('SELECT content FROM blobs WHERE hash = ?');
  const rowOf = ([version, ...cells]: readonly unknown[]): StoredRow => {
    const [runId, ts, nodeId, eventType, text, correlationId, hash] = cells.map(decode);
    const known = typeof version === 'number' ? version : null;
    const payload = text?.startsWith(BLOB)
      ? decode(selectBlob.get([text.slice(BLOB.length)])?.[0])
      : text;
    return { version: known, runId, ts, nodeId, eventType, payload, correlationId, hash };
  };

  function* read(query: LogQuery): Generator<LogEntry> {
    const { runId, eventTypes, descending = false } = query;
    const select = database.prepare(
      `SELECT version, ${COLUMNS} FROM entries WHERE run_id = ? AND version BETWEEN ? AND ?${conditionOn(eventTypes)} ORDER BY version ${descending ? 'DESC' : ''} LIMIT ?`,
    );
    let { from = 0, to = Number.MAX_SAFE_INTEGER } = query;
    let last: Head = GENESIS;
    for (let limit: number = PAGE.first; ; ) {
      const page = select.all([runId, from, to, limit]);
      for (const cells of page) {
        const entry = entryOf(rowOf(cells), file);
        last = entry;
        yield entry;
      }
      if (page.length < limit) break;
      if (descending) to = last.version - 1;
      else from = last.version + 1;
      limit = nextLimit(page, limit);
    }
    const toItsEnd = !descending && query.to === undefined && eventTypes === undefined;
    if (toItsEnd && last !== GENESIS) learn(runId, last);
  }

  function* rows(runId?: string): Generator<StoredRow> {
    let limit: number = PAGE.first;
    for (let last = -1; ; ) {
      const page =
        runId === undefined ? selectRows.all([last, limit]) : selectRun.all([runId, last, limit]);
      for (const [place, ...cells] of page) {
        // In a damaged file they may be circular.
        if (typeof place !== 'number' || place <= last) throw damagedOrder(file);
        last = place;
        yield rowOf(cells);
      }
      if (page.length < limit) return;
      limit = nextLimit(page, limit);
    }
  }
  return { read, rows };
}

function conditionOn(eventTypes: LogQuery['eventTypes']): string {
  if (eventTypes === undefined) return '';
  const types = ` AND event_type IN (${eventTypes.map((type) => `'${type}'`).join()})`;
  return eventTypes.every((type) => RARE_TYPES.includes(type)) ? `${types} AND ${IS_RARE}` : types;
}

/** Fewer rows after a page of large ones, and more after one of small ones. */
function nextLimit(page: readonly unknown[][], limit: number): number {
  let size = 0;
  for (const row of page) {
    for (const cell of row) if (cell instanceof Uint8Array) size += cell.length;
  }
  return size > LARGE_PAGE ? Math.max(1, limit >> 2) : Math.min(PAGE.most, limit * 4);
}

export function runsOf(database: SqliteFile): () => string[] {
  // The verification finds runs whose first entry is missing.
  const select = database.prepare(
    'SELECT CAST(run_id AS BLOB) FROM entries WHERE version = 0 ORDER BY seq',
  );
  return () => select.all().map(([runId]) => String(runId));
}

/** Faults that SQLite itself finds, those of the schema, and gaps in the numbers of the entries. */
export function faultsOf(database: SqliteFile): string[] {
  const texts = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map(([text]) => String(text));
  const schema = texts('SELECT CAST(sql AS BLOB) FROM sqlite_schema WHERE sql IS NOT NULL');
  const found = texts('SELECT CAST(integrity_check AS BLOB) FROM pragma_integrity_check')
    .flatMap((text) => text.split('\n'))
    .filter((line) => line !== 'ok' && !line.startsWith('***'));
  const counts = database.prepare('SELECT count(*), max(seq) FROM entries NOT INDEXED').get();
  const [count, last] = counts as [number, number | null];
  const missing = (last ?? 0) - count;
  return [
    ...schemaFaults(schema),
    ...found,
    ...(missing === 0 ? [] : [`${missing} entries are missing from the file`]),
  ];
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Null for cells that are missing or not a text. */
function decode(cell: unknown): string | null {
  if (!(cell instanceof Uint8Array)) return null;
  try {
    return utf8.decode(cell);
  } catch {
    return null;
  }
}

function damagedOrder(file: string): InputError {
  return new InputError('damaged_log', 'its entries are out of order', 'use an intact copy', {
    file,
  });
}
